"""The deployments room as a Django app."""

from importlib import import_module

from django.apps import AppConfig


class DeploymentsConfig(AppConfig):
    name = "deployments"

    def ready(self) -> None:
        """Begin to listen to what the catalogue tells."""
        import_module("deployments.listening")
