"""The way through the steps: everything before a step is looked up again, or sends a person back.

Each step trusts nothing that an address says: a bookmark may be a year old.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from console.web.launch.models import choose_model
from console.web.launch.orders import judge_entered
from console.web.launch.places import choose_place, enabled_clusters
from console.web.launch.state import LaunchState
from console.web.launch.steps import StepFault
from console.web.launch.templates import Chosen, choose_template
from deployments.models import Cluster
from providers import registry
from providers.contract.protocols import Capabilities
from providers.contract.template import TemplateSpec
from templates_app.access import Person
from templates_app.models import Model

BACK = "back"


@dataclass(frozen=True, kw_only=True, slots=True)
class Passed:
    """What was chosen on the way to overrides and review."""

    state: LaunchState
    model: Model
    chosen: Chosen
    clusters: list[Cluster]
    cluster: Cluster

    @property
    def spec(self) -> TemplateSpec:
        return self.chosen.spec

    @property
    def able(self) -> Capabilities:
        """Return what the implementation can do."""
        return registry.get(self.state.kind).capabilities

    @property
    def title(self) -> str:
        """Return how people call the implementation."""
        return registry.get(self.state.kind).title


def pass_place(state: LaunchState, *, user: Person) -> Passed:
    """Return what was chosen in the first three steps; raises StepFault for the first wrong one."""
    model = choose_model(state)
    chosen = choose_template(state, model)
    clusters = enabled_clusters(user)
    cluster = choose_place(state, clusters, chosen.spec)
    return Passed(state=state, model=model, chosen=chosen, clusters=clusters, cluster=cluster)


def fault_of(choose: Callable[[], object], *, is_asked: bool) -> StepFault | None:
    """Return what is wrong with a step's own choice, once there is one to judge."""
    if not is_asked:
        return None
    try:
        choose()
    except StepFault as fault:
        return fault
    return None


def told_later(state: LaunchState, key: str, *, user: Person) -> StepFault | None:
    """Return what only a later step finds wrong with this one, so that the reason is not lost."""
    try:
        passed = pass_place(state, user=user)
        judge_entered(state, passed.spec)
    except StepFault as fault:
        return fault if fault.step == key else None
    return None


def notes_of(
    state: LaunchState, model: Model | None = None, chosen: Chosen | None = None
) -> Mapping[str, str]:
    """Return what the bar of steps says below each step that was taken."""
    notes = {}
    if model:
        notes["model"] = f"{model.name} {state.version}".strip()
    if chosen:
        notes["template"] = f"{chosen.template.name} {chosen.template.version}"
    if state.place and chosen:
        notes["place"] = state.place
    if state.is_filled_in:
        notes["overrides"] = state.entered["name"]
    return notes
