"""Several people change the same deployment at the same moment, and one deletes it meanwhile.

One edit of a revision is taken, and all others are told whose it was.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import Group, User

from deployments.models import Deployment
from tests.cluster.harness.api import Api
from tests.cluster.waiting import wait_for
from tests.processes.conftest import PEOPLE, Order
from tests.processes.console import Answer, Console
from tests.processes.launcher import ACCEPTED, CONFLICT, CREATED, OK, SETTLING_SECONDS
from tests.processes.world import faults_left, is_settled

ROUNDS = 6
NAME = "shared"

Call = Callable[[int], Answer]


@pytest.fixture
def busy(console: Console, order: Order) -> Console:
    """A console of two web processes and two workers for admins, and one deployment at rest."""
    for person in User.objects.all():
        person.groups.add(Group.objects.get_or_create(name="admin")[0])
    console.start_web(workers=2, threads=4)
    console.start_background(workers=2)
    assert console.call("POST", "deployments", order(NAME)).status == CREATED
    wait_for(is_settled, SETTLING_SECONDS, "the launch at rest", every=0.5)
    return console


def test_of_edits_of_one_revision_one_is_taken_and_the_others_are_told_whose(
    busy: Console, cluster_api: Api
) -> None:
    for number in range(1, ROUNDS + 1):
        answers = at_once(edit_of(busy, revision=number, round_=number))

        taken = [answer for answer in answers if answer.status == OK]
        refused = [answer for answer in answers if answer.status == CONFLICT]
        assert (len(taken), len(refused)) == (1, PEOPLE - 1), [a.status for a in answers]
        for answer in refused:
            assert answer.body["code"] == "conflict"
            assert [one["number"] for one in answer.body["revisions"]] == [number + 1]

    wait_for(is_settled, SETTLING_SECONDS, "everything at rest", every=0.5)
    assert Deployment.objects.get(name=NAME).revision == ROUNDS + 1
    assert faults_left(cluster_api, NAME) == []


def test_changes_and_a_deletion_at_once_end_in_nothing(busy: Console, cluster_api: Api) -> None:
    path = f"deployments/{Deployment.objects.get(name=NAME).pk}"

    def act(who: int) -> Answer:
        if who == PEOPLE - 1:
            return busy.call("DELETE", path, who=who)
        return busy.call("PATCH", path, {"redeploy": True}, who=who)

    answers = at_once(act)

    assert answers[-1].status in {OK, ACCEPTED}
    for answer in answers[:-1]:
        assert answer.status in {OK, CONFLICT}
        assert answer.status == OK or answer.body["code"] in {"conflict", "deleting", "closed"}
    wait_for(is_gone, SETTLING_SECONDS, "the deployment gone", every=0.5)
    assert faults_left(cluster_api, NAME) == []


def edit_of(console: Console, *, revision: int, round_: int) -> Call:
    """Return what lets each person set another number of replicas than anybody before."""
    path = f"deployments/{Deployment.objects.get(name=NAME).pk}"

    def edit(who: int) -> Answer:
        most = 2 + PEOPLE * round_ + who
        body = {"overrides": {"max_replicas": most}}
        return console.call("PATCH", path, body, who=who, headers={"If-Match": f'"{revision}"'})

    return edit


def at_once(act: Call) -> list[Answer]:
    """Let all people act at the same moment."""
    with ThreadPoolExecutor(PEOPLE) as pool:
        return list(pool.map(act, range(PEOPLE)))


def is_gone() -> bool:
    return Deployment.objects.get(name=NAME).is_closed
