from django.apps import AppConfig


class StormServiceConfig(AppConfig):
    name = "providers.stormservice"
