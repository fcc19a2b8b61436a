// Reads docker-compose.yml as Docker Compose does (the same loader, with its schema and its rules)
// and prints it resolved, as JSON. The first argument is the file, every other one NAME=VALUE.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	options, err := cli.NewProjectOptions(
		[]string{os.Args[1]},
		cli.WithWorkingDirectory(filepath.Dir(os.Args[1])),
		cli.WithProfiles([]string{"*"}),
		cli.WithEnv(os.Args[2:]),
	)
	stopOn(err)
	project, err := options.LoadProject(context.Background())
	stopOn(err)
	stopOn(json.NewEncoder(os.Stdout).Encode(project))
}

func stopOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
