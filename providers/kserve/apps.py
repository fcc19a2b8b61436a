from django.apps import AppConfig


class KserveConfig(AppConfig):
    name = "providers.kserve"
