"""Starts everything on one machine: pages and API, the background worker, a cluster to try."""

import os
import signal
import socket
import subprocess
import sys
import threading
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from console.running import CannotStart, Group, Part

BIN = Path(sys.executable).parent
SANDBOX_FOLDER = settings.VAR_DIR / "sandbox"


class Command(BaseCommand):
    help = "Run the console, its worker and, where no K8S_* cluster is set, a simulated one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take where to listen, and how many processes answer."""
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--workers", type=int, default=2)
        parser.add_argument("--threads", type=int, default=8)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Run until a signal; a part that cannot start ends everything with a sentence."""
        _require_free_port(options["host"], options["port"])
        stopping = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stopping.set())
        group = Group(environment=_environment())
        try:
            for part in _parts(options):
                group.start(part)
            _run_once("load_demo")
            self.stdout.write(
                f"Slipway answers at http://{options['host']}:{options['port']}/  (Ctrl-C ends it)"
            )
            group.watch(stopping.is_set)
        except CannotStart as failure:
            raise CommandError(f"{failure}; its own words stand above.") from failure
        finally:
            group.stop()


def _run_once(command: str) -> None:
    """Run another command in the parts' environment; what it could not do, it says itself."""
    subprocess.run(  # noqa: S603 - our own command
        [sys.executable, str(settings.BASE_DIR / "manage.py"), command],
        env={**os.environ, **_environment()},
        check=False,
        timeout=120,
    )


def _parts(options: dict[str, Any]) -> list[Part]:
    parts = [] if settings.K8S.is_configured else [_sandbox()]
    # The simulated cluster tells nobody of changes.
    watchers = [_watcher()] if settings.WATCH and settings.K8S.is_configured else []
    return [*parts, _console(options), _worker(), *watchers]


def _environment() -> dict[str, str]:
    is_real = settings.K8S.is_configured
    return {} if is_real else {"SLIPWAY_SANDBOX": str(SANDBOX_FOLDER / "kubeconfig")}


def _sandbox() -> Part:
    kubeconfig = SANDBOX_FOLDER / "kubeconfig"
    kubeconfig.unlink(missing_ok=True)  # an old one names a port that is no longer served
    command = [sys.executable, "-m", "providers.sandbox", "--folder", str(SANDBOX_FOLDER)]
    return Part(name="the simulated cluster", command=command, is_up=kubeconfig.exists)


def _console(options: dict[str, Any]) -> Part:
    command = [str(BIN / "gunicorn"), "console.wsgi"]
    command += ["--bind", f"{options['host']}:{options['port']}"]
    command += ["--workers", str(options["workers"]), "--threads", str(options["threads"])]
    command += ["--timeout", "60", "--graceful-timeout", "10", "--log-level", "warning"]
    command += ["--no-control-socket"]
    is_up = _answers(options["host"], options["port"])
    return Part(name="the console", command=command, is_up=is_up)


def _worker() -> Part:
    command = [str(BIN / "celery"), "--app", "console.celery", "--quiet", "worker", "--beat"]
    command += ["--pool", "threads", "--concurrency", "4", "--loglevel", "warning"]
    command += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    return Part(name="the background worker", command=command)


def _watcher() -> Part:
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "watch_clusters"]
    return Part(name="the watcher", command=command)


def _answers(host: str, port: int) -> Callable[[], bool]:
    def ask() -> bool:
        try:
            with socket.create_connection((host, port), timeout=1):
                return True
        except OSError:
            return False

    return ask


def _require_free_port(host: str, port: int) -> None:
    try:
        with socket.create_server((host, port)):
            return
    except OSError as error:
        raise CommandError(
            f"{host}:{port} cannot be used, probably because something listens there; choose "
            f"another: make run PORT={port + 1}"
        ) from error
