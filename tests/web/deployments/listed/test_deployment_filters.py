"""What narrows the list, by plain addresses and by HTMX, and how it asks again."""

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from tests.web.deployments.listed.rows import Launch, names_in, shown


def test_the_counts_are_links_that_narrow_the_list(viewer: Client, launch: Launch) -> None:
    for name, phase in (("a", "Failed"), ("b", "Failed"), ("c", "Ready")):
        launch(name, phase=phase)
    page = shown(viewer)
    counts = re.findall(
        r'href="(\S+)" id="count-(\w+)"(?:(?!</a>).)*?<b>(\d+)</b>', page, re.DOTALL
    )
    assert {word: int(count) for _, word, count in counts if count != "0"} == {
        "all": 3,
        "failed": 2,
        "ready": 1,
    }
    address = next(unescape(address) for address, word, _ in counts if word == "failed")
    assert sorted(names_in(shown(viewer, address))) == ["a", "b"]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("search=CHAT", ["chat-one"]),
        ("namespace=search", ["embed"]),
        ("cluster=fra-h100", ["chat-one", "embed"]),
        ("cluster=elsewhere", []),
        ("model_id=qwen3-8b&namespace=chat", ["chat-one"]),
        ("implementation_kind=memory", ["embed"]),
        ("created_by=vera", ["chat-one"]),
        ("created_by=me", ["embed"]),
        ("search=&cluster=&status=", ["chat-one", "embed"]),
        ("status=Ready&namespace=search", ["embed"]),
    ],
)
def test_each_filter_keeps_what_it_names(
    owner: Client, launch: Launch, asked: str, found: list[str]
) -> None:
    olga = User.objects.get(username="olga")
    launch("chat-one")
    launch(
        "embed",
        phase="Ready",
        namespace="search",
        kind="memory",
        created_by=olga,
        created_by_name="olga",
    )
    assert sorted(names_in(shown(owner, f"/deployments?{asked}"))) == found


def test_the_form_shows_what_the_list_is_narrowed_by(viewer: Client, launch: Launch) -> None:
    launch("one")
    launch("two", namespace="search")
    page = shown(viewer, "/deployments?search=o&namespace=search&status=Ready&created_by=vera")
    assert 'name="search" value="o"' in page
    assert '<option value="search" selected>search</option>' in page
    assert '<option value="vera" selected>vera</option>' in page
    assert '<input type="hidden" name="status" value="Ready" form="filters">' in page
    assert '<option value="fra-h100"' not in page  # a choice of one narrows nothing


def test_a_status_that_there_is_not_is_said_and_narrows_nothing(
    viewer: Client, launch: Launch
) -> None:
    launch("one")
    page = shown(viewer, "/deployments?status=<script>")
    assert "There is no status “&lt;script&gt;”." in page
    assert names_in(page) == ["one"]


def test_the_next_page_stays_as_narrow(viewer: Client, launch: Launch) -> None:
    for number in range(51):
        launch(f"chat-{number}", phase="Ready")
    page = shown(viewer, "/deployments?search=chat&status=Ready")
    link = re.search(r'href="(\S+)" id="page-next"', page)
    assert link
    assert unescape(link[1]) == "/deployments?search=chat&status=Ready&page=2"
    assert "51–51 of 51" in shown(viewer, unescape(link[1]))


def test_what_is_closed_is_a_list_of_its_own_that_does_not_ask_again(
    viewer: Client, launch: Launch
) -> None:
    launch("runs")
    launch("over", phase="Deleted", closed_at=timezone.now())
    page = shown(viewer, "/deployments?scope=closed")
    assert names_in(page) == ["over"]
    assert "Closed deployments" in page
    assert "data-poll" not in page


def test_nothing_that_matches_is_not_the_same_as_nothing_at_all(
    viewer: Client, launch: Launch
) -> None:
    launch("one")
    assert "No deployment matches" in shown(viewer, "/deployments?search=zzz")
    assert "Nothing is closed yet" in shown(viewer, "/deployments?scope=closed")


@pytest.mark.parametrize(("phase", "seconds"), [("Deploying", 5), ("Ready", 30)])
def test_the_list_asks_again_soon_while_anything_on_it_moves(
    viewer: Client, launch: Launch, phase: str, seconds: int
) -> None:
    launch("at-rest", phase="Ready")
    launch("other", phase=phase)
    page = shown(viewer, "/deployments?search=t")
    assert f'hx-get="/deployments?search=t" hx-trigger="every {seconds}s,' in page


def test_a_filter_gets_the_results_alone_and_its_plain_address(
    viewer: Client, launch: Launch
) -> None:
    launch("one")
    answer = viewer.get(
        "/deployments?search=one&cluster=", headers={"HX-Request": "true", "HX-Trigger": "filters"}
    )
    page = answer.content.decode()
    assert page.lstrip().startswith('<div class="results" id="results"')
    assert answer.headers["HX-Push-Url"] == "/deployments?search=one"
    assert 'hx-swap-oob="innerHTML">1 deployment found</p>' in page
    assert "HX-Request" in answer.headers["Vary"]


def test_a_list_that_polls_says_nothing_and_moves_no_address(
    viewer: Client, launch: Launch
) -> None:
    launch("one")
    answer = viewer.get("/deployments", headers={"HX-Request": "true", "HX-Trigger": "results"})
    assert "HX-Push-Url" not in answer.headers
    assert "announcement" not in answer.content.decode()
    assert names_in(answer.content.decode()) == ["one"]
