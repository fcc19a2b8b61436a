"""A cluster in processes of its own, a console of real processes, and people."""

import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import Group, User
from django.db import connection
from knox.models import AuthToken
from redis import Redis

from providers.testing.samples import spec_with
from templates_app import services
from templates_app.entries import parse_model, parse_template
from tests.cluster.cast import USUAL_NODES
from tests.cluster.controlplane.build import Missing, find_or_build
from tests.cluster.harness.api import Api
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.harness.processes import Process
from tests.processes.console import BIN, ROOT, START_SECONDS, Console, Records
from tests.processes.world import NAMESPACE

PEOPLE = 4
TRIED = "kill points"
"""The property of a test's report: kill points tried, and those that ended consistently."""

Tally = Callable[[int, int], None]
Order = Callable[[str], Mapping[str, Any]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A cluster: how the console is told of it, and a door of our own."""

    kubeconfig: Path
    api: Api


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A simulated cluster, or with SLIPWAY_REAL_CLUSTER=1 a control plane as in tests/cluster."""
    is_real = os.environ.get("SLIPWAY_REAL_CLUSTER") == "1"
    with real_cluster() if is_real else simulated_cluster(tmp_path) as found:
        yield found


@contextmanager
def simulated_cluster(tmp_path: Path) -> Iterator[Place]:
    """Run the simulated cluster as `make run` does."""
    folder = tmp_path / "sandbox"
    kubeconfig = folder / "kubeconfig"
    command = [str(BIN / "python"), "-m", "providers.sandbox", "--folder", str(folder)]
    process = Process("sandbox", ["env", "-C", str(ROOT), *command], tmp_path / "sandbox.log")
    process.start()
    process.wait_until(kubeconfig.exists, seconds=START_SECONDS)
    server = json.loads(kubeconfig.read_text())["clusters"][0]["cluster"]["server"]
    yield Place(kubeconfig=kubeconfig, api=Api(server, Path(), ""))
    process.kill()


@contextmanager
def real_cluster() -> Iterator[Place]:
    """Run a control plane of this test's own."""
    binaries = find_or_build()
    if isinstance(binaries, Missing):
        pytest.fail(binaries.reason, pytrace=False)
    with ControlPlane(binaries) as plane:
        for node in USUAL_NODES:
            plane.kubelet.add_node(node)
        namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}
        plane.api.create("/api/v1/namespaces", namespace)
        yield Place(kubeconfig=plane.kubeconfig, api=plane.api)


@pytest.fixture
def cluster_api(place: Place) -> Api:
    """A door to the cluster that the console's code has no part in."""
    return place.api


@pytest.fixture
def order(transactional_db: None) -> Order:
    """Return the body that launches a model under a name, with all three objects."""
    model = services.create_model(parse_model({"id": "qwen", "name": "Qwen"}), by=None)
    entry = parse_template(name="mock", version="1.0.0", spec=spec_with())
    template = services.activate_template(services.create_template(model, entry, by=None), by=None)

    def make(name: str) -> Mapping[str, Any]:
        overrides = {"min_replicas": 1, "max_replicas": 2, "enable_auto_scaling": True}
        choice = {"model_id": model.pk, "template_id": str(template.pk)}
        return {"name": name, "template": choice, "overrides": overrides}

    return make


@pytest.fixture
def console(transactional_db: None, place: Place, tmp_path: Path) -> Iterator[Console]:
    """A console of which nothing runs yet."""
    console = Console(
        folder=tmp_path,
        environment={
            "DATABASE_URL": _database_url(),
            "DJANGO_SETTINGS_MODULE": "tests.processes.settings",
            "K8S_KUBECONFIG": str(place.kubeconfig),
            "K8S_NAMESPACE": NAMESPACE,
            # A hasty clock: what runs for a minute elsewhere runs for seconds here.
            "SLIPWAY_MOVING_SECONDS": "2",
            "SLIPWAY_REFRESH_SECONDS": "8",
            "SLIPWAY_LOG_LEVEL": "WARNING",
            "SLIPWAY_METRICS_FOLDER": str(tmp_path / "metrics"),
            "SLIPWAY_SECRET_KEY": secrets.token_urlsafe(64),
            "SLIPWAY_VAR": str(tmp_path / "var"),
            **_queue(),
        },
        tokens=[_token(f"person-{number}") for number in range(PEOPLE)],
    )
    yield console
    console.stop()


@pytest.fixture
def records(tmp_path: Path) -> Records:
    return Records(folder=tmp_path)


@pytest.fixture
def tally(record_property: Callable[[str, object], None]) -> Tally:
    """Keep how many kill points a test tried, and how many ended consistently."""
    return lambda tried, consistent: record_property(TRIED, [tried, consistent])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Sum up; read from the reports, since the tests may have run in other processes."""
    reports = [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]
    counted = {
        report.nodeid: value
        for report in reports
        for name, value in getattr(report, "user_properties", ())
        if name == TRIED
    }
    if not counted:
        return
    for test, (tried, consistent) in counted.items():
        terminalreporter.write_line(f"  {tried} / {consistent}  {test}")
    tried, consistent = (sum(pair[side] for pair in counted.values()) for side in (0, 1))
    words = f"kill points tried / consistent ends: {tried} / {consistent}"
    terminalreporter.write_line(words, bold=True, red=tried != consistent)


def _queue() -> Mapping[str, str]:
    """Return the address of an empty Redis where there is one; else the queue is a folder."""
    url = os.environ.get("REDIS_URL", "")
    if not url:
        return {}
    # Tests that run beside each other have numbers of their own.
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    own = urlsplit(url)._replace(path=f"/{worker}").geturl()
    with Redis.from_url(own) as redis:
        redis.flushdb()
    return {"REDIS_URL": own}


def _token(name: str) -> str:
    user = User.objects.create_user(name)
    user.groups.add(Group.objects.get_or_create(name="deployer")[0])
    _, token = AuthToken.objects.create(user)
    return str(token)


def _database_url() -> str:
    """Return the address of the test's own database."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    user, host = f"{database['USER']}:{database['PASSWORD']}", database["HOST"]
    return f"postgres://{user}@{host}:{database['PORT']}/{database['NAME']}"
