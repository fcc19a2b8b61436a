"""Which implementation carries a launch that names none."""

from collections.abc import Callable

import pytest
from django.conf import LazySettings

from deployments.exceptions import InvalidOrder
from deployments.models import Deployment
from deployments.services.choosing import choose_provider
from deployments.services.orders import LaunchOrder
from providers import registry
from providers.contract.template import parse_spec
from providers.testing.samples import spec_with

MakeOrder = Callable[..., LaunchOrder]
MakeTemplate = Callable[..., object]

USUAL, STORM, KSERVE = "providers.kubernetes", "providers.stormservice", "providers.kserve"
ONLY_STORM = {"compatibility": {"implementation_kinds": ["stormservice"]}}
NODES = {
    "topology": {"kind": "multi-node", "nodes": 2},
    "engine": {"type": "vllm", "version": "0.19.0", "image": "vllm/vllm-openai:v0.19.0"},
    "accelerator": {"type": "H100", "count": 1},
    "parallelism": {"pp": 2},
}


@pytest.fixture
def chosen(order: MakeOrder, settings: LazySettings) -> Callable[..., str]:
    """Return which kind an order without one gets, by what the setting names."""

    def choose(names: list[str], parts: dict[str, object]) -> str:
        settings.SLIPWAY_PROVIDERS = names
        registry.forget()
        unnamed = order(implementation={})
        return choose_provider(unnamed, parse_spec(spec_with(**parts))).kind

    return choose


@pytest.mark.parametrize(
    ("names", "parts", "kind"),
    [
        ([STORM, KSERVE, USUAL], {}, "k8s-deployment"),
        ([USUAL, STORM, KSERVE], ONLY_STORM, "stormservice"),
        ([USUAL, STORM, KSERVE], NODES, "stormservice"),
        ([STORM], {}, "stormservice"),
        ([STORM, "providers.not_there"], {}, "stormservice"),
        (
            [STORM, KSERVE],
            {"compatibility": {"implementation_kinds": ["aibrix"]}},
            "stormservice",
        ),
    ],
)
def test_the_usual_kind_is_taken_or_else_the_only_one_that_fits(
    chosen: Callable[..., str], names: list[str], parts: dict[str, object], kind: str
) -> None:
    assert chosen(names, parts) == kind


@pytest.mark.parametrize(
    ("names", "parts", "told"),
    [
        ([STORM, KSERVE], {}, "is required: name one of stormservice, kserve-inferenceservice"),
        (
            [KSERVE],
            ONLY_STORM,
            "can carry it: the template does not allow kserve-inferenceservice; it allows storm",
        ),
        ([USUAL], NODES, "k8s-deployment cannot run a multi-node topology"),
        ([], {}, "no implementation is available here; an admin names them in SLIPWAY_PROVIDERS"),
    ],
)
def test_where_not_exactly_one_fits_the_field_and_the_kinds_are_told(
    chosen: Callable[..., str], names: list[str], parts: dict[str, object], told: str
) -> None:
    with pytest.raises(InvalidOrder) as refusal:
        chosen(names, parts)
    [[path, [text]]] = refusal.value.fields.items()
    assert path == "implementation.kind"
    assert told in text


def test_a_launch_without_a_kind_runs_on_the_only_one(launch: Callable[..., Deployment]) -> None:
    assert launch(implementation={}).kind == "memory"
