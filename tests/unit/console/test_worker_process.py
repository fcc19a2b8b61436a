"""A real worker on a queue of files: what it logs, and what it tells who scrapes it."""

import json
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.waiting import wait_for
from tests.ports import free_port

ROOT = Path(__file__).parents[3]
BIN = Path(sys.executable).parent
TOKEN = "a-token-of-some-length"
NO_CLUSTER = 987_654
# As a view would: with the id of a request bound.
ASK = f"""
import django
django.setup()
import console.celery
from structlog.contextvars import bind_contextvars
bind_contextvars(request_id="request-of-olga")
from deployments.tasks import refresh_one
refresh_one.delay({NO_CLUSTER})
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    var = tmp_path_factory.mktemp("var")
    return {
        "DJANGO_SETTINGS_MODULE": "console.settings",
        "SLIPWAY_VAR": str(var),
        "SLIPWAY_METRICS_FOLDER": str(var / "metrics"),
        "SLIPWAY_METRICS_TOKEN": TOKEN,
        "SLIPWAY_WORKER_METRICS_PORT": str(free_port()),
    }


@pytest.fixture(scope="module")
def log(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yield where a worker writes its lines, which has been asked for one task."""
    run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], environment)
    command = [str(BIN / "celery"), "--app", "console.celery", "--quiet", "worker"]
    command += ["--pool", "threads", "--concurrency", "1", "--loglevel", "info"]
    command += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    path = tmp_path_factory.mktemp("log") / "worker"
    with (
        path.open("wb") as file,
        subprocess.Popen(  # noqa: S603 - our own program
            command, stderr=file, cwd=ROOT, env=environment
        ) as process,
    ):
        try:
            run([sys.executable, "-c", ASK], environment)
            wait_for(lambda: "succeeded" in path.read_text(), 60, "the worker has run the task")
            yield path
        finally:
            process.terminate()


def run(command: list[str], environment: dict[str, str]) -> None:
    subprocess.run(  # noqa: S603 - our own program
        command, check=True, timeout=60, cwd=ROOT, env=environment
    )


def test_every_line_is_json_with_the_id_of_the_request_and_without_arguments(log: Path) -> None:
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    (done,) = (line for line in lines if "succeeded" in line["event"])
    assert done["request_id"] == "request-of-olga"
    assert done["task"] == "deployments.tasks.refresh_one"
    assert done["task_id"] in done["event"]
    assert str(NO_CLUSTER) not in json.dumps(lines)


def test_it_tells_its_own_metrics_to_who_has_the_token_and_to_nobody_else(
    log: Path, environment: dict[str, str]
) -> None:
    url = f"http://127.0.0.1:{environment['SLIPWAY_WORKER_METRICS_PORT']}/metrics"
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310 ours, and http
        text = answer.read().decode()
    assert 'slipway_process_cpu_seconds_total{pid="' in text
    assert 'role="worker"' in text
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(url, timeout=10)
