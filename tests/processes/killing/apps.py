"""Watches the effects of every process that is started with the settings of these tests."""

from django.apps import AppConfig


class KillingConfig(AppConfig):
    name = "tests.processes.killing"
    label = "killing"

    def ready(self) -> None:
        # Else loaded at the first call to a cluster, so again in all that is forked after a kill.
        import kubernetes.config  # noqa: F401

        from tests.processes.killing.watching import watch  # needs the settings

        watch()
