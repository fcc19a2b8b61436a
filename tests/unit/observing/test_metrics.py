"""One reading of what pods use and engines tell, asked of a server that answers by path."""

import json

import pytest

from providers.contract.errors import ProviderError
from providers.contract.observing import EngineReading, Metrics, PodUse
from providers.contract.template import Engine
from providers.observing import engine_pages
from providers.observing.metrics import read_metrics
from tests.unit.kube.conftest import PATIENCE, Reply, ample
from tests.unit.observing.conftest import PODS, USE, Here, pod

VLLM = Engine(type="vllm", version="0.11.0")
PAGE = "vllm:num_requests_running 3\nvllm:generation_tokens_total 100\n"


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_pages, "PAGE_SECONDS", PATIENCE)


def read(here: Here, engine: Engine = VLLM) -> Metrics:
    return read_metrics(here.ref, here.target, engine, deadline=ample())


def test_what_pods_use_and_what_their_engines_tell_stand_side_by_side(here: Here) -> None:
    here.has_pods(pod("q-b"), pod("q-a", port=9000))
    here.uses(
        {
            "metadata": {"name": "q-a"},
            "containers": [
                {"usage": {"cpu": "250m", "memory": "1Gi"}},
                {"usage": {"cpu": "1500000n", "memory": "512Ki"}},
                None,
                {"usage": {"cpu": "nonsense"}},
            ],
        }
    )
    here.shows("q-a", PAGE, port=9000)
    here.shows("q-b", "vllm:num_requests_running 1\n")
    seen = read(here)
    assert seen.use == (PodUse(pod="q-a", cpu_cores=0.2515, memory_bytes=1024**3 + 512 * 1024),)
    assert seen.engine == (
        EngineReading(pod="q-a", values={"running": 3.0, "generation_tokens": 100.0}),
        EngineReading(pod="q-b", values={"running": 1.0}),
    )
    assert (seen.use_trouble, seen.engine_trouble) == ("", "")
    selected = [one.path for one in here.server.seen if "labelSelector" in one.path]
    assert len(selected) == 2
    assert all(here.ref.id in path for path in selected)


def test_a_cluster_without_a_metrics_server_still_has_its_engines(here: Here) -> None:
    here.has_pods(pod("q-a"))
    here.shows("q-a", PAGE)
    seen = read(here)
    assert seen.use_trouble == (
        "this cluster has no metrics server, which would tell what pods use"
    )
    assert seen.engine[0].values["running"] == 3.0


def test_a_missing_right_is_named(here: Here) -> None:
    here.has_pods(pod("q-a"))
    here.refuses(
        USE,
        403,
        'pods.metrics.k8s.io is forbidden: User "slipway" cannot list resource "pods" in API group '
        '"metrics.k8s.io" in the namespace "models"',
    )
    here.refuses(
        f"{PODS}/q-a:8000/proxy/metrics",
        403,
        'pods "q-a:8000" is forbidden: User "slipway" cannot get resource "pods/proxy" in API '
        'group "" in the namespace "models"',
    )
    seen = read(here)
    assert "needs the right to list pods of metrics.k8s.io in namespace models" in seen.use_trouble
    assert "needs the right to get pods/proxy in namespace models" in seen.engine_trouble
    assert seen.engine == ()


@pytest.mark.parametrize(
    ("engine", "status", "told"),
    [
        (VLLM, 401, "it wants its API key at /metrics, and the console has none"),
        (VLLM, 403, "it wants its API key at /metrics, and the console has none"),
        (VLLM, 404, "it has no metrics at /metrics; set engine.metrics_endpoint"),
        (
            Engine(type="sglang", version="0.5.3"),
            404,
            "it has no metrics at /metrics; set engine_args enable_metrics: true",
        ),
        (
            Engine(type="llamacpp", version="b10434"),
            501,
            "it has no metrics at /metrics; set engine_args metrics: true",
        ),
        (VLLM, 307, "it answered 307 at /metrics"),
        (VLLM, 429, "it answered 429 at /metrics"),
        (VLLM, 500, "it answered 500 at /metrics"),
    ],
)
def test_an_engine_that_tells_nothing_says_why(
    here: Here, engine: Engine, status: int, told: str
) -> None:
    here.has_pods(pod("q-a"))
    here.shows("q-a", '{"error": "no"}', status=status)
    [reading] = read(here, engine).engine
    assert (reading.trouble, dict(reading.values)) == (told, {})


