"""Watches the effects of every process that is started with the settings of these tests."""

from django.apps import AppConfig


class KillingConfig(AppConfig):
    name = "tests.processes.killing"
    label = "killing"

    def ready(self) -> None:
        from tests.processes.killing.watching import watch  # needs the settings

        watch()
