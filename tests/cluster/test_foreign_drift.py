"""What others put into values that AIBrix's and KServe's kinds take as one: told and put back."""

from copy import deepcopy

import pytest

from providers.contract.drifting import DriftedField
from providers.contract.manifest import Manifest
from providers.kube.clock import deadline_in
from providers.stormservice.provider import provider
from providers.testing.samples import make_request, ref_of
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.inference_services import Cast
from tests.cluster.launching import target_for
from tests.cluster.storms import SECONDS, SPECS, create, path_of

ROLES = "spec.template.spec.roles"
INTO_ROLES: Manifest = {
    "podGroupSize": 2,
    "stateful": True,
    "updateStrategy": {"maxSurge": 1},
    "upgradeOrder": 3,
}


class Storm:
    """One StormService with two roles, and what others do to it."""

    def __init__(self, plane: ControlPlane, namespace: str) -> None:
        self.api, self.target = plane.api, target_for(plane, namespace)
        self.request = make_request(provider, namespace=namespace, spec=SPECS["roles"])
        self.ref = ref_of(self.request, create(self.request, self.target))
        self.manifests = provider.render(self.request, self.target)

    def live(self) -> Manifest:
        return self.api.get(path_of(self.request))

    def meddle(self, spec: Manifest) -> None:
        self.api.merge(path_of(self.request), {"spec": spec}, fieldManager="kubectl-edit")

    def add_to_roles(self, **more: object) -> None:
        roles = deepcopy(self.live()["spec"]["template"]["spec"]["roles"])
        self.meddle({"template": {"spec": {"roles": [{**role, **more} for role in roles]}}})

    def drifted(self) -> tuple[DriftedField, ...]:
        until = deadline_in(SECONDS)
        return provider.drift(self.manifests, self.ref, self.target, deadline=until).fields

    def put_back(self) -> None:
        seen, until = {one.fingerprint for one in self.drifted()}, deadline_in(SECONDS)
        provider.put_back(self.manifests, self.ref, self.target, seen=seen, deadline=until)


@pytest.fixture
def storm(foreign_plane: ControlPlane, foreign_namespace: str) -> Storm:
    return Storm(foreign_plane, foreign_namespace)


@pytest.fixture
def cast(foreign_plane: ControlPlane, foreign_namespace: str) -> Cast:
    return Cast(foreign_plane, foreign_namespace)


def test_what_only_we_wrote_has_not_drifted_nor_what_was_filled_into_it(storm: Storm) -> None:
    assert storm.drifted() == ()


def test_what_an_autoscaler_fills_into_roles_that_it_writes_whole_is_no_drift(
    storm: Storm,
) -> None:
    storm.add_to_roles(disruptionTolerance={}, updateStrategy={})

    assert storm.live()["spec"]["template"]["spec"]["roles"][0]["updateStrategy"]
    assert storm.drifted() == ()


@pytest.mark.parametrize("name", sorted(INTO_ROLES))
def test_what_somebody_put_into_roles_is_told_and_put_back(storm: Storm, name: str) -> None:
    before = storm.live()["spec"]
    storm.add_to_roles(**{name: INTO_ROLES[name]})

    (found,) = storm.drifted()

    assert (found.path, found.holder.who) == (ROLES, "somebody with kubectl edit")
    assert name in found.theirs
    assert name not in found.ours
    storm.put_back()
    assert storm.live()["spec"] == before
    assert storm.drifted() == ()


def test_another_label_in_a_selector_is_told_and_put_back(storm: Storm) -> None:
    before = storm.live()["spec"]
    storm.meddle({"selector": {"matchLabels": {"zone": "a"}}})

    (found,) = storm.drifted()

    assert (found.path, found.theirs) == ("spec.selector.matchLabels.zone", "a")
    storm.put_back()
    assert storm.live()["spec"] == before
    assert storm.drifted() == ()


def test_what_somebody_put_into_a_container_of_a_predictor_is_told_and_put_back(
    cast: Cast,
) -> None:
    cast.launch(min_replicas=1)
    before = cast.plane.api.get(cast.path)["spec"]
    (container,) = before["predictor"]["containers"]
    assert cast.drifted() == ()
    cast.meddle({"spec": {"predictor": {"containers": [{**container, "tty": True}]}}})

    (found,) = cast.drifted()

    assert found.path.endswith(f"containers[name={container['name']}].tty")
    cast.put_back()
    assert cast.plane.api.get(cast.path)["spec"] == before
    assert cast.drifted() == ()
