"""A key answers the second request as the first; it is freed by a refusal and ends after a day."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from deployments.exceptions import InvalidOrder, KeyInProgress, KeyReused
from deployments.models import IdempotencyKey
from deployments.services.idempotency import (
    Begun,
    Replay,
    begin_request,
    finish_request,
    forget_expired_keys,
    free_request,
)

BODY = {"name": "demo", "overrides": {"min_replicas": 1}}


def begun(user: User, key: str = "k1", body: object = BODY) -> Begun:
    first = begin_request(user, key=key, body=body)
    assert isinstance(first, Begun)
    return first


def test_a_replay_answers_what_the_first_did(owner: User) -> None:
    finish_request(begun(owner), status=201, body={"id": "x"})

    same_body = {"overrides": {"min_replicas": 1}, "name": "demo"}
    assert begin_request(owner, key="k1", body=same_body) == Replay(status=201, body={"id": "x"})


def test_a_key_whose_first_request_still_runs_is_in_progress(owner: User) -> None:
    begun(owner)

    with pytest.raises(KeyInProgress) as conflict:
        begin_request(owner, key="k1", body=BODY)
    assert conflict.value.code == "in_progress"


def test_a_key_with_another_body_is_a_conflict(owner: User) -> None:
    finish_request(begun(owner), status=201, body={})

    with pytest.raises(KeyReused):
        begin_request(owner, key="k1", body={"name": "other"})


def test_a_refusal_frees_the_key(owner: User) -> None:
    free_request(begun(owner))

    assert begun(owner, body={"name": "corrected"})


def test_keys_belong_to_one_person(owner: User, member: User) -> None:
    assert begun(owner).row_id != begun(member).row_id


def test_a_key_is_good_for_a_day(owner: User) -> None:
    finish_request(begun(owner), status=201, body={})
    IdempotencyKey.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    assert begun(owner, body={"name": "other"})


def test_expired_keys_are_forgotten(owner: User) -> None:
    begun(owner, "old")
    IdempotencyKey.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    begun(owner, "new")

    assert forget_expired_keys() == 1
    assert IdempotencyKey.objects.get().key == "new"


def test_a_request_whose_process_died_goes_on_with_the_same_deployment_id(owner: User) -> None:
    dead = begun(owner)
    IdempotencyKey.objects.update(taken_until=timezone.now() - timedelta(seconds=1))

    heir = begun(owner)
    assert heir.deployment_id == dead.deployment_id
    finish_request(dead, status=500, body={})
    free_request(dead)
    with pytest.raises(KeyInProgress):
        begin_request(owner, key="k1", body=BODY)


@pytest.mark.parametrize("key", ["", "  ", "x" * 201, "line\nbreak", "nul\0"])
def test_an_impossible_key_is_refused(owner: User, key: str) -> None:
    with pytest.raises(InvalidOrder, match="Idempotency-Key"):
        begin_request(owner, key=key, body=BODY)
