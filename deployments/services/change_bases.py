"""What a change starts from: the record as it is now, its wanted revision, and what that renders.

Read anew at the beginning of every change, and compared with what the person has seen.
"""

from dataclasses import dataclass

from django.db.models import Max

from deployments.change_errors import (
    ClusterDisabled,
    DeletionAsked,
    LaterRevision,
    RevisionConflict,
)
from deployments.exceptions import Change, RecordClosed, SlipwayError
from deployments.models import Deployment, Revision
from deployments.selectors import revision_numbered
from deployments.services.calling import calling, provider_of
from deployments.services.clusters import target_of
from deployments.services.comparing import compare_revisions
from deployments.services.refs import request_of
from deployments.services.translating import translating
from providers.contract.overrides import Overrides, parse_overrides
from providers.contract.protocols import Provider
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget


@dataclass(frozen=True, kw_only=True, slots=True)
class Base:
    """A deployment before a change; `number` is that of the revision that would come next.

    `request` and `overrides` are those of `revision`, the one that is wanted now.
    """

    deployment: Deployment
    revision: Revision
    number: int
    request: DeployRequest
    overrides: Overrides
    provider: Provider
    target: ClusterTarget

    @property
    def is_stopped(self) -> bool:
        """Tell whether nothing is to run now."""
        return self.request.scaling.min_replicas == 0


def read_base(deployment: Deployment, *, expected: int | None) -> Base:
    """Read what a change starts from; raises RevisionConflict when it is not what was expected.

    Raises RecordClosed and DeletionAsked for what cannot be changed any more, ClusterDisabled, and
    ClusterUnavailable where its kind is not available.
    """
    rows = Deployment.objects.select_related("cluster", "model", "template")
    found = rows.get(pk=deployment.pk)
    _refuse_ended(found)
    if expected is not None and expected != found.revision:
        raise conflict_since(found, expected)
    if not found.cluster.enabled:
        raise ClusterDisabled(found.cluster.name)
    with translating():
        return _base_of(found)


def _base_of(found: Deployment) -> Base:
    revision = revision_numbered(found, found.revision)
    provider = provider_of(found.kind)
    with calling(provider.kind, "read a stored revision"):
        request = request_of(found, revision)
    return Base(
        deployment=found,
        revision=revision,
        number=_latest_number(found) + 1,
        request=request,
        overrides=parse_overrides(revision.overrides),
        provider=provider,
        target=target_of(found.cluster),
    )


def moved_on(deployment: Deployment, expected: int) -> SlipwayError:
    """Return why a change of a revision cannot be stored any more."""
    found = Deployment.objects.get(pk=deployment.pk)
    try:
        _refuse_ended(found)
    except (RecordClosed, DeletionAsked) as error:
        return error
    return conflict_since(found, expected)


def conflict_since(deployment: Deployment, expected: int) -> RevisionConflict:
    """Return what was changed since the revision that a person has seen."""
    rows = deployment.revisions.select_related("template").order_by("number")
    known = {row.number: row for row in rows.filter(number__gte=expected)}
    seen, current = known.get(expected), known.get(deployment.revision)
    words = compare_revisions(seen, current).words if seen and current else ()
    return RevisionConflict(
        expected=expected,
        current=deployment.revision,
        revisions=[_later(row) for number, row in known.items() if number > expected],
        changes=[
            Change(path=word.field, before=word.before, after=word.after, label=word.label)
            for word in words
        ],
    )


def _refuse_ended(deployment: Deployment) -> None:
    if deployment.is_closed:
        raise RecordClosed
    if deployment.is_deleting:
        raise DeletionAsked(deployment.name)


def _later(revision: Revision) -> LaterRevision:
    return LaterRevision(
        number=revision.number,
        author=revision.author_name,
        at=revision.created_at,
        reason=revision.reason,
        outcome=revision.outcome,
    )


def _latest_number(deployment: Deployment) -> int:
    latest: int = deployment.revisions.aggregate(latest=Max("number"))["latest"]
    return latest
