from django.apps import AppConfig


class AcmeReplicasConfig(AppConfig):
    name = "acme_replicas"
