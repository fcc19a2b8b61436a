"""Prometheus asked for hours: how its address is read, what it is asked, and how it may fail."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

import pytest
from django.conf import LazySettings
from django.core.checks import run_checks

from console.checks import TAG
from console.prometheus import client
from console.prometheus.client import PrometheusTrouble, Series, Window, query_range
from console.prometheus.environment import PrometheusEnvironment, read_prometheus
from console.prometheus.queries import query_of, quoted
from deployments.measuring.figures import figures_of
from providers.contract.template import Engine
from providers.engines.metrics import metric_names
from tests.prometheus import Prometheus, standing_in

START = datetime(2026, 11, 30, 11, 0, tzinfo=UTC)
WINDOW = Window(start=START, end=START + timedelta(hours=1), step=30)


@pytest.fixture
def prometheus() -> Iterator[Prometheus]:
    with standing_in() as known:
        yield known


def ask(prometheus: Prometheus, *, token_file: str = "") -> tuple[Series, ...]:
    there = PrometheusEnvironment(url=prometheus.url, token_file=token_file)
    return query_range(there, 'up{a="b"}', WINDOW)


def trouble_of(prometheus: Prometheus, *, token_file: str = "") -> str:
    with pytest.raises(PrometheusTrouble) as caught:
        ask(prometheus, token_file=token_file)
    return str(caught.value)


def test_a_matrix_comes_back_as_series_without_what_is_no_number(prometheus: Prometheus) -> None:
    at = START.timestamp()
    points = [(at, "1.5"), (at + 30, "NaN"), (at + 60.5, "+Inf"), (at + 90, "2"), (at + 120, "?")]
    prometheus.has(({"figure": "running"}, points), ({}, []))
    running, other = ask(prometheus)
    assert running.labels == {"figure": "running"}
    assert running.points == ((START, 1.5), (START + timedelta(seconds=90), 2.0))
    assert other.points == ()


def test_it_is_asked_for_a_window_with_a_step_and_a_timeout(prometheus: Prometheus) -> None:
    ask(prometheus)
    [asked] = prometheus.asked
    assert asked.path == "/prom/api/v1/query_range"
    assert asked.form == {
        "query": 'up{a="b"}',
        "start": "1796036400",
        "end": "1796040000",
        "step": "30",
        "timeout": "4s",
    }
    assert "Authorization" not in asked.headers


def test_the_token_is_read_anew_for_each_call(prometheus: Prometheus, tmp_path: Path) -> None:
    file = tmp_path / "token"
    for token in ("first", "second"):
        file.write_text(f"{token}\n")
        ask(prometheus, token_file=str(file))
    assert [one.headers["Authorization"] for one in prometheus.asked] == [
        "Bearer first",
        "Bearer second",
    ]
    file.unlink()
    assert "the file that PROMETHEUS_TOKEN_FILE names cannot be read" in trouble_of(
        prometheus, token_file=str(file)
    )


@pytest.mark.parametrize(
    ("status", "kind", "error"),
    [
        (400, "bad_data", "invalid parameter 'query': parse error"),
        (422, "execution", "query processing would load too many samples into memory"),
        (503, "timeout", "query timed out in expression evaluation"),
    ],
)
def test_what_it_refuses_is_told_in_its_words(
    prometheus: Prometheus, status: int, kind: str, error: str
) -> None:
    prometheus.refuses(status, kind, error)
    assert trouble_of(prometheus) == f"Prometheus refuses the query: {error}"


@pytest.mark.parametrize("status", [401, 403])
def test_a_console_that_is_not_let_in_is_told_which_token_to_set(
    prometheus: Prometheus, tmp_path: Path, status: int
) -> None:
    prometheus.status, prometheus.body = status, b"Unauthorized"
    assert trouble_of(prometheus).endswith(f"(status {status}); set PROMETHEUS_TOKEN_FILE")
    file = tmp_path / "token"
    file.write_text("old")
    told = trouble_of(prometheus, token_file=str(file))
    assert f"renew the token in {file}" in told


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b"<html>Welcome</html>"),
        (502, b""),
        (200, b'{"status": "success", "data": {"result": "scalar"}}'),
        (302, b"moved"),
    ],
)
def test_what_is_no_prometheus_is_told_so(prometheus: Prometheus, status: int, body: bytes) -> None:
    prometheus.status, prometheus.body = status, body
    told = trouble_of(prometheus)
    assert f"is no Prometheus (status {status}); correct PROMETHEUS_URL" in told


def test_a_closed_port_is_told(prometheus: Prometheus) -> None:
    with standing_in() as gone:
        pass
    assert "does not answer" in trouble_of(gone)


def test_silence_ends_with_a_sentence(
    prometheus: Prometheus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "ANSWER_SECONDS", 0.2)
    prometheus.silent = Event()
    assert "does not answer (ReadTimeoutError)" in trouble_of(prometheus)


def test_an_answer_without_an_end_is_left_alone(
    prometheus: Prometheus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "MOST_BYTES", 100_000)
    prometheus.status, prometheus.body = 200, b" " * 1_000_000
    assert "answers without an end" in trouble_of(prometheus)


def test_one_query_has_every_figure_marked_by_its_name() -> None:
    engine = Engine(type="vllm", version="0.11.0")
    query = query_of(
        figures_of(engine),
        metric_names(engine),
        namespace="models",
        runtime_name="qwen-1a2b3c4d",
        seconds=180,
    )
    pods = r'namespace="models",pod=~"qwen\\-1a2b3c4d\\-.*"'
    ttft, counted = "vllm:time_to_first_token_seconds", f"{{{pods}}}[180s]))"
    named = f'{{{pods},container!=""}}'
    first = f"sum(rate({ttft}_count{counted}"
    every = "sum(max without(tp_rank,pp_rank)"
    expected = {
        "running": f"{every}(vllm:num_requests_running{{{pods}}}))",
        "waiting": f"{every}(vllm:num_requests_waiting{{{pods}}}))",
        "generation_tokens_per_second": f"sum(rate(vllm:generation_tokens_total{counted}",
        "prompt_tokens_per_second": f"sum(rate(vllm:prompt_tokens_total{counted}",
        "time_to_first_token_seconds": f"sum(rate({ttft}_sum{counted}/" + first,
        "cache_usage": f"max(vllm:kv_cache_usage_perc{{{pods}}})",
        "cpu_cores": f"sum(rate(container_cpu_usage_seconds_total{named}[180s]))",
        "memory_bytes": f"sum(container_memory_working_set_bytes{named})",
    }
    assert query.split(" or ") == [
        f'label_replace({text},"figure","{name}","","")' for name, text in expected.items()
    ]


def test_a_long_name_is_matched_as_far_as_kubernetes_keeps_it() -> None:
    engine = Engine(type="custom")
    name = "a" * 63
    query = query_of(
        figures_of(engine), metric_names(engine), namespace="m", runtime_name=name, seconds=180
    )
    assert f'pod=~"{"a" * 58}.*"' in query


@pytest.mark.parametrize(
    ("text", "written"),
    [('a"b', r'"a\"b"'), ("a\\b", r'"a\\b"'), ("a\nb", r'"a\nb"'), ('\\"', r'"\\\""')],
)
def test_no_text_ends_a_string_of_promql(text: str, written: str) -> None:
    assert quoted(text) == written


def test_an_address_is_read_without_its_last_slash(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("abc\n")
    given = {"PROMETHEUS_URL": " https://p:9090/x/ ", "PROMETHEUS_TOKEN_FILE": str(token)}
    assert read_prometheus(given) == PrometheusEnvironment(
        url="https://p:9090/x", token_file=str(token)
    )
    assert read_prometheus({}) == PrometheusEnvironment()


@pytest.mark.parametrize(
    "url",
    [
        "prometheus:9090",
        "ftp://p",
        "http://",
        "http://p:99999",
        "http://user:secret@p:9090",
        "http://p/?a=b",
        "http://p/#x",
        "http://[::1",
    ],
)
def test_an_address_that_is_none_is_a_problem_and_is_not_told(url: str) -> None:
    read = read_prometheus({"PROMETHEUS_URL": url})
    assert [problem.id for problem in read.problems] == ["console.E030"]
    assert read.url == ""
    assert "secret" not in str(read.problems)


def test_what_is_wrong_stops_the_start(settings: LazySettings) -> None:
    settings.PROMETHEUS = read_prometheus({"PROMETHEUS_URL": "prometheus:9090"})
    found = [one for one in run_checks(tags=[TAG]) if one.id == "console.E030"]
    assert [one.is_serious() for one in found] == [True]


def test_a_token_without_an_address_or_in_clear_or_unreadable_is_a_problem(tmp_path: Path) -> None:
    token, empty = tmp_path / "token", tmp_path / "empty"
    token.write_text("abc")
    empty.write_text("\n")

    def ids(url: str, file: Path) -> list[str]:
        given = {"PROMETHEUS_URL": url, "PROMETHEUS_TOKEN_FILE": str(file)}
        return [problem.id for problem in read_prometheus(given).problems]

    assert ids("", token) == ["console.E031"]
    assert ids("http://p:9090", token) == ["console.E033"]
    for unreadable in (empty, tmp_path / "missing", tmp_path):
        assert ids("https://p", unreadable) == ["console.E032"]
