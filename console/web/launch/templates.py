"""The second step: the templates of a model, what each needs and serves, and why one cannot be had.

Whether accelerators are free is told from the last count, never by asking a cluster here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from console.web.launch.needs import UNCOUNTED, Room, needs_of_replica, room_for
from console.web.launch.state import LaunchState
from console.web.launch.steps import StepFault
from console.web.shown.load_times import say_usual
from console.web.shown.templates import TemplateShown, show_template
from deployments.load_times import load_times_of
from deployments.models import Cluster
from deployments.services.capacity import stored_capacity
from providers import registry
from providers.contract.capacity import Capacity
from providers.contract.errors import InvalidRequest
from providers.contract.fitting import lack_of
from providers.contract.protocols import Provider
from providers.contract.template import TemplateSpec, parse_spec
from templates_app import selectors as catalogue
from templates_app.exceptions import Missing
from templates_app.models import Model, ModelDeploymentTemplate

Status = ModelDeploymentTemplate.Status


@dataclass(frozen=True, kw_only=True, slots=True)
class Count:
    """One cluster as it was counted last."""

    cluster: Cluster
    capacity: Capacity | None

    @property
    def at(self) -> datetime | None:
        return self.cluster.capacity_at if self.capacity else None


@dataclass(frozen=True, kw_only=True, slots=True)
class TemplateOffer:
    """One template; with a `reason` it cannot be chosen. `best` is the cluster with most room.

    `usual` says how long it took to load so far, empty where it never did.
    """

    template: ModelDeploymentTemplate
    shown: TemplateShown
    room: Room
    best: str
    note: str
    reason: str
    usual: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Chosen:
    """A template that may be launched, with its words."""

    template: ModelDeploymentTemplate
    spec: TemplateSpec


def counts_of(clusters: Sequence[Cluster]) -> tuple[Count, ...]:
    """Return the last count of each cluster."""
    return tuple(Count(cluster=one, capacity=stored_capacity(one)) for one in clusters)


def offer_templates(
    model: Model, state: LaunchState, counts: Sequence[Count]
) -> tuple[TemplateOffer, ...]:
    """Return what may be launched of a model first, then what may not and why; drafts are left out.

    The newest version of a name stands first.
    """
    every = [one for one in catalogue.templates_of(model) if one.status != Status.DRAFT]
    newest, times = _newest_active(every), load_times_of([one.pk for one in every])
    offers = [
        replace(
            _offer(one, state, counts, newest.get(one.name, "")),
            usual=say_usual(times.get(one.pk)),
        )
        for one in every
    ]
    return tuple(sorted(offers, key=lambda offer: bool(offer.reason)))


def picked(offers: Sequence[TemplateOffer], state: LaunchState) -> str:
    """Return the id of the template to tick: the chosen one, else the first that can be had."""
    able = [str(offer.template.pk) for offer in offers if not offer.reason]
    return state.template if state.template in able else next(iter(able), "")


def choose_template(state: LaunchState, model: Model) -> Chosen:
    """Return the chosen template; raises StepFault for none, another model's or an unfit one."""
    if not state.template:
        raise StepFault("template", "Choose a template first.")
    try:
        template = catalogue.find_template(model.pk, state.template)
    except Missing as error:
        text = f"{model.name} has no such template (any more); choose another."
        raise StepFault("template", text) from error
    reason = reason_against(template, state)
    if reason:
        raise StepFault("template", f"{template.name} {template.version} cannot be had: {reason}")
    return Chosen(template=template, spec=parse_spec(template.spec))


def reason_against(template: ModelDeploymentTemplate, state: LaunchState, newer: str = "") -> str:
    """Say why a template cannot be launched, empty when it can."""
    if template.status != Status.ACTIVE:
        instead = f" {newer} replaces it." if newer else ""
        return f"It is {template.status} and no longer offered.{instead}"
    try:
        spec = parse_spec(template.spec)
    except InvalidRequest as refusal:
        return f"It cannot be read; a curator must correct it ({refusal.message})."
    return _source_reason(spec, state) or _kind_reason(spec)


def kind_reason(spec: TemplateSpec, provider: Provider) -> str:
    """Say why an implementation cannot carry a template, empty when it can."""
    if not any(spec.allows_kind(kind) for kind in (provider.kind, *provider.aliases)):
        allowed = spec.compatibility.implementation_kinds if spec.compatibility else ()
        return f"The template allows only {', '.join(allowed)}."
    lack = lack_of(provider.capabilities, spec)
    return f"It cannot run {lack.what}." if lack else ""


def _offer(
    template: ModelDeploymentTemplate, state: LaunchState, counts: Sequence[Count], newer: str
) -> TemplateOffer:
    reason, shown = reason_against(template, state, newer), show_template(template)
    if reason:
        return TemplateOffer(
            template=template, shown=shown, room=UNCOUNTED, best="", note="", reason=reason
        )
    spec = parse_spec(template.spec)
    room, best = _best_room(spec, counts)
    return TemplateOffer(
        template=template, shown=shown, room=room, best=best, note=_note(spec, counts), reason=""
    )


def _best_room(spec: TemplateSpec, counts: Sequence[Count]) -> tuple[Room, str]:
    rooms = [(room_for(spec, count.capacity), count.cluster.name) for count in counts]
    if not rooms or not needs_of_replica(spec):
        return room_for(spec, None), ""
    return max(rooms, key=lambda one: (one[0].replicas, one[0].tone == "warn"))


def _note(spec: TemplateSpec, counts: Sequence[Count]) -> str:
    """Say what choosing it would mean now, where that is no good news."""
    room, _ = _best_room(spec, counts)
    if room.tone == "warn":
        return "You may choose it; a replica would wait until enough accelerators are free."
    if room.tone == "idle" and needs_of_replica(spec):
        types = ", ".join(need.type for need in needs_of_replica(spec))
        return f"No cluster has counted {types}; the review will say whether it can run."
    return ""


def _source_reason(spec: TemplateSpec, state: LaunchState) -> str:
    if not spec.engine.image and spec.serving_runtime is None:
        return "It names no image to run; a curator must add one."
    opens = "model_version" in spec.overridable
    if state.version and not opens:
        return f"It serves its own source and does not take version {state.version}."
    if spec.model_source is None and spec.needs_source and not state.version:
        return "It names no source of its own: choose a version of the model first."
    return ""


def _kind_reason(spec: TemplateSpec) -> str:
    providers = registry.providers()
    if not providers:
        return "No implementation is available on this console; ask an admin."
    reasons = [kind_reason(spec, provider) for provider in providers.values()]
    if all(reasons):
        return f"No implementation of this console can carry it: {reasons[0]}"
    return ""


def _newest_active(every: Sequence[ModelDeploymentTemplate]) -> Mapping[str, str]:
    newest: dict[str, str] = {}
    for one in every:
        if one.status == Status.ACTIVE:
            newest.setdefault(one.name, one.version)
    return newest
