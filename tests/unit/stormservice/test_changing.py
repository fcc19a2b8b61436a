"""What a change of a StormService restarts is told before: whole replicas, or nothing."""

from datetime import UTC, datetime

import pytest

from providers.contract.capacity import AcceleratorCapacity, Capacity
from providers.contract.changing import Effects, Running, Writes
from providers.contract.request import DeployRequest, Rollout
from providers.stormservice.provider import provider
from providers.testing.samples import rescaled
from tests.unit.stormservice.asking import SGLANG, TARGET, asked, next_of, nodes, roles

H100 = {"type": "H100", "count": 4}
PAIR = roles({"name": "prefill", "accelerator": H100}, {"name": "decode", "accelerator": H100})


def effects_of(
    before: DeployRequest, after: DeployRequest, running: int = 1, outdated: int = 0
) -> Effects:
    runs = Running(replicas=running, outdated=outdated)
    return provider.effects(before, after, TARGET, capacity=None, running=runs)


def counted(free: int, on_one_node: int) -> Capacity:
    found = AcceleratorCapacity(
        type="H100",
        resource="nvidia.com/gpu",
        total=64,
        free=free,
        largest_free_on_one_node=on_one_node,
    )
    return Capacity(observed_at=datetime(2026, 1, 1, tzinfo=UTC), accelerators=(found,))


@pytest.mark.parametrize("topology", [{"kind": "standard"}, nodes(), PAIR])
def test_more_replicas_are_scaling_and_restart_nothing(topology: object) -> None:
    request = asked(topology=topology)
    told = effects_of(request, rescaled(request, min_replicas=3))
    assert (told.writes, told.restarts, told.replicas_after) == (Writes.SCALING, 0, 3)


def test_another_argument_replaces_whole_replicas() -> None:
    request = asked({"min_replicas": 2})
    told = effects_of(request, next_of(request, restart="again"), running=2)
    assert (told.restarts, told.surge, told.fewest_ready) == (2, 1, 2)


TWICE = roles({"name": "prefill"}, {"name": "decode", "replicas": 2})
ONCE = roles({"name": "prefill"}, {"name": "decode"})


def test_more_replicas_of_a_role_restart_nothing() -> None:
    told = effects_of(asked(topology=ONCE), next_of(asked(topology=TWICE)))
    assert (told.writes, told.restarts, told.replaces_pods) == (Writes.OBJECTS, 0, False)


def test_more_replicas_of_a_role_replace_the_whole_while_its_number_changes_hands() -> None:
    metric = {"metric": {"type": "pods", "name": "queue", "target": 5}}
    scaled = {"min_replicas": 1, "max_replicas": 3, "enable_auto_scaling": True}
    after = next_of(asked(scaled, topology=TWICE, scaling_defaults=metric))
    assert effects_of(asked(topology=ONCE), after).restarts == 1


def test_more_replicas_of_a_role_replace_the_whole_while_another_change_is_on_its_way() -> None:
    scaled = {"min_replicas": 3}
    before, after = (asked(scaled, topology=one) for one in (ONCE, TWICE))
    assert effects_of(before, next_of(after), running=3, outdated=1).restarts == 3


@pytest.mark.parametrize("replicas", [1, 3])
def test_another_number_of_the_only_role_restarts_nothing(replicas: int) -> None:
    before = asked(topology=roles({"name": "decode", "replicas": 2}))
    after = asked(topology=roles({"name": "decode", "replicas": replicas}))
    assert effects_of(before, next_of(after)).restarts == 0


def test_a_role_that_becomes_all_that_there_is_replaces_the_whole_where_it_had_more_pods() -> None:
    cpu = {"accelerator": {"type": "cpu"}, "engine": SGLANG}
    before = asked(topology=roles({"name": "main", "replicas": 3}), **cpu)
    assert effects_of(before, next_of(asked(topology=BASE, **cpu))).restarts == 1


def test_another_role_replaces_the_whole() -> None:
    after = roles({"name": "prefill"}, {"name": "decode"}, {"name": "routing"})
    assert effects_of(asked(topology=ONCE), next_of(asked(topology=after))).restarts == 1


BASE = {"kind": "standard"}
THREE = roles({"name": "prefill"}, {"name": "decode"}, {"name": "routing"})


@pytest.mark.parametrize(
    ("before", "after"), [(THREE, ONCE), (ONCE, BASE), (BASE, nodes()), (nodes(2), nodes(3))]
)
def test_fewer_roles_and_another_shape_replace_the_whole(before: object, after: object) -> None:
    old, new = (asked({"min_replicas": 2}, topology=one) for one in (before, after))
    told = effects_of(old, next_of(new), running=2)
    assert (told.replaces_pods, told.restarts) == (True, 2)


@pytest.mark.parametrize(
    ("before", "after"), [(BASE, nodes()), (nodes(), BASE), (ONCE, THREE), (BASE, ONCE)]
)
def test_another_shape_of_what_answers_leaves_clients_without_until_the_first_is_ready(
    before: object, after: object
) -> None:
    old, new = (asked({"min_replicas": 2}, topology=one) for one in (before, after))
    told = effects_of(old, next_of(new), running=2)
    assert (told.surge, told.fewest_ready, told.has_downtime) == (1, 0, True)


@pytest.mark.parametrize(("before", "after"), [(nodes(2), nodes(3)), (THREE, THREE)])
def test_another_shape_of_what_does_not_answer_leaves_clients_to_those_of_before(
    before: object, after: object
) -> None:
    old, new = (asked({"min_replicas": 2}, topology=one) for one in (before, after))
    told = effects_of(old, next_of(new, restart="again"), running=2)
    assert (told.fewest_ready, told.has_downtime) == (2, False)


@pytest.mark.parametrize("topology", [BASE, nodes(), ONCE])
def test_another_image_replaces_the_whole(topology: object) -> None:
    engine = {**SGLANG, "image": "docker.io/lmsysorg/sglang:v0.5.4"}
    told = effects_of(
        asked(topology=topology, engine=SGLANG), next_of(asked(topology=topology, engine=engine))
    )
    assert (told.writes, told.restarts) == (Writes.OBJECTS, 1)


@pytest.mark.parametrize(
    ("free", "on_one_node", "expected"),
    [
        (8, 8, Rollout.SURGE),
        (8, 4, Rollout.SURGE),
        (7, 4, Rollout.REPLACE),
        (8, 3, Rollout.REPLACE),
    ],
)
def test_a_surge_needs_accelerators_for_every_pod_of_a_replica(
    free: int, on_one_node: int, expected: Rollout
) -> None:
    request = asked(topology=PAIR)
    chosen = provider.resolve_rollout(
        "auto",
        request.spec,
        TARGET,
        namespace="models",
        scaling=request.scaling,
        capacity=counted(free, on_one_node),
    )
    assert chosen is expected


def test_nobody_having_counted_is_no_reason_to_go_without_a_replica() -> None:
    request = asked(topology=PAIR)
    chosen = provider.resolve_rollout(
        "auto",
        request.spec,
        TARGET,
        namespace="models",
        scaling=request.scaling,
        capacity=None,
    )
    assert chosen is Rollout.SURGE
