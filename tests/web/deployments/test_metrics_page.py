"""The tab Metrics: figures as tiles, lines as drawings and as a table, and why there are none."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from console.prometheus.environment import PrometheusEnvironment
from deployments.models import Deployment, MetricSample
from deployments.services.deleting import delete_deployment
from deployments.services.measuring import slot_of
from providers import registry
from providers.contract.errors import Unavailable
from providers.contract.observing import EngineReading, Metrics, PodUse
from providers.contract.protocols import Capabilities
from providers.testing.memory.cluster import MemoryCluster
from tests.measured import measured
from tests.prometheus import Prometheus, standing_in

HTMX = {"HX-Request": "true"}
EVIL = "<script>alert(1)</script>"


def address(deployment: Deployment, span: str = "") -> str:
    return f"/deployments/{deployment.pk}/metrics{f'?span={span}' if span else ''}"


def shown(client: Client, path: str, **headers: str) -> str:
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200
    return " ".join(unescape(answer.content.decode()).split())


def told(
    deployment: Deployment, *, seconds: float, tokens: float, now: datetime | None = None
) -> Metrics:
    values = {"running": 1.0, "generation_tokens": tokens}
    reading = EngineReading(pod=f"{deployment.runtime_name}-0", values=values)
    at = (now or timezone.now()) - timedelta(seconds=seconds)
    return Metrics(at=at, engine=(reading,))


@pytest.fixture
def prometheus(settings: Settings) -> Iterator[Prometheus]:
    with standing_in() as known:
        settings.PROMETHEUS = PrometheusEnvironment(url=known.url)
        yield known


@pytest.fixture
def watched(deployment: Deployment) -> Deployment:
    """Somebody has watched it for the last minutes, with a break."""
    before: MetricSample | None = None
    now = timezone.now()
    for seconds in (300, 290, 280, 20, 10):
        reading = told(deployment, seconds=seconds, tokens=1000 - 2 * seconds, now=now)
        before = measured(deployment, reading, before)
    return deployment


def test_every_figure_is_a_word_a_number_a_unit_and_what_it_means(
    viewer: Client, deployment: Deployment
) -> None:
    page = shown(viewer, address(deployment))
    assert '<h3>Running</h3> <p class="value"><b>4</b> requests</p>' in page
    assert "Requests that engines work on now" in page
    assert "<b>25</b> %" in page
    assert "<b>1</b> cores" in page
    assert "<b>4</b> GiB" in page
    assert 'aria-current="page">Metrics</a>' in page


def test_a_rate_is_known_from_the_second_reading_on(viewer: Client, deployment: Deployment) -> None:
    page = shown(viewer, address(deployment))
    assert page.count('<span class="why">next reading</span>') == 3
    measured(deployment, told(deployment, seconds=7, tokens=940))
    MetricSample.objects.order_by("slot").last().delete()  # type: ignore[union-attr]  # the page's own
    page = shown(viewer, address(deployment))
    assert re.search(r"<b>\d+(\.\d+)?</b> tokens/s", page)


def test_pods_stand_one_by_one_with_their_own_troubles(
    viewer: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    runtime.measured[deployment.runtime_name] = Metrics(
        at=timezone.now(),
        use=(PodUse(pod="pod-a", cpu_cores=0.25, memory_bytes=1024**3),),
        use_trouble="half of it is missing",
        engine=(
            EngineReading(pod="pod-a", values={"running": 2.0, "cache_usage": 0.5}),
            EngineReading(pod="pod-b", trouble="it wants its API key at /metrics"),
        ),
    )
    page = shown(viewer, address(deployment))
    assert "Running <b>2</b>" in page
    assert "Cache <b>50 %</b>" in page
    assert "CPU <b>0.25 cores</b>" in page
    assert "Of its engine nothing is known: it wants its API key at /metrics." in page
    assert "Half of it is missing." in page


def test_the_last_minutes_are_lines_that_break_where_nobody_watched(
    viewer: Client, watched: Deployment
) -> None:
    page = shown(viewer, address(watched))
    [path] = re.findall(
        r"<title id=\"chart-\d\">Generated: .*?<path class=\"line\" d=\"([^\"]+)\"", page
    )
    assert path.count("M") == 2
    assert re.search(r"lowest [12](\.\d+)?, highest 2(\.\d+)?, last", page)
    assert "style=" not in page


def test_the_same_stands_in_a_table(viewer: Client, watched: Deployment) -> None:
    page = shown(viewer, address(watched))
    assert '<th scope="col">Generated <span class="unit">tokens/s</span></th>' in page
    rows = re.findall(r'<th scope="row"><time datetime="[^"]+">(\d\d:\d\d)</time></th>', page)
    assert 2 <= len(rows) <= 4


def test_hours_are_drawn_from_prometheus(
    viewer: Client, deployment: Deployment, prometheus: Prometheus
) -> None:
    measured(deployment, told(deployment, seconds=7, tokens=940))
    at = datetime.now(UTC).timestamp() - 3000
    points = [(at + 30 * number, str(number % 5)) for number in range(60)]
    prometheus.has(({"figure": "waiting"}, points))
    page = shown(viewer, address(deployment, "1h"))
    assert "Waiting: requests in the engines' queues" in page
    assert "lowest 0, highest 4" in page
    assert 'id="span-1h" aria-current="true"' in page
    assert 'hx-trigger="every 60s,' in page


@pytest.mark.parametrize("span", ["1h", "24h"])
def test_without_prometheus_hours_say_how_to_have_them(
    viewer: Client, deployment: Deployment, span: str
) -> None:
    page = shown(viewer, address(deployment, span))
    assert "The console knows of no Prometheus; an administrator sets PROMETHEUS_URL." in page
    assert "Requests that engines work on now" in page


def test_a_prometheus_without_series_asks_whether_it_scrapes(
    viewer: Client, deployment: Deployment, prometheus: Prometheus
) -> None:
    assert "does it scrape them, with the labels namespace and pod?" in shown(
        viewer, address(deployment, "6h")
    )


def test_a_span_that_there_is_not_is_the_usual_one(viewer: Client, deployment: Deployment) -> None:
    assert 'id="span-15m" aria-current="true"' in shown(viewer, address(deployment, "1y"))


def test_who_watches_asks_again_every_ten_seconds_for_the_part_alone(
    viewer: Client, deployment: Deployment
) -> None:
    assert 'hx-trigger="every 6s,' in shown(viewer, address(deployment)), "rates come soon"
    measured(deployment, told(deployment, seconds=7, tokens=940))
    MetricSample.objects.order_by("slot").last().delete()  # type: ignore[union-attr]  # the page's own
    assert 'hx-trigger="every 10s,' in shown(viewer, address(deployment))
    part = shown(viewer, address(deployment), **HTMX)
    assert part.startswith('<div class="overview" id="metrics"')
    assert "<html" not in part


def test_what_is_not_ready_says_that_there_is_no_engine_to_ask(
    viewer: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    runtime.ready[deployment.runtime_name] = 0
    page = shown(viewer, address(deployment))
    assert "There is no engine to ask." in page
    assert "<h3>CPU</h3>" in page
    assert "<h3>Running</h3>" not in page


def test_a_silent_cluster_leaves_the_lines_that_there_are(
    viewer: Client, watched: Deployment, runtime: MemoryCluster
) -> None:
    runtime.faults["*"] = Unavailable("the cluster does not answer")
    MetricSample.objects.order_by("slot").last().delete()  # type: ignore[union-attr]  # there are five
    page = shown(viewer, address(watched))
    assert "The cluster does not answer." in page
    assert "Generated: tokens written" in page
    assert 'hx-trigger="every 10s,' in page


def test_what_pods_and_clusters_say_is_never_taken_for_html(
    viewer: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    runtime.measured[deployment.runtime_name] = Metrics(
        at=timezone.now(),
        use=(PodUse(pod=EVIL, cpu_cores=1, memory_bytes=1),),
        engine=(EngineReading(pod=EVIL, trouble=EVIL),),
        engine_trouble=EVIL,
        use_trouble=EVIL,
    )
    answer = viewer.get(address(deployment)).content.decode()
    assert EVIL not in answer
    assert answer.count("&lt;script&gt;") >= 4


def test_a_closed_record_says_that_nothing_is_left_and_asks_no_more(
    viewer: Client, deployment: Deployment
) -> None:
    delete_deployment(deployment, user=User.objects.get(username="olga"))
    page = shown(viewer, address(deployment))
    assert "nothing of it is on the cluster any more" in page
    assert "hx-trigger" not in page
    assert viewer.get(address(deployment), headers=HTMX).headers["HX-Refresh"] == "true"


def test_a_kind_that_lets_nobody_look_says_so(
    viewer: Client, deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry.get("memory"), "capabilities", Capabilities())
    page = shown(viewer, address(deployment))
    assert "The implementation memory offers no look" in page
    assert "hx-trigger" not in page


def test_many_samples_cost_no_more_queries_than_one(
    viewer: Client,
    launch: Callable[..., Deployment],
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    deployment = launch()
    now = timezone.now()
    MetricSample.objects.bulk_create(
        MetricSample(
            deployment=deployment,
            slot=slot_of(at),
            at=at,
            figures={"running": 1.0},
            reading={"use": [], "use_trouble": "", "engine": [], "engine_trouble": ""},
        )
        for at in (now - timedelta(seconds=5 * number) for number in range(170))
    )
    with django_assert_max_num_queries(12):
        assert "<path" in shown(viewer, address(deployment))


def test_strangers_find_nothing(stranger: Client, deployment: Deployment) -> None:
    assert stranger.get(address(deployment)).status_code == 404
