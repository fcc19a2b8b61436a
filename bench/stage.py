"""Everything that the figures are measured on: control plane, database, console, people."""

import http.client
import json
import os
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from providers.testing.samples import spec_with
from tests.cluster.cast import USUAL_NODES
from tests.cluster.controlplane.build import Missing, find_or_build
from tests.cluster.harness.control_plane import ControlPlane

ROOT = Path(__file__).resolve().parent.parent
NAMESPACE = "models"
PEOPLE = 20
_local = threading.local()


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A running console at `port`, `tokens` of people, and the template that is launched."""

    plane: ControlPlane
    port: int
    tokens: Sequence[str]
    template: Mapping[str, str]
    folder: Path
    made: list[str] = field(default_factory=list)

    def call(self, method: str, path: str, body: object = None, *, who: int = 0) -> Any:
        """Call the API over a connection that the thread keeps; raises unless it succeeds."""
        connection = _connection(self.port)
        _open_anew_if_ended(connection)
        headers = {"Authorization": f"Token {self.tokens[who]}", "Content-Type": "application/json"}
        payload = json.dumps(body) if body is not None else None
        connection.request(method, f"/api/v1/{path}", payload, headers)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:500]!r}")
        return json.loads(text) if text else None

    def order(self, name: str) -> Mapping[str, Any]:
        """Return the body that launches a model under a name."""
        return {
            "name": name,
            "template": self.template,
            "target": {"namespace": NAMESPACE},
            "overrides": {"min_replicas": 1, "max_replicas": 2, "enable_auto_scaling": True},
        }

    def kubectl(self, *arguments: str) -> str:
        """Run kubectl, process start included; raises with its words when it fails."""
        command = [self.plane.kubectl, "--kubeconfig", str(self.plane.kubeconfig), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)  # noqa: S603
        if done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout


@contextmanager
def stage(folder: Path) -> Iterator[Stage | None]:
    """Start everything, and end it again; None where there is no control plane to be had."""
    binaries = find_or_build()
    if isinstance(binaries, Missing):
        sys.stderr.write(binaries.reason + "\n")
        yield None
        return
    with ControlPlane(binaries) as plane:
        for node in USUAL_NODES:
            plane.kubelet.add_node(node)
        plane.api.create(
            "/api/v1/namespaces",
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}},
        )
        _configure(plane, folder)
        template, tokens = _prepare()
        with _console(folder) as port:
            yield Stage(plane=plane, port=port, tokens=tokens, template=template, folder=folder)


def _configure(plane: ControlPlane, folder: Path) -> None:
    os.environ.update(
        K8S_KUBECONFIG=str(plane.kubeconfig),
        K8S_NAMESPACE=NAMESPACE,
        SLIPWAY_VAR=str(folder),
        SLIPWAY_LOG_LEVEL="WARNING",
        DJANGO_SETTINGS_MODULE="console.settings",
    )


def _prepare() -> tuple[Mapping[str, str], Sequence[str]]:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", "--no-input", verbosity=0)
    from bench.people import make_people, make_template

    return make_template("bench", spec_with(engine={"port": 8000})), make_people(PEOPLE)


@contextmanager
def _console(folder: Path) -> Iterator[int]:
    port = _free_port()
    gunicorn = str(Path(sys.executable).parent / "gunicorn")
    command = [gunicorn, "console.wsgi", "--bind", f"127.0.0.1:{port}"]
    command += ["--workers", "2", "--threads", "8", "--keep-alive", "120"]
    command += ["--log-level", "warning", "--worker-tmp-dir", str(folder)]
    with (folder / "console.log").open("w") as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)  # noqa: S603
        try:
            _wait(port, process, folder / "console.log")
            yield port
        finally:
            process.terminate()
            process.wait(timeout=20)


def _wait(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + 30
    while time.monotonic() < end and process.poll() is None:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/api/v1/health")
            if connection.getresponse().status == 200:
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"the console does not start:\n{log.read_text()[-3000:]}")


def _open_anew_if_ended(connection: http.client.HTTPConnection) -> None:
    """Let go of a connection that was kept too long: that gunicorn ended it is there to be read."""
    if connection.sock is not None and select.select([connection.sock], [], [], 0)[0]:
        connection.close()


def _connection(port: int) -> http.client.HTTPConnection:
    known: http.client.HTTPConnection | None = getattr(_local, "connection", None)
    if known is None:
        known = _local.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    return known


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
