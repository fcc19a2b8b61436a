"""The kubeconfig of a simulated cluster, as JSON, which every YAML reader takes."""

import json
from pathlib import Path

NAME = "sandbox"


def write_kubeconfig(path: Path, *, url: str, namespace: str) -> Path:
    """Write a file with one context, whole or not at all."""
    context = {"cluster": NAME, "user": NAME, "namespace": namespace}
    body = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": NAME,
        "clusters": [{"name": NAME, "cluster": {"server": url}}],
        "contexts": [{"name": NAME, "context": context}],
        "users": [{"name": NAME, "user": {}}],
    }
    write_whole(path, json.dumps(body, indent=2))
    return path


def write_whole(path: Path, text: str) -> None:
    """Put a file in place at once, so that nobody ever reads half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.new")
    fresh.touch(mode=0o600)
    fresh.write_text(text)
    fresh.replace(path)
