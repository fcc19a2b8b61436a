"""A console without a cluster of its environment."""

import pytest
from django.conf import LazySettings

from console.environment import KubernetesEnvironment


@pytest.fixture(autouse=True)
def _no_environment(settings: LazySettings) -> None:
    settings.K8S = KubernetesEnvironment()
