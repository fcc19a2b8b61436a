"""The console as a Django app: templates, commands, checks."""

from importlib import import_module

from django.apps import AppConfig


class ConsoleConfig(AppConfig):
    name = "console"

    def ready(self) -> None:
        """Register the system checks."""
        import_module("console.checks")
