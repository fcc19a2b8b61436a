"""What every page has in common: who may come in, headers, errors, links that work."""

import json
import re
from datetime import timedelta
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from console import errors
from deployments.models import Cluster


class Links(HTMLParser):
    """Collects where a page leads, what it loads, and whatever a strict CSP would block."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.hrefs: list[str] = []
        self.inline: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.hrefs += [str(given[name]) for name in ("href", "src") if given.get(name)]
        self.inline += [name for name in given if name.startswith("on") or name == "style"]
        self.inline += [tag] * (tag in {"style", "script"} and "src" not in given)


def test_no_action_ends_in_an_ellipsis() -> None:
    """Most ask again before they do anything, so that the mark would tell nothing."""
    folder = settings.BASE_DIR / "console" / "templates"
    pages = [
        path for path in folder.rglob("*.html") if re.search(r"…\s*</(a|button)>", path.read_text())
    ]
    assert pages == []


def test_nobody_is_sent_to_sign_in_and_a_stranger_finds_nothing(
    anonymous: Client, stranger: Client
) -> None:
    assert anonymous.get("/deployments").status_code == 302
    assert stranger.get("/deployments").status_code == 404


def test_the_root_leads_to_the_deployments(viewer: Client) -> None:
    assert viewer.get("/").headers["Location"] == "/deployments"


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/sign-in", "/nothing/here"])
def test_pages_for_everybody_ask_the_database_nothing(
    anonymous: Client, path: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        anonymous.get(path)


def test_no_page_has_anything_inline_or_from_another_host(
    anonymous: Client, viewer: Client
) -> None:
    for client, path in ((anonymous, "/sign-in"), (viewer, "/deployments"), (anonymous, "/none")):
        links = Links(client.get(path).content.decode())
        assert links.inline == []
        assert [href for href in links.hrefs if not href.startswith(("/", "#", "?"))] == []


def test_every_link_of_the_frame_works(curator: Client) -> None:
    links = Links(curator.get("/deployments").content.decode())
    pages = {href for href in links.hrefs if href.startswith("/") and "/static/" not in href}
    assert "/deployments" in pages
    assert {href: curator.get(href).status_code for href in pages} == dict.fromkeys(pages, 200)


def test_the_place_one_is_at_is_marked(viewer: Client) -> None:
    page = viewer.get("/deployments").content.decode()
    assert re.search(r'href="/deployments" aria-current="page"', page)


def counted(name: str, *, reachable: bool = True, **free: int) -> Cluster:
    """Make a cluster with eight accelerators of each type, so many of them free."""
    types = [
        {"type": of, "resource": of, "total": 8, "free": left, "largest_free_on_one_node": left}
        for of, left in free.items()
    ]
    now = timezone.now()
    return Cluster.objects.create(
        name=name,
        reachable=reachable,
        last_seen_at=now,
        capacity={"observed_at": now.isoformat(), "accelerators": types},
        capacity_at=now - timedelta(minutes=2),
    )


def free_told(page: str) -> list[str]:
    """Return what the frame says of each cluster, from the first of its two copies."""
    _, _, rest = page.partition('aria-label="Free accelerators"')
    lines = re.findall("<li.*?</li>", rest.partition("</section>")[0])
    return [" ".join(re.sub("<[^>]+>", " ", line).split()) for line in lines]


def test_the_frame_says_what_is_free_on_each_cluster_and_since_when(viewer: Client) -> None:
    counted("fra", H100=5, L40S=4)
    counted("pdx", reachable=False, A100=8)
    Cluster.objects.create(name="new")
    assert free_told(viewer.get("/models").content.decode()) == [
        "fra 9 of 16 H100, L40S, counted 2 min ago",
        "new not counted Not asked yet",
        "pdx 8 of 8 A100, does not answer",
    ]


def test_the_frame_tells_of_a_few_clusters_and_where_the_others_are(viewer: Client) -> None:
    for number in range(7):
        counted(f"cluster-{number}", H100=1)
    page = viewer.get("/models").content.decode()
    assert len(free_told(page)) == 5
    assert '<a class="sub" href="/clusters">and 2 more</a>' in page


def test_a_frame_without_clusters_says_nothing_of_them(viewer: Client) -> None:
    Cluster.objects.create(name="off", enabled=False)
    assert "Free accelerators" not in viewer.get("/models").content.decode()


def test_a_viewer_is_not_shown_the_way_to_curation(viewer: Client, curator: Client) -> None:
    assert "/admin/" not in viewer.get("/deployments").content.decode()
    assert "/admin/" in curator.get("/deployments").content.decode()


def test_the_content_security_policy_allows_nothing_but_our_own(anonymous: Client) -> None:
    policy = anonymous.get("/nothing").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_an_answer_names_its_request_and_keeps_a_harmless_id(anonymous: Client) -> None:
    assert re.fullmatch(r"[0-9a-f]{16}", anonymous.get("/sign-in").headers["X-Request-ID"])
    kept = anonymous.get("/sign-in", headers={"X-Request-ID": "proxy-12345"})
    assert kept.headers["X-Request-ID"] == "proxy-12345"
    forged = anonymous.get("/sign-in", headers={"X-Request-ID": "a b\nc: d" * 20})
    assert re.fullmatch(r"[0-9a-f]{16}", forged.headers["X-Request-ID"])


@pytest.mark.parametrize(
    ("path", "kind"), [("/api/nothing", "application/json"), ("/x", "text/html")]
)
def test_what_is_not_there_is_told_in_the_language_of_the_caller(
    anonymous: Client, path: str, kind: str
) -> None:
    answer = anonymous.get(path)
    assert (answer.status_code, answer.headers["Content-Type"].split(";")[0]) == (404, kind)


@pytest.mark.parametrize(("path", "kind"), [("/api/v1/x", "application/json"), ("/x", "text/html")])
def test_an_unknown_host_gets_400_in_the_language_of_the_caller(
    anonymous: Client, path: str, kind: str
) -> None:
    answer = anonymous.get(path, headers={"Host": "evil.example"})
    assert (answer.status_code, answer.headers["Content-Type"].split(";")[0]) == (400, kind)


def test_errors_of_the_api_have_its_shape() -> None:
    answer = errors.server_error(RequestFactory().get("/api/v1/models"))
    assert answer.status_code == 500
    assert b'"code": "internal_error"' in answer.content
    assert b'"fields": {}' in answer.content


def test_a_page_that_only_begins_like_the_api_is_still_a_page() -> None:
    answer = errors.not_found(RequestFactory().get("/apiary"), Exception())
    assert answer.headers["Content-Type"].startswith("text/html")


def test_every_page_brings_its_scripts_from_here_and_forbids_them_to_evaluate(
    viewer: Client,
) -> None:
    page = viewer.get("/deployments").content.decode()
    scripts = re.findall(r'<script src="([^"]+)" defer></script>', page)
    assert [name.rpartition("/")[2] for name in scripts] == [
        "htmx-2.min.js",
        "polling.js",
        "copy.js",
    ]
    config = json.loads(unescape(re.findall(r"htmx-config\" content='([^']+)'", page)[0]))
    assert (config["allowEval"], config["includeIndicatorStyles"]) == (False, False)
    assert {"code": "422", "swap": True} in config["responseHandling"]


def test_our_own_scripts_stay_under_a_hundred_lines() -> None:
    scripts = Path(settings.BASE_DIR, "static/js").glob("*.js")
    assert 0 < sum(len(script.read_text().splitlines()) for script in scripts) < 100
