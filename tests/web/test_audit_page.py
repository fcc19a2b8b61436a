"""The audit trail in the browser: for admins, one line for each act, narrowed by its address."""

from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from deployments.models import AuditEntry
from deployments.services.auditing import Act, Outcome, record_audit, record_finish
from deployments.services.tracing import traced

EVIL = "<script>alert(1)</script>"


@pytest.fixture
def act(person: Callable[..., User]) -> Callable[..., AuditEntry]:
    """Write the beginning of an act, or all of it, as olga."""
    olga = person("olga", "deployer")

    def make(action: str = "deployment.delete", **fields: Any) -> AuditEntry:
        told: dict[str, Any] = {
            "action": action,
            "object_type": "deployment",
            "object_id": "6ba7b810-9dad-41d1-80b4-00c04fd430c8",
            "object_name": "support-chat",
            "outcome": Outcome.ACCEPTED,
            **fields,
        }
        return record_audit(Act(**told), actor=olga)

    return make


def page_of(client: Client, query: str = "", **headers: str) -> str:
    answer = client.get(f"/audit{query}", headers=headers)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def test_both_ends_of_an_act_are_one_line_that_opens_to_both(
    admin: Client, act: Callable[..., AuditEntry]
) -> None:
    act(operation_id="op-1", reason="no longer used", before={"a": 1}, after={"a": 2})
    with traced():
        record_finish("op-1", outcome=Outcome.SUCCEEDED, message="all is gone")

    page = page_of(admin)
    assert page.count('<details class="act"') == 1
    assert "<b>olga</b>" in page
    assert "<b>Deletion</b>" in page
    assert "No longer used" in page
    assert "<b>done</b>" in page
    assert page.index("<b>Intended</b>") < page.index("<b>Finished</b>")
    assert "Reconciler" in page[page.index("<b>Finished</b>") :]
    assert "All is gone" in page
    assert "<del>1</del>" in page
    assert "<ins>2</ins>" in page


def test_what_has_not_ended_is_under_way(admin: Client, act: Callable[..., AuditEntry]) -> None:
    act(operation_id="op-1")
    page = page_of(admin)
    assert "<b>under way</b>" in page
    assert "Not finished yet" in page


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", {"Deletion", "Launch", "New cluster"}),
        ("?actor=olga", {"Deletion", "Launch", "New cluster"}),
        ("?actor=nobody", set()),
        ("?action=deployment.create", {"Launch"}),
        ("?object=math", {"Launch"}),
        ("?object=7", {"New cluster"}),
        ("?outcome=accepted", {"Deletion"}),
        ("?outcome=refused", {"Launch"}),
        ("?outcome=succeeded", {"New cluster"}),
        ("?source=reconciler", {"Launch"}),
        ("?source=command", {"Deletion", "Launch", "New cluster"}),
        ("?operation_id=op-2", {"Launch"}),
        ("?until=2020-01-01", set()),
        ("?since=2020-01-01", {"Deletion", "Launch", "New cluster"}),
    ],
)
def test_the_address_narrows_what_is_shown(
    admin: Client, act: Callable[..., AuditEntry], query: str, found: set[str]
) -> None:
    act(operation_id="op-1")
    act("deployment.create", operation_id="op-2", object_name="math-tutor")
    with traced():
        record_finish("op-2", outcome=Outcome.REFUSED)
    act(
        "cluster.create",
        object_type="cluster",
        object_id="7",
        object_name="lab",
        outcome=Outcome.SUCCEEDED,
    )

    page = page_of(admin, query)
    shown = {word for word in ("Deletion", "Launch", "New cluster") if f"<b>{word}</b>" in page}
    assert shown == found


def test_a_day_is_whole_at_both_of_its_ends(admin: Client, act: Callable[..., AuditEntry]) -> None:
    today = act().at.date()
    assert "<b>Deletion</b>" in page_of(admin, f"?since={today}&until={today}")
    yesterday = today - timedelta(days=1)
    assert "No act is like that" in page_of(admin, f"?until={yesterday}")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("?since=yesterday", "must be like 2026-11-30"),
        ("?since=\u0662\u0660\u0662\u0666-11-30", "must be like 2026-11-30"),
        ("?until=2026-02-31", '<a href="#until">To</a>: is no day that there is.'),
        ("?since=2026-12-02&until=2026-12-01", '<a href="#until">To</a>: is before “From”;'),
        ("?outcome=lost", "lost is not one of the available choices"),
        ("?source=lost", "<b>Origin</b>: "),
    ],
)
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_what_cannot_be_asked_is_said_and_nothing_is_shown_for_it(
    admin: Client,
    act: Callable[..., AuditEntry],
    query: str,
    said: str,
    headers: dict[str, str],
) -> None:
    act()
    answer = admin.get(f"/audit{query}", headers=headers)
    page = unescape(answer.content.decode())
    assert answer.status_code == 422
    assert said in page
    assert "<b>Deletion</b>" not in page


def test_a_fragment_has_the_results_alone_and_says_where_the_browser_stands(
    admin: Client, act: Callable[..., AuditEntry]
) -> None:
    act()
    answer = admin.get("/audit?actor=olga&action=", headers={"HX-Request": "true"})
    page = answer.content.decode()
    assert "<html" not in page
    assert "1 act found" in page
    assert answer.headers["HX-Push-Url"] == "/audit?actor=olga"


@pytest.mark.parametrize("count", [1, 200])
def test_a_page_takes_as_many_queries_however_much_there_is(
    admin: Client,
    act: Callable[..., AuditEntry],
    count: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(count):
        act(operation_id=f"op-{number}")
        record_finish(f"op-{number}", outcome=Outcome.SUCCEEDED)
    page_of(admin)
    # session, person, role; how many, beginnings, ends; the banner's cluster
    with django_assert_num_queries(7):
        page_of(admin)


def test_further_pages_keep_what_is_asked_for(
    admin: Client, act: Callable[..., AuditEntry]
) -> None:
    for _ in range(60):
        act()
    assert 'href="?actor=olga&page=2" rel="next"' in page_of(admin, "?actor=olga")
    assert "51–60 of 60" in page_of(admin, "?actor=olga&page=2")


@pytest.mark.parametrize("role", ["viewer", "owner", "curator", "stranger"])
def test_only_admins_come_here_and_are_led_here(request: pytest.FixtureRequest, role: str) -> None:
    client: Client = request.getfixturevalue(role)
    assert client.get("/audit").status_code == 404
    assert 'href="/audit"' not in client.get("/deployments").content.decode()


def test_an_admin_is_led_here(admin: Client) -> None:
    assert 'href="/audit"' in admin.get("/deployments").content.decode()


def test_words_of_any_origin_are_text_never_markup(
    admin: Client, act: Callable[..., AuditEntry]
) -> None:
    act(
        action=f"x.{EVIL}"[:60],
        object_name=EVIL,
        reason=EVIL,
        message=EVIL,
        before={EVIL: EVIL},
        after={EVIL: [EVIL]},
    )
    answer = admin.get(f"/audit?actor=olga&object={EVIL}")
    assert EVIL not in answer.content.decode()


def test_an_act_of_long_ago_is_still_there(admin: Client, act: Callable[..., AuditEntry]) -> None:
    entry = act()
    assert entry.at <= timezone.now()
    assert "<b>Deletion</b>" in page_of(admin, f"?since={entry.at.date() - timedelta(days=900)}")
