"""What an implementation cannot carry is told by the field that asks for it."""

import pytest

from providers.contract.fitting import lack_of
from providers.contract.manifest import Manifest
from providers.contract.protocols import Capabilities
from providers.contract.template import parse_spec
from providers.testing.samples import spec_with

BY_FORMAT = {"serving_runtime": {"format": "vLLM"}}
WIDE = {"topology": {"kind": "multi-node", "nodes": 2}}
PLAIN = Capabilities()
RUNTIMES = Capabilities(serving_runtimes=True)
ALL = Capabilities(topologies=frozenset({"standard", "multi-node"}), serving_runtimes=True)


@pytest.mark.parametrize(
    ("able", "parts", "field"),
    [
        (PLAIN, {}, ""),
        (PLAIN, BY_FORMAT, "spec.serving_runtime"),
        (PLAIN, WIDE, "spec.topology.kind"),
        (RUNTIMES, BY_FORMAT, ""),
        (RUNTIMES, {**BY_FORMAT, **WIDE}, "spec.topology.kind"),
        (ALL, {**BY_FORMAT, **WIDE}, ""),
    ],
)
def test_what_cannot_be_carried_is_named_by_its_field(
    able: Capabilities, parts: Manifest, field: str
) -> None:
    lack = lack_of(able, parse_spec(spec_with(**parts)))
    assert (lack.field if lack else "") == field
