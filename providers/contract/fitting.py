"""Whether an implementation can carry a template, by what it says that it can."""

from dataclasses import dataclass

from providers.contract.protocols import Capabilities, Provider
from providers.contract.template import TemplateSpec


@dataclass(frozen=True, kw_only=True, slots=True)
class Lack:
    """What an implementation cannot run: the field that asks for it, and a word for it."""

    field: str
    what: str


def can_carry(provider: Provider, spec: TemplateSpec) -> bool:
    """Tell whether a template allows an implementation that can run all of it."""
    allowed = any(spec.allows_kind(kind) for kind in (provider.kind, *provider.aliases))
    return allowed and lack_of(provider.capabilities, spec) is None


def lack_of(able: Capabilities, spec: TemplateSpec) -> Lack | None:
    """Return what of a template cannot be carried, None when all can.

    A model by its format leaves image and command to a serving runtime of the cluster.
    """
    if spec.topology.kind not in able.topologies:
        return Lack(field="spec.topology.kind", what=f"a {spec.topology.kind} topology")
    if spec.serving_runtime and not able.serving_runtimes:
        return Lack(field="spec.serving_runtime", what="a model by its format")
    return None
