"""Registers the in-memory provider as a Django app, as any provider is."""

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """The app of the kind `memory`."""

    name = "providers.testing.memory"
    label = "providers_testing_memory"
