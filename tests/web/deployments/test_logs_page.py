"""The tab Logs: what it shows, how it goes on, and that no line ever becomes markup."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from deployments.models import Deployment
from deployments.services.deleting import delete_deployment
from providers.contract.errors import Unavailable
from providers.contract.observing import LogLine
from providers.testing.memory.cluster import MemoryCluster

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
EVIL = '<script>alert(1)</script><img src=x onerror=alert(2)> & "quoted" {{ 7 }} {% now %}'
LINE = re.compile(r'<span class="line">(.*?)\n</span>', re.DOTALL)
TAIL = re.compile(r'id="log-tail" data-poll hx-get="([^"]+)"')


@pytest.fixture
def made(launch: Callable[..., Deployment]) -> Deployment:
    return launch()


@pytest.fixture
def printed(made: Deployment, runtime: MemoryCluster) -> list[LogLine]:
    lines = [
        LogLine(at=NOON + timedelta(seconds=number), text=f"step {number}") for number in range(3)
    ]
    runtime.printed[f"{made.runtime_name}-0"] = lines
    return lines


def _page(client: Client, made: Deployment, **query: str) -> str:
    answer = client.get(reverse("deployment-logs", args=[made.pk]), query)
    assert answer.status_code == 200
    return answer.content.decode()


def _more(client: Client, address: str) -> str:
    headers = {"HX-Request": "true", "HX-Trigger": "log-tail"}
    answer = client.get(unescape(address), headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def _lines(page: str) -> list[str]:
    return [unescape(line) for line in LINE.findall(page)]


def _tail(page: str) -> str:
    found = TAIL.search(page)
    assert found is not None
    return found[1]


@pytest.mark.usefixtures("printed")
def test_the_lines_of_the_likeliest_log_stand_in_order(viewer: Client, made: Deployment) -> None:
    assert _lines(_page(viewer, made)) == ["step 0", "step 1", "step 2"]


def test_no_line_becomes_markup(viewer: Client, made: Deployment, printed: list[LogLine]) -> None:
    printed.append(LogLine(at=NOON, text=EVIL))
    for query in ({}, {"search": "<script>"}, {"search": '" onfocus='}, {"times": "true"}):
        page = _page(viewer, made, **query)
        assert "<script>alert" not in page
        assert "<img" not in page
        assert '" onfocus=' not in page
    assert _lines(_page(viewer, made))[-1] == EVIL


def test_who_follows_gets_each_new_line_once(
    viewer: Client, made: Deployment, printed: list[LogLine]
) -> None:
    address = _tail(_page(viewer, made))
    first = _more(viewer, address)
    assert _lines(first) == []
    printed.append(LogLine(at=printed[-1].at, text="in the same moment"))
    printed.append(LogLine(at=NOON + timedelta(seconds=9), text="later"))
    second = _more(viewer, _tail(first))
    assert _lines(second) == ["in the same moment", "later"]
    third = _more(viewer, _tail(second))
    assert _lines(third) == []
    assert "<html" not in second
    assert 'id="log"' not in second


def test_following_a_log_that_has_not_printed_begins_with_its_first_line(
    viewer: Client, made: Deployment, printed: list[LogLine]
) -> None:
    printed.clear()
    page = _page(viewer, made)
    assert "Nothing was printed so far." in page
    printed.append(LogLine(at=NOON, text="first"))
    assert _lines(_more(viewer, _tail(page))) == ["first"]


def test_what_came_between_two_answers_may_be_more_than_a_page_began_with(
    viewer: Client, made: Deployment, printed: list[LogLine]
) -> None:
    address = _tail(_page(viewer, made, tail_lines="200"))
    printed += [LogLine(at=NOON + timedelta(minutes=1), text=str(n)) for n in range(1_500)]
    assert len(_lines(_more(viewer, address))) == 1_500
    printed += [LogLine(at=NOON + timedelta(minutes=2), text=str(n)) for n in range(2_500)]
    more = _more(viewer, address)
    assert len(_lines(more)) == 2_000
    assert "Lines in between were left out" in more


@pytest.mark.usefixtures("printed")
def test_following_can_be_stopped_and_is_not_offered_for_a_run_that_is_over(
    viewer: Client, made: Deployment
) -> None:
    stopped = _page(viewer, made, follow="off")
    assert "log-tail" not in stopped
    assert "Follow</a>" in stopped
    assert "log-tail" not in _page(viewer, made, previous="true")


@pytest.mark.usefixtures("printed")
def test_a_page_does_not_grow_without_end(viewer: Client, made: Deployment) -> None:
    address = unescape(_tail(_page(viewer, made)))
    ended = _more(viewer, re.sub(r"followed=\d+", "followed=99999", address))
    assert "Following ended" in ended
    assert "hx-get" not in ended


@pytest.mark.usefixtures("printed")
def test_a_cluster_that_falls_silent_is_asked_again_from_the_same_place(
    viewer: Client, made: Deployment, runtime: MemoryCluster
) -> None:
    address = _tail(_page(viewer, made))
    runtime.faults["logs"] = Unavailable("the cluster does not answer")
    silent = _more(viewer, address)
    assert "the cluster does not answer" in silent
    again = parse_qs(urlsplit(unescape(_tail(silent))).query)
    assert again == parse_qs(urlsplit(unescape(address)).query)


def test_lines_are_searched_without_case_and_marked(
    viewer: Client, made: Deployment, printed: list[LogLine]
) -> None:
    printed.append(LogLine(at=NOON + timedelta(seconds=3), text="An ERROR and an error (a.b)"))
    page = _page(viewer, made, search="error")
    assert LINE.findall(page) == ["An <mark>ERROR</mark> and an <mark>error</mark> (a.b)"]
    assert "1 of 4 lines hold “error”" in page
    assert _lines(_page(viewer, made, search="a.b"))[0].endswith("(<mark>a.b</mark>)")
    assert "None of 4 lines holds “a?b”" in _page(viewer, made, search="a?b")


@pytest.mark.usefixtures("printed")
def test_times_can_be_shown(viewer: Client, made: Deployment) -> None:
    assert "<time>12:00:01.000</time> step 1" in _page(viewer, made, times="true")


def test_a_container_that_has_not_started_says_so_and_is_asked_again(
    viewer: Client, made: Deployment, runtime: MemoryCluster
) -> None:
    runtime.unprinted[f"{made.runtime_name}-0"] = "container engine has not started yet: Pulling"
    page = _page(viewer, made)
    assert "Container engine has not started yet: Pulling." in page
    assert re.search(r'id="log" data-poll hx-get="[^"]*/logs"', page)


def test_a_pod_that_is_gone_is_said_and_others_may_be_chosen(
    viewer: Client, made: Deployment
) -> None:
    page = _page(viewer, made, pod="gone-0")
    assert "no pod gone-0" in page
    assert f'value="{made.runtime_name}-0/engine"' in page
    assert "data-poll" not in page


def test_a_choice_of_the_form_means_pod_and_container(viewer: Client, made: Deployment) -> None:
    page = _page(viewer, made, source=f"{made.runtime_name}-0/engine")
    assert f'value="{made.runtime_name}-0/engine" selected' in page


def test_what_a_log_tells_stands_on_top_with_its_advice(
    viewer: Client, made: Deployment, printed: list[LogLine]
) -> None:
    text = "ValueError: No available memory for the cache blocks. <b>"
    printed.append(LogLine(at=NOON, text=text))
    page = _page(viewer, made)
    assert "KvCacheTooSmall" in page
    assert "Lower engine_args.max_model_len" in page
    assert "cache blocks. &lt;b&gt;" in page
    assert "Curate the template" not in page


def test_who_may_cure_what_a_log_tells_is_led_there(
    curator: Client, made: Deployment, printed: list[LogLine]
) -> None:
    printed.append(LogLine(at=NOON, text="ValueError: No available memory for the cache blocks."))
    assert "Curate the template" in _page(curator, made)


@pytest.mark.parametrize(
    "query",
    [
        {"tail_lines": "x", "previous": "maybe", "since_time": "never", "known": "-1"},
        {"pod": "x" * 999, "followed": "9" * 999, "source": "/"},
        {"search": "\\", "source": "a/b/c"},
    ],
)
def test_a_wrong_address_still_shows_something(
    viewer: Client, made: Deployment, query: dict[str, str]
) -> None:
    assert "Logs</a>" in _page(viewer, made, **query)


def test_the_download_is_a_text_file_of_all_there_is(
    viewer: Client, made: Deployment, printed: list[LogLine]
) -> None:
    printed[:] = [LogLine(at=NOON, text=f"{number} <b>") for number in range(3_000)]
    answer = viewer.get(reverse("deployment-log-file", args=[made.pk]), {"search": "x"})
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Disposition"] == (
        f'attachment; filename="{made.runtime_name}-0-engine.log"'
    )
    lines = answer.content.decode().splitlines()
    assert len(lines) == 3_000
    assert lines[0] == "2026-11-30T12:00:00+00:00 0 <b>"


def test_where_there_is_nothing_to_download_the_tab_says_why(
    viewer: Client, made: Deployment
) -> None:
    answer = viewer.get(
        reverse("deployment-log-file", args=[made.pk]), {"pod": "gone-0"}, follow=True
    )
    assert "no pod gone-0" in answer.content.decode()


def test_a_silent_cluster_shows_what_was_known_last(
    viewer: Client, made: Deployment, runtime: MemoryCluster
) -> None:
    runtime.faults["logs"] = Unavailable("the cluster does not answer")
    page = _page(viewer, made)
    assert "The cluster does not answer." in page
    assert "What was known last" in page


def test_a_closed_record_has_no_log(owner: Client, made: Deployment) -> None:
    assert made.created_by is not None
    delete_deployment(made, user=made.created_by)
    assert "Nothing to look at" in _page(owner, made)
    file = reverse("deployment-log-file", args=[made.pk])
    assert "Nothing to look at" in owner.get(file, follow=True).content.decode()


def test_strangers_find_nothing(stranger: Client, made: Deployment) -> None:
    for name in ("deployment-logs", "deployment-log-file"):
        assert stranger.get(reverse(name, args=[made.pk])).status_code == 404
