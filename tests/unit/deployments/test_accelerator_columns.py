"""What lists say of accelerators: all those of one replica, whatever roles it has."""

import pytest

from deployments.services.revision_columns import accelerator_columns
from providers.contract.template import parse_spec
from providers.testing.samples import spec_with

H100, L4, CPU = {"type": "H100", "count": 2}, {"type": "L4"}, {"type": "cpu"}
SGLANG = {"type": "sglang", "version": "0.5.3", "image": "docker.io/lmsysorg/sglang:v0.5.3"}


def roles(*accelerators: object, replicas: int = 1) -> dict[str, object]:
    named = [
        {"name": f"role-{number}", "accelerator": accelerator, "replicas": replicas}
        for number, accelerator in enumerate(accelerators)
    ]
    return {"kind": "disaggregated", "roles": named}


@pytest.mark.parametrize(
    ("topology", "said"),
    [
        ({"kind": "standard"}, (2, "H100")),
        ({"kind": "multi-node", "nodes": 3}, (6, "H100")),
        (roles(CPU, H100, L4, replicas=2), (6, "4 × H100 + 2 × L4")),
        (roles(L4, L4), (2, "L4")),
        (roles(L4, H100, L4), (4, "2 × L4 + 2 × H100")),
        (roles(CPU), (0, "H100")),
        (roles({"type": "A" * 40}, {"type": "B" * 40}), (2, "mixed")),
    ],
)
def test_all_of_one_replica_are_counted_and_several_types_each_by_itself(
    topology: object, said: tuple[int, str]
) -> None:
    spec = parse_spec(spec_with(engine=SGLANG, accelerator=H100, topology=topology))
    columns = accelerator_columns(spec)
    assert (columns["accelerator_count"], columns["accelerator_type"]) == said