def test_a_pods_refusal_is_not_taken_for_the_api_servers(here: Here) -> None:
    here.has_pods(pod("q-a"))
    here.shows("q-a", "no key", status=401)
    read(here)
    asked = [one for one in here.server.seen if "/proxy/" in one.path]
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("status", "message", "told"),
    [
        (503, "error trying to reach service: connection refused", "cannot reach its port 8000"),
        (404, 'pods "q-a" not found', "the pod is gone"),
    ],
)
def test_what_the_api_server_says_about_a_pod_is_told_of_that_pod(
    here: Here, status: int, message: str, told: str
) -> None:
    here.has_pods(pod("q-a"), pod("q-b"))
    here.refuses(f"{PODS}/q-a:8000/proxy/metrics", status, message)
    here.shows("q-b", PAGE)
    first, second = read(here).engine
    assert told in first.trouble
    assert second.values["running"] == 3.0


def test_an_engine_that_hangs_costs_the_others_nothing(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_pages, "PAGE_SECONDS", 2.0)
    here.has_pods(pod("q-a"), pod("q-b"))
    here.shows("q-b", PAGE)
    here.server.replies[f"{PODS}/q-a:8000/proxy/metrics"] = Reply(silent_seconds=600.0)
    first, second = read(here).engine
    assert first.trouble == "it did not answer in time"
    assert second.values["running"] == 3.0
    assert read(here).engine[1].values, "the API server must not count as silent"


def test_a_page_without_end_is_left_alone(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_pages, "PAGE_BYTES", 1024**2)
    here.has_pods(pod("q-a"))
    here.shows("q-a", PAGE + "# filler\n" * 200_000)
    [reading] = read(here).engine
    assert reading.trouble == "its page is longer than 1 MiB"


@pytest.mark.parametrize("page", ["", "<html>Hello</html>", b"\xff\xfe\x00", json.dumps({"a": 1})])
def test_a_page_of_something_else_has_no_figures(here: Here, page: bytes | str) -> None:
    here.has_pods(pod("q-a"))
    here.shows("q-a", page)
    [reading] = read(here).engine
    assert reading.trouble == "its page at /metrics has no figure of this engine"


def test_labels_that_explode_are_told(here: Here) -> None:
    here.has_pods(pod("q-a"))
    lines = (f'vllm:num_requests_running{{user="{number}"}} 1' for number in range(5001))
    here.shows("q-a", "\n".join(lines))
    assert "more than 5000 series" in read(here).engine[0].trouble


def test_only_ready_pods_are_asked(here: Here) -> None:
    here.has_pods(pod("q-a", ready=False))
    seen = read(here)
    assert seen.engine_trouble == "no pod is ready, so there is no engine to ask"
    assert not [one for one in here.server.seen if "/proxy/" in one.path]


def test_of_very_many_pods_some_are_asked_and_that_is_told(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_pages, "MOST_PODS", 7)
    names = [f"q-{number:03}" for number in range(9)]
    here.has_pods(*(pod(name) for name in names))
    for name in names:
        here.shows(name, PAGE)
    seen = read(here)
    assert [one.pod for one in seen.engine] == names[:7]
    assert seen.engine_trouble == "only 7 of 9 pods were asked"


@pytest.mark.parametrize("endpoint", [None, "/stats"])
def test_a_custom_engine_is_told_to_have_names_that_nobody_knows(
    here: Here, endpoint: str | None
) -> None:
    here.has_pods(pod("q-a"))
    seen = read(here, Engine(type="custom", metrics_endpoint=endpoint))
    assert "of a custom engine nobody knows what its figures are called" in seen.engine_trouble


def test_an_endpoint_of_the_template_is_asked_as_it_stands(here: Here) -> None:
    here.has_pods(pod("q-a"))
    here.server.replies[f"{PODS}/q-a:8000/proxy/a%20b/%C3%A9"] = Reply(body=PAGE.encode())
    engine = VLLM.model_copy(update={"metrics_endpoint": "/a%20b/é"})
    assert read(here, engine).engine[0].values["running"] == 3.0


def test_a_pod_that_names_no_port_is_asked_at_the_engines(here: Here) -> None:
    here.has_pods(pod("q-a", port=None))
    here.shows("q-a", PAGE, port=9100)
    engine = VLLM.model_copy(update={"port": 9100})
    assert read(here, engine).engine[0].values["running"] == 3.0


def test_only_when_nothing_at_all_can_be_read_it_is_an_error(here: Here) -> None:
    here.refuses(PODS, 500, "etcd is away")
    here.refuses(USE, 500, "etcd is away")
    with pytest.raises(ProviderError, match="etcd is away"):
        read(here)
    here.uses({"metadata": {"name": "q-a"}, "containers": []})
    seen = read(here)
    assert "etcd is away" in seen.engine_trouble
    assert seen.use == (PodUse(pod="q-a", cpu_cores=0.0, memory_bytes=0),)
