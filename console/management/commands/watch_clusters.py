"""Follows clusters as they change, beside the background work: optional, and safe to run twice."""

import signal
from typing import Any

from django.core.management.base import BaseCommand

from console.alive import tell_alive
from deployments.services.clusters import synchronise_default_cluster
from deployments.services.watching import Watchers


class Command(BaseCommand):
    help = "Follow every enabled cluster, so that what changes there is shown within two seconds."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Follow until a signal."""
        signals: list[int] = []
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda caught, _frame: signals.append(caught))
        synchronise_default_cluster()
        Watchers(on_turn=lambda: tell_alive("watcher")).run(lambda: bool(signals))
