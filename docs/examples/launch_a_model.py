"""Launches a model through Slipway's API, waits until it is Ready, and removes it again.

    SLIPWAY_TOKEN=... python3 docs/examples/launch_a_model.py http://127.0.0.1:8000 MODEL TEMPLATE

MODEL is the id of a model, TEMPLATE the name of one of its active templates. Needs nothing but
Python. `--keep` leaves the deployment running.
"""

import argparse
import json
import os
import sys
import time
import urllib.error
import urllib.request
from typing import Any

POLL_SECONDS = 1.0
SETTLED = {"Ready", "Failed", "Stopped"}


def main() -> int:
    """Launch, watch, remove; 0 when the model became Ready and is gone again."""
    asked = _arguments()
    template = call(
        asked, "GET", f"models/{asked.model}/deployment-templates/by-name/{asked.template}"
    )
    body = {
        "name": asked.name or asked.model,
        "template": {"model_id": asked.model, "template_id": template["id"]},
        "implementation": {"kind": "k8s-deployment"},
    }
    preview = call(asked, "POST", "deployments/preview", body)
    for check in preview["checks"]:
        say(f"  {check['result']:8}{check['message']}")
    made = call(asked, "POST", "deployments", {**body, "launch": preview["launch"]})
    say(f"launched {made['name']} as {made['deployment_id']} in {made['namespace']}")
    phase = watch(asked, made["id"])
    if not asked.keep:
        remove(asked, made["id"])
    return 0 if phase == "Ready" else 1


def watch(asked: argparse.Namespace, deployment: str) -> str:
    """Say every new sentence until the deployment has settled; return its phase."""
    said, end = "", time.monotonic() + asked.patience
    while True:
        read = call(asked, "GET", f"deployments/{deployment}")
        detail = read["status_detail"]
        sentence = f"{detail['phase']}: {detail['message']}"
        if sentence != said:
            say(sentence)
            said = sentence
        if detail["phase"] in SETTLED or time.monotonic() > end:
            say(f"requests go to {read['endpoint']['url']}")
            return str(detail["phase"])
        time.sleep(POLL_SECONDS)


def remove(asked: argparse.Namespace, deployment: str) -> None:
    """Delete the deployment and wait until nothing of it is left."""
    answer = call(asked, "DELETE", f"deployments/{deployment}")
    while not answer["closed_at"]:
        time.sleep(POLL_SECONDS)
        answer = call(asked, "GET", f"deployments/{deployment}")
    say("removed")


def call(asked: argparse.Namespace, method: str, path: str, body: object = None) -> Any:
    """Return what the API answers; ends the program with its message where it refuses."""
    request = urllib.request.Request(  # noqa: S310 - the address is the caller's own
        f"{asked.address}/api/v1/{path}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": f"Token {os.environ.get('SLIPWAY_TOKEN', '')}",
            "Content-Type": "application/json",
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{method} {path}: {error.code} {json.load(error)['message']}") from None
    except urllib.error.URLError as error:
        raise SystemExit(f"{asked.address} does not answer: {error.reason}") from None


def say(text: str) -> None:
    """Write a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Launch a model, see it Ready, remove it.")
    parser.add_argument("address", help="of the console, as http://127.0.0.1:8000")
    parser.add_argument("model", help="id of a model")
    parser.add_argument("template", help="name of one of its active templates")
    parser.add_argument("--name", default="", help="of the deployment; the model's id if left out")
    parser.add_argument("--patience", type=float, default=900, help="seconds to wait for Ready")
    parser.add_argument("--keep", action="store_true", help="leave it running")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
