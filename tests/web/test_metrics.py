"""What Prometheus scrapes: who may, that it parses, and that it says what is stored."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import DjangoAssertNumQueries

from console.metrics.exposition import expose_everything
from console.metrics.stored import KEPT_SECONDS, StoredCollector
from deployments.models import Cluster
from deployments.services.heartbeat import beat
from tests.silent import silent_server

ROOT = Path(__file__).parents[2]
TOKEN = "a-token-of-some-length"
# Two processes that call a cluster in vain, and stay until the standard input ends.
CALLERS = """
import django, os, sys
django.setup()
from console.metrics.working import measure_web
from deployments.services.calling import calling_cluster
from providers.contract.errors import Unavailable
measure_web()
child = os.fork()
try:
    with calling_cluster("harbour", "memory", "get"):
        raise Unavailable("silence")
except Unavailable:
    pass
if child:
    os.waitpid(child, 0)
    print("called", flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def _folders(settings: LazySettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.METRICS_TOKEN = TOKEN
    settings.METRICS_FOLDER = tmp_path / "metrics"
    settings.METRICS_FOLDER.mkdir()
    settings.REDIS_URL = ""
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {"data_folder_in": str(tmp_path / "queue")}
    monkeypatch.setattr("console.metrics.exposition._stored", StoredCollector())


@pytest.fixture
def scraper(db: None) -> Client:
    return Client(headers={"Authorization": f"Bearer {TOKEN}"})


def scrape(client: Client) -> dict[str, Metric]:
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/plain; version=")
    return {one.name: one for one in text_string_to_metric_families(answer.content.decode())}


def values(metric: Metric) -> dict[tuple[str, ...], float]:
    """Return the numbers by the values of the labels, these in the order of their names."""
    return {
        tuple(sample.labels[name] for name in sorted(sample.labels)): sample.value
        for sample in metric.samples
    }


@contextmanager
def callers(settings: LazySettings, tmp_path: Path) -> Iterator[int]:
    """Yield the number of the process that stays, once both have called."""
    environment = {
        "DJANGO_SETTINGS_MODULE": "console.settings",
        "SLIPWAY_VAR": str(tmp_path),
        "SLIPWAY_METRICS_FOLDER": str(settings.METRICS_FOLDER),
    }
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", CALLERS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=environment,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"called\n"
        yield process.pid


@pytest.mark.parametrize("sent", ["", "Bearer ", "Bearer wrong", f"Token {TOKEN}", TOKEN])
def test_who_has_not_the_token_is_told_how_to_send_it(sent: str, db: None) -> None:
    answer = Client(headers={"Authorization": sent} if sent else {}).get("/metrics")
    assert (answer.status_code, answer.headers["WWW-Authenticate"][:6]) == (401, "Bearer")
    assert "SLIPWAY_METRICS_TOKEN" in answer.content.decode()


def test_without_a_token_in_the_settings_nobody_has_it(settings: LazySettings, db: None) -> None:
    settings.METRICS_TOKEN = ""
    assert Client(headers={"Authorization": "Bearer "}).get("/metrics").status_code == 401


def test_of_those_who_are_signed_in_only_admins_look(
    viewer: Client, curator: Client, admin: Client
) -> None:
    assert [one.get("/metrics").status_code for one in (viewer, curator, admin)] == [401, 401, 200]


def test_clusters_are_told_with_age_answer_and_orphans(scraper: Client) -> None:
    Cluster.objects.create(
        name="harbour",
        reachable=True,
        last_pass_at=timezone.now() - timedelta(minutes=5),
        orphans=2,
        failed_passes=3,
    )
    Cluster.objects.create(name="new")
    Cluster.objects.create(name="off", enabled=False, orphans=9)
    found = scrape(scraper)
    assert 300 <= values(found["slipway_refresh_age_seconds"])[("harbour",)] < 360
    assert values(found["slipway_cluster_reachable"]) == {("harbour",): 1}
    assert values(found["slipway_orphans"]) == {("harbour",): 2, ("new",): 0}
    assert values(found["slipway_failed_passes"]) == {("harbour",): 3, ("new",): 0}


def test_a_silent_redis_leaves_its_figure_out_and_says_that_it_is_down(
    scraper: Client, settings: LazySettings
) -> None:
    with silent_server() as address:
        settings.REDIS_URL = f"redis://{address}/0"
        found = scrape(scraper)
    up = values(found["slipway_up"])
    assert (up[("database",)], up[("queue",)]) == (1, 0)
    assert "slipway_queue_messages" not in found


def test_background_work_that_never_acted_has_no_age(scraper: Client) -> None:
    assert not values(scrape(scraper)["slipway_reconciler_age_seconds"])


def test_names_follow_the_rules_and_every_metric_has_its_help(
    scraper: Client, settings: LazySettings, tmp_path: Path
) -> None:
    beat()
    with callers(settings, tmp_path):
        found = scrape(scraper)
    for name, metric in found.items():
        assert re.fullmatch("slipway_[a-z_]+", name)
        assert metric.documentation, name
        assert metric.type in {"gauge", "counter", "histogram"}, name
        # What promtool would complain of: reserved endings, units that are none of the base ones.
        assert not re.search("_(count|sum|bucket|total|ms|minutes|percent)$", name), name
        assert not re.search("_(age|duration|time)$", name), name


def test_the_table_of_the_docs_has_every_metric_and_no_other(
    scraper: Client, settings: LazySettings, tmp_path: Path
) -> None:
    beat()
    with callers(settings, tmp_path):
        found = scrape(scraper)
    table = [
        line.split("|")[1]
        for line in (ROOT / "docs/operations.md").read_text().splitlines()
        if line.startswith("| `slipway_")
    ]
    documented = set(re.findall("slipway_[a-z_]+", " ".join(table)))
    told = {f"{name}_total" if one.type == "counter" else name for name, one in found.items()}
    assert documented == told


def test_calls_of_all_processes_are_summed_also_of_those_that_have_ended(
    scraper: Client, settings: LazySettings, tmp_path: Path
) -> None:
    with callers(settings, tmp_path):
        found = scrape(scraper)
    assert values(found["slipway_cluster_call_errors"]) == {("harbour", "unavailable", "get"): 2}
    durations = found["slipway_cluster_call_duration_seconds"].samples
    (count,) = (one for one in durations if one.name.endswith("_count"))
    assert (count.labels, count.value) == ({"cluster": "harbour", "verb": "get"}, 2)


def test_each_process_that_runs_tells_what_it_takes_and_no_other(
    scraper: Client, settings: LazySettings, tmp_path: Path
) -> None:
    with callers(settings, tmp_path) as pid:
        memory = values(scrape(scraper)["slipway_process_resident_memory_bytes"])
    assert list(memory) == [(str(pid), "web")]
    assert min(memory.values()) > 1_000_000
    assert "slipway_process_resident_memory_bytes" not in scrape(scraper)


def test_who_starts_when_all_have_ended_begins_at_nothing(
    scraper: Client, settings: LazySettings, tmp_path: Path
) -> None:
    with callers(settings, tmp_path):
        pass
    with callers(settings, tmp_path):
        found = scrape(scraper)
    assert sum(values(found["slipway_cluster_call_errors"]).values()) == 2


def test_a_second_scrape_within_a_moment_counts_nothing_anew(
    scraper: Client,
    settings: LazySettings,
    django_assert_num_queries: DjangoAssertNumQueries,
    db: None,
) -> None:
    assert KEPT_SECONDS > 1
    expose_everything(settings.METRICS_FOLDER, accept="")
    with django_assert_num_queries(0):
        expose_everything(settings.METRICS_FOLDER, accept="")


def test_the_number_of_queries_does_not_grow_with_the_clusters(
    settings: LazySettings, django_assert_num_queries: DjangoAssertNumQueries, db: None
) -> None:
    for number in range(20):
        Cluster.objects.create(name=f"cluster-{number}")
    with django_assert_num_queries(6):
        expose_everything(settings.METRICS_FOLDER, accept="")
