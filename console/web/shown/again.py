"""The way from a deployment back into the launch flow, to launch another one like it."""

from collections.abc import Iterator, Mapping

from django.urls import reverse

from console.web.launch.state import ARGUMENT, LaunchState
from deployments.models import Deployment
from deployments.services.other_kinds import OtherKind


def again_address(deployment: Deployment) -> str:
    """Return the address of the launch form filled in as this one was, all but its name."""
    overrides = deployment.overrides
    version = str(overrides.get("model_version") or "")
    state = LaunchState(
        model=f"{deployment.model_id}@{version}" if version else deployment.model_id,
        template=str(deployment.template_id),
        place=f"{deployment.cluster.name}/{deployment.namespace}",
        kind=deployment.kind,
        entered=dict(entered_overrides(overrides)),
    )
    return f"{reverse('launch-overrides')}?{state.query}"


def elsewhere_address(deployment: Deployment, other: OtherKind) -> str:
    """Return that address for another implementation, without what does not carry over there."""
    version = str(other.overrides.get("model_version") or "")
    state = LaunchState(
        model=f"{deployment.model_id}@{version}" if version else deployment.model_id,
        template=str(other.template.pk),
        place=f"{deployment.cluster.name}/{deployment.namespace}",
        kind=other.kind,
        entered=dict(entered_overrides(other.overrides)),
    )
    return f"{reverse('launch-overrides')}?{state.query}"


def entered_overrides(overrides: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield overrides as a form sends them, by the names of its fields; the model version aside."""
    for name, value in overrides.items():
        if isinstance(value, Mapping):
            yield from ((f"{ARGUMENT}{key}", _typed(inner)) for key, inner in value.items())
        elif name != "model_version":
            yield name, _typed(value)


def _typed(value: object) -> str:
    """Return a value as the form sends it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
