"""The tasks are thin: who is refreshed, and that each is asked for on its own."""

from collections.abc import Iterator

import pytest
from celery import current_app

from deployments.models import Cluster
from deployments.tasks import refresh_everything, refresh_one
from providers.testing.memory.cluster import cluster_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _at_once() -> Iterator[None]:
    current_app.conf.task_always_eager = True
    yield
    current_app.conf.task_always_eager = False


def test_every_enabled_cluster_is_refreshed_and_no_other(cluster: Cluster) -> None:
    off = Cluster.objects.create(name="off", enabled=False)
    refresh_everything()
    cluster.refresh_from_db()
    assert cluster.last_pass_at
    assert not cluster_of(str(off.pk)).calls


def test_a_cluster_that_is_gone_by_now_is_no_error() -> None:
    assert refresh_one(12345) is None
