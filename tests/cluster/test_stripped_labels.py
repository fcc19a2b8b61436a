"""A workload that somebody took our labels off: known by its uid, put back, deleted anyway."""

from dataclasses import replace

import pytest

from providers.contract.errors import Rejected
from providers.contract.request import Intent
from providers.contract.status import Phase
from providers.kube.clock import deadline_in
from providers.kubernetes.provider import KubernetesProvider
from providers.stormservice.provider import StormServiceProvider
from providers.testing.samples import make_request, ref_of
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import target_for
from tests.cluster.waiting import wait_for

SECONDS = 90.0
KEEP = "example.com/keep"


@pytest.mark.parametrize("maker", [KubernetesProvider, StormServiceProvider])
def test_it_is_told_as_changed_outside_and_changed_again_once_that_is_put_back(
    foreign_plane: ControlPlane,
    foreign_namespace: str,
    maker: type[KubernetesProvider | StormServiceProvider],
) -> None:
    provider = maker()
    api, kind = foreign_plane.api, provider.carrier.workload.resource
    target = target_for(foreign_plane, foreign_namespace)
    request = make_request(provider, namespace=foreign_namespace)
    ref = ref_of(request, provider.create(request, target, deadline=deadline_in(60)))
    wait_for(
        lambda: provider.get(ref, target, deadline=deadline_in(60)).status.phase is Phase.READY,
        SECONDS,
        "it is ready",
    )
    path = kind.item(request.runtime_name, foreign_namespace)
    labels = api.get(path)["metadata"]["labels"]
    api.merge(path, {"metadata": {"labels": dict.fromkeys(labels)}})

    status = provider.get(ref, target, deadline=deadline_in(60)).status
    told = [note.message for note in status.notes if note.reason == "ChangedOutside"]
    assert (status.phase, told) == (
        Phase.READY,
        ["metadata.labels was changed outside of Slipway"],
    )
    with pytest.raises(Rejected, match="put them back first"):
        provider.update(request, ref, target, deadline=deadline_in(60))

    manifests = provider.render(request, target)
    drift = provider.drift(manifests, ref, target, deadline=deadline_in(60))
    seen = {field.fingerprint for field in drift.fields}
    put = provider.put_back(manifests, ref, target, seen=seen, deadline=deadline_in(60))
    assert put.left == ()
    assert api.get(path)["metadata"]["labels"] == labels
    provider.update(request, ref, target, deadline=deadline_in(60))
    provider.delete(ref, target, deadline=deadline_in(60))


@pytest.mark.parametrize("maker", [KubernetesProvider, StormServiceProvider])
def test_it_is_told_beforehand_deleted_and_waited_for(
    foreign_plane: ControlPlane,
    foreign_namespace: str,
    maker: type[KubernetesProvider | StormServiceProvider],
) -> None:
    provider = maker()
    api, kind = foreign_plane.api, provider.carrier.workload.resource
    target = target_for(foreign_plane, foreign_namespace)
    request = make_request(provider, namespace=foreign_namespace)
    ref = ref_of(request, provider.create(request, target, deadline=deadline_in(60)))
    wait_for(
        lambda: provider.get(ref, target, deadline=deadline_in(60)).status.ready_replicas == 1,
        SECONDS,
        "it is ready",
    )
    path = kind.item(request.runtime_name, foreign_namespace)
    metadata = api.get(path)["metadata"]
    finalizers = [*metadata.get("finalizers", ()), KEEP]
    stripped = {"labels": dict.fromkeys(metadata["labels"]), "finalizers": finalizers}
    api.merge(path, {"metadata": stripped})

    going = provider.what_goes(ref, target, deadline=deadline_in(60))
    assert kind.kind in {one.object.kind for one in going.objects}
    told = provider.delete(ref, target, deadline=deadline_in(60))
    assert (told.gone, told.waiting_for[0].object.kind) == (False, kind.kind)
    pods = namespaced(foreign_namespace, "pods")
    wait_for(lambda: not api.get(pods)["items"], SECONDS, "its pods are gone")
    held = provider.delete(ref, target, deadline=deadline_in(60)).waiting_for[0]
    assert (held.object.kind, KEEP in held.finalizers) == (kind.kind, True)
    asked = replace(ref, intent=Intent.DELETED)
    seen = provider.get(asked, target, deadline=deadline_in(60)).status
    assert (seen.phase, seen.closed) == (Phase.DELETING, False)

    wait_for(lambda: api.get(path)["metadata"]["finalizers"] == [KEEP], SECONDS, "it is last")
    api.merge(path, {"metadata": {"finalizers": None}})
    wait_for(
        lambda: provider.delete(ref, target, deadline=deadline_in(60)).gone, SECONDS, "all is gone"
    )
    assert api.find(path) is None
    assert provider.get(asked, target, deadline=deadline_in(60)).status.closed
