"""What a change of an InferenceService does to what runs, told without asking a cluster."""

from providers.contract.changing import Effects, Running, Writes
from providers.contract.request import DeployRequest, Rollout
from providers.kserve.provider import provider
from providers.testing.samples import rescaled
from tests.unit.kserve.asking import SCALED, TARGET, asked, next_of


def effects_of(before: DeployRequest, after: DeployRequest, *, running: int = 1) -> Effects:
    return provider.effects(before, after, TARGET, capacity=None, running=Running(replicas=running))


def test_turning_the_autoscaler_on_restarts_nothing() -> None:
    request = asked()
    told = effects_of(request, rescaled(request, **SCALED))
    assert (told.writes, told.restarts, told.replaces_pods) == (Writes.SCALING, 0, False)


def test_starting_begins_where_it_was_stopped() -> None:
    stopped = asked({"min_replicas": 0})
    started = next_of(rescaled(stopped, **SCALED), resume_at=2)
    told = effects_of(stopped, started, running=0)
    assert (told.writes, told.replicas_after, told.restarts) == (Writes.SCALING, 2, 0)


def test_another_name_to_show_writes_nothing() -> None:
    request = asked()
    assert effects_of(request, next_of(request, name="Another")).writes is Writes.NOTHING


def test_another_rollout_is_written_and_restarts_nothing() -> None:
    request = asked()
    told = effects_of(request, next_of(request, rollout=Rollout.REPLACE))
    assert (told.writes, told.restarts) == (Writes.OBJECTS, 0)


def test_another_argument_replaces_every_pod_and_names_the_object() -> None:
    request = asked()
    told = effects_of(request, next_of(request, serving_name="another"))
    assert (told.writes, told.restarts, told.replaces_pods) == (Writes.OBJECTS, 1, True)
    assert [key.kind for key in told.objects] == ["InferenceService"]
