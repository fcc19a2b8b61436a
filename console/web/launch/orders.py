"""From what was entered to an order: the very document that the API takes, read by the same rules.

Every fault comes back as one of the step that cures it, with the sentence beside the form's field.
"""

import re
from collections.abc import Iterable, Mapping

from console.web.launch.fields import changed_values, label_of
from console.web.launch.state import ARGUMENT, LaunchState
from console.web.launch.steps import StepFault, form_field, step_of
from deployments.exceptions import SlipwayError
from deployments.services.orders import LaunchOrder, read_order
from deployments.services.plans import Judged, judge_order
from providers.contract.template import TemplateSpec

_NUMBERS = ("min_replicas", "max_replicas")
# Fields whose names are no words of a sentence.
_NAMES = re.compile(r"\b(?:min_replicas|max_replicas|enable_auto_scaling|enable_multi_lora)\b")
_OURS = frozenset({"must", "is", "the", "cannot", "may", "has", "holds", "use", "no", "there"})
_SWITCHES: Mapping[str, bool] = {"true": True, "false": False}


def order_document(
    state: LaunchState, spec: TemplateSpec, *, launch: str = "", reason: str = ""
) -> Mapping[str, object]:
    """Return the body that the API would be sent for this launch."""
    return {
        "name": state.entered.get("name", ""),
        "template": {"model_id": state.model_id, "template_id": state.template},
        "implementation": {"kind": state.kind},
        "overrides": _overrides(state, spec),
        "target": {"cluster": state.cluster, "namespace": state.namespace},
        "launch": launch,
        "reason": reason,
    }


def judge_entered(state: LaunchState, spec: TemplateSpec) -> Judged:
    """Judge all that needs no cluster; raises StepFault for the first step that is at fault."""
    if not state.is_filled_in:
        raise StepFault("overrides", "Give the deployment a name first.")
    try:
        return judge_order(read_entered(state, spec))
    except SlipwayError as error:
        raise _about_region(fault_from(error), error) from error


def _about_region(fault: StepFault, error: SlipwayError) -> StepFault:
    """Return a cluster out of the region as the region's fault: the cluster was chosen first."""
    texts = error.fields.get("target.cluster")
    if not texts:
        return fault
    return StepFault("overrides", fault.message, {"region": phrase(texts)})


def read_entered(
    state: LaunchState, spec: TemplateSpec, *, launch: str = "", reason: str = ""
) -> LaunchOrder:
    """Return the order; raises InvalidOrder by the paths of the API."""
    return read_order(order_document(state, spec, launch=launch, reason=reason))


def fault_from(error: SlipwayError) -> StepFault:
    """Return a refusal as the fault of the earliest step that has a field at fault."""
    steps = [step_of(path) for path in error.fields] or ["place"]
    earliest = min(steps, key=_PLACE_OF_STEP.index)
    named = {form_field(path): phrase(texts) for path, texts in error.fields.items()}
    named.pop("", None)
    return StepFault(earliest, sentence(error.message), named)


def phrase(texts: Iterable[str]) -> str:
    """Return what is wrong with a field as it follows the field's name, without a full stop.

    Another field that is named in it bears its label.
    """
    return _NAMES.sub(lambda name: f"“{label_of(name[0])}”", "; ".join(texts).rstrip("."))


def reason_fault(error: SlipwayError) -> str:
    """Return what is wrong with the reason that was typed on a review, empty where nothing is."""
    return phrase(error.fields.get("reason", ()))


def sentences(phrases: Mapping[str, str]) -> Mapping[str, str]:
    """Return what is wrong with each field as it stands below the field."""
    return {name: sentence(text) for name, text in phrases.items()}


def sentence(text: str) -> str:
    """Return a sentence; a word of ours begins it large, a name of theirs stays as it is."""
    begun = f"{text[:1].upper()}{text[1:]}" if text.partition(" ")[0] in _OURS else text
    return f"{begun.rstrip('.')}."


_PLACE_OF_STEP = ("model", "template", "place", "overrides", "review")


def _overrides(state: LaunchState, spec: TemplateSpec) -> Mapping[str, object]:
    changed = changed_values(spec, state)
    given = {
        name: override_value(name, text) for name, text in changed.items() if not _is_argument(name)
    }
    arguments = {
        name.removeprefix(ARGUMENT): text for name, text in changed.items() if _is_argument(name)
    }
    version = {"model_version": state.version} if state.version else {}
    return {**given, **version, **({"engine_args": arguments} if arguments else {})}


def override_value(name: str, text: str) -> object:
    """Return numbers and switches as such; other text stays, for the order to refuse by name."""
    if name in _NUMBERS:
        return int(text) if text.isascii() and text.removeprefix("-").isdigit() else text
    if name.startswith("enable_"):
        return _SWITCHES.get(text.lower(), text)
    return text


def _is_argument(name: str) -> bool:
    return name.startswith(ARGUMENT)
