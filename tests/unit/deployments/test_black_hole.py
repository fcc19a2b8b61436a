"""A cluster that takes connections and says nothing holds nobody for long."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings

from deployments.models import Cluster
from deployments.services import surveying
from deployments.services.due import refresh_if_due
from providers import registry
from providers.sandbox.kubeconfig import write_kubeconfig
from tests.silent import silent_server

pytestmark = pytest.mark.django_db


@pytest.fixture
def black_hole(settings: LazySettings, tmp_path: Path) -> Iterator[Cluster]:
    settings.SLIPWAY_PROVIDERS = ["providers.kubernetes"]
    registry.forget()
    with silent_server() as address:
        file = write_kubeconfig(tmp_path / "config", url=f"http://{address}", namespace="models")
        yield Cluster.objects.create(name="black-hole", kubeconfig=str(file))


def test_a_pass_gives_it_up_after_the_first_question_and_waits(
    black_hole: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Enough to read the kubeconfig even where the client is imported for it, on a busy machine.
    monkeypatch.setattr(surveying, "PROBE_SECONDS", 3.0)
    began = time.monotonic()

    report = refresh_if_due(black_hole)

    # Without the first question it would take the whole deadline of a pass, 30 s.
    assert time.monotonic() - began < 15
    assert report is not None
    assert report.error_code == "ClusterUnreachable"
    row = Cluster.objects.get()
    assert (row.failed_passes, row.reachable, row.lease_until) == (1, False, None)
    assert refresh_if_due(row) is None
