"""Names that leave room for what AIBrix's controllers and its webhook add to them."""

import pytest

from providers.contract.manifest import Manifest
from providers.stormservice.provider import provider
from providers.stormservice.roles import MAIN
from providers.testing.samples import AWKWARD_NAMES, make_request, spec_with
from tests.unit.stormservice.asking import SGLANG, TARGET, asked, nodes, roles

LONG = "a" * 200


def longest(topology: object) -> str:
    spec = spec_with(engine=SGLANG, topology=topology)
    return make_request(provider, name=LONG, spec=spec).runtime_name


@pytest.mark.parametrize(
    "topology", [{"kind": "standard"}, roles({"name": "prefill"}, {"name": "decode"})]
)
def test_a_revision_of_six_digits_fits_behind_it_into_a_label(topology: object) -> None:
    assert len(longest(topology)) == 56


def test_of_several_nodes_name_and_role_are_within_what_the_webhook_takes() -> None:
    assert len(longest(nodes(64))) + len(MAIN) == 27


@pytest.mark.parametrize("name", AWKWARD_NAMES)
def test_any_name_has_room_for_several_nodes(name: str) -> None:
    spec = spec_with(engine=SGLANG, topology=nodes(64), parallelism={"tp": 64})
    assert provider.validate(make_request(provider, name=name, spec=spec), TARGET) == ()


@pytest.mark.parametrize("topology", [{"kind": "standard"}, nodes()])
def test_the_selector_is_the_deployments_id_alone_which_no_other_object_keeps(
    topology: object,
) -> None:
    request = asked(topology=topology)
    spec: Manifest = provider.render(request, TARGET)[0]["spec"]
    assert spec["selector"] == {"matchLabels": {"slipway.dev/id": request.id}}
    assert spec["template"]["metadata"]["labels"]["slipway.dev/id"] == request.id


@pytest.mark.parametrize("topology", [{"kind": "standard"}, nodes(), roles({"name": "decode"})])
def test_every_number_of_replicas_is_given(topology: object) -> None:
    spec = provider.render(asked(topology=topology), TARGET)[0]["spec"]
    assert spec["replicas"] == 1
    assert [role["replicas"] for role in spec["template"]["spec"]["roles"]] == [1]
