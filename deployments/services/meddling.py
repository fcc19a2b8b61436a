"""What others have to do with a change: who may take it back, and what of theirs it takes back.

For a review, which is shown all the same where this cannot be told.
"""

from dataclasses import dataclass

from deployments.exceptions import SlipwayError
from deployments.models import Deployment
from deployments.services.changing import ChangePreview
from deployments.services.drifting import drift_of
from providers.contract.drifting import CoManager, DriftedField, DriftKind


@dataclass(frozen=True, kw_only=True, slots=True)
class Meddling:
    """Who else manages the objects, and what they changed that a change puts back by the way."""

    others: tuple[CoManager, ...] = ()
    undone: tuple[DriftedField, ...] = ()


def meddling_with(deployment: Deployment, preview: ChangePreview) -> Meddling:
    """Return what others have to do with a change; nothing where that cannot be told now.

    An object that a change writes is written whole: what others changed of it is ours again, save
    what the change itself takes over, and what they have added.
    """
    try:
        drift = drift_of(deployment)
    except SlipwayError:
        return Meddling()
    written = frozenset(preview.effects.objects)
    undone = (one for one in drift.fields if one.key in written and _is_undone(one, preview))
    return Meddling(others=drift.co_managers, undone=tuple(undone))


def _is_undone(one: DriftedField, preview: ChangePreview) -> bool:
    return one.kind is not DriftKind.ADDED and not _is_taken_over(one, preview)


def _is_taken_over(one: DriftedField, preview: ChangePreview) -> bool:
    scaling = preview.plan.plan.request.scaling
    wanted = {
        "min_replicas": scaling.min_replicas,
        "max_replicas": scaling.max_replicas,
        "enable_auto_scaling": scaling.autoscaled,
    }
    return bool(one.overrides) and all(
        wanted.get(name) == value for name, value in one.overrides.items()
    )
