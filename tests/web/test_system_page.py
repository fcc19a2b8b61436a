"""The console's own parts in words, for admins and for nobody else."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from console.health.parts import DATABASE, QUEUE, RECONCILER, Health, Part, State
from console.web.shown.system import show_implementations, show_system
from deployments.figures import read_figures
from deployments.models import Cluster
from deployments.services.heartbeat import WATCHING, beat
from providers import registry

NOW = timezone.now()


def text(client: Client) -> str:
    answer = client.get("/system")
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def test_it_is_there_for_admins_only(
    anonymous: Client, viewer: Client, curator: Client, admin: Client
) -> None:
    assert anonymous.get("/system").status_code == 302
    assert [one.get("/system").status_code for one in (viewer, curator)] == [404, 404]
    assert 'href="/system"' in text(admin)
    assert 'href="/system"' not in viewer.get("/clusters").content.decode()


def test_every_part_is_there_with_a_word_and_a_sentence(admin: Client) -> None:
    page = text(admin)
    for words in ("Database", "The database answers.", "Queue", "Cache", "Background work"):
        assert words in page


@pytest.mark.django_db(transaction=True)
def test_a_watcher_stands_among_the_parts_once_it_was_seen_to_act(admin: Client) -> None:
    assert "Watcher" not in text(admin)
    beat(WATCHING)
    page = text(admin)
    assert "<dt>Watcher</dt>" in page
    assert re.search(r"The watcher acted \d+ s ago\.", page)


def test_polling_answers_the_fragment_alone(admin: Client) -> None:
    answer = admin.get("/system", headers={"HX-Request": "true"}).content.decode()
    assert answer.strip().startswith('<div id="system"')


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("failed", "wait", "said"),
    [
        (0, None, "none"),
        (1, timedelta(seconds=40), "1 pass in a row; the next try comes in 40 s"),
        (4, timedelta(seconds=-5), "4 passes in a row; the next try is due"),
    ],
)
def test_a_cluster_says_when_it_is_tried_again(
    failed: int, wait: timedelta | None, said: str
) -> None:
    Cluster.objects.create(
        name="harbour",
        failed_passes=failed,
        next_try_at=NOW + wait if wait else None,
        last_pass_at=NOW - timedelta(minutes=3),
    )
    (row,) = show_system(Health(parts=()), read_figures(), now=NOW).clusters
    assert (row.refreshed, row.failures) == ("3 min ago", said)


@pytest.mark.django_db
def test_a_state_is_a_word_and_an_icon_and_never_a_tone_alone() -> None:
    states = {DATABASE: State.OK, RECONCILER: State.LATE, QUEUE: State.DOWN}
    parts = tuple(
        Part(name=name, state=state, sentence="So it is.") for name, state in states.items()
    )
    shown = show_system(Health(parts=parts), read_figures(), now=NOW).parts
    assert [part.look.word for part in shown] == ["Well", "Late", "Down"]
    assert len({part.look.icon for part in shown}) == 3


def test_a_provider_that_cannot_be_used_is_there_with_the_cause(
    admin: Client, settings: LazySettings
) -> None:
    settings.SLIPWAY_PROVIDERS = ["providers.kubernetes", "providers.nowhere"]
    registry.forget()
    page = text(admin)
    registry.forget()
    assert "<dt>Kubernetes Deployment</dt>" in page
    assert "<dt>providers.nowhere</dt>" in page
    assert "Not available: ModuleNotFoundError: No module named 'providers.nowhere'" in page


def test_a_kind_that_could_not_be_read_is_not_called_well_and_says_why(admin: Client) -> None:
    why = "the implementation k8s-deployment failed at list (RuntimeError)"
    missed = {"k8s-deployment": {"why": why, "read_at": ""}}
    Cluster.objects.create(name="harbour", last_pass_at=NOW, unread_kinds=missed)
    page = text(admin)
    assert "<b>Not read</b></span> <span>k8s-deployment, which could not be read on harbour" in page
    assert f"k8s-deployment could not be read: {why}" in page


def test_a_kind_that_no_provider_carries_any_more_is_there_with_how_many_it_has() -> None:
    shown = show_implementations({}, {}, {"gone": 1, "lost": 3})
    assert [row.label for row in shown] == ["gone", "lost"]
    assert shown[0].sentence.startswith("1 deployment is of this kind, and no provider")
    assert shown[1].sentence.startswith("3 deployments are of this kind")
