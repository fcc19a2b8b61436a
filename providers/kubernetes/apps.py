from django.apps import AppConfig


class KubernetesConfig(AppConfig):
    name = "providers.kubernetes"
