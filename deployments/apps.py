"""The deployments room as a Django app."""

from django.apps import AppConfig


class DeploymentsConfig(AppConfig):
    name = "deployments"
