"""A change of what replicas are made up of replaces them whole, as it is said before."""

from dataclasses import replace

import pytest

from providers.contract.changing import Running
from providers.contract.request import DeployRequest
from providers.stormservice.provider import provider
from providers.testing.samples import make_request, spec_with
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import target_for
from tests.cluster.storms import (
    SECONDS,
    SGLANG,
    create,
    roles,
    roles_by_pod,
    update,
    wait_until_ready,
)
from tests.cluster.waiting import wait_for

PAIR, THREE = roles(prefill=1, decode=1), roles(prefill=1, decode=1, routing=1)


def request_of(namespace: str, topology: dict[str, object], id_: str = "") -> DeployRequest:
    spec = spec_with(engine=SGLANG, topology=topology)
    return make_request(provider, namespace=namespace, spec=spec, deployment_id=id_)


@pytest.mark.parametrize(
    ("before", "after", "left"),
    [
        (THREE, PAIR, ["decode", "prefill"]),
        (PAIR, roles(decode=1), ["decode"]),
        (roles(decode=1), PAIR, ["decode", "prefill"]),
        ({"kind": "standard"}, {"kind": "multi-node", "nodes": 2}, ["main", "main"]),
    ],
    ids=["one role less", "one role left", "one role more", "several nodes"],
)
def test_no_pod_of_before_is_left_and_none_of_a_role_that_went(
    foreign_plane: ControlPlane,
    foreign_namespace: str,
    before: dict[str, object],
    after: dict[str, object],
    left: list[str],
) -> None:
    target = target_for(foreign_plane, foreign_namespace)
    first = request_of(foreign_namespace, before)
    applied = create(first, target)
    wait_until_ready(first, applied, target)
    old = roles_by_pod(foreign_plane.api, foreign_namespace)

    shaped = request_of(foreign_namespace, after, first.id)
    second = replace(shaped, runtime_name=first.runtime_name, revision=2)
    told = provider.effects(first, second, target, capacity=None, running=Running(replicas=1))
    changed = update(second, applied, target)

    def is_out() -> bool:
        pods = roles_by_pod(foreign_plane.api, foreign_namespace)
        return not pods.keys() & old.keys() and sorted(pods.values()) == left

    wait_for(is_out, SECONDS, "the pods of before are gone")
    wait_until_ready(second, changed, target)
    assert told.restarts == 1
