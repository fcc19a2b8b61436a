import json
import subprocess
import sys
from pathlib import Path

from tests.cluster.waiting import wait_for

ROOT = Path(__file__).parents[3]


def test_every_line_of_gunicorn_is_json_like_those_of_the_console(tmp_path: Path) -> None:
    command = [str(Path(sys.executable).parent / "gunicorn"), "console.wsgi"]
    command += ["--bind", f"unix:{tmp_path / 'socket'}", "--no-control-socket"]
    environment = {"SLIPWAY_VAR": str(tmp_path), "SLIPWAY_METRICS_FOLDER": str(tmp_path / "m")}
    log = tmp_path / "log"
    with (
        log.open("wb") as file,
        subprocess.Popen(  # noqa: S603 - our own program
            command, stdout=file, stderr=file, cwd=ROOT, env=environment
        ) as process,
    ):
        try:
            wait_for(lambda: "Booting worker" in log.read_text(), 30, "gunicorn has started")
        finally:
            process.terminate()
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert {line["logger"] for line in lines} == {"gunicorn.error"}
