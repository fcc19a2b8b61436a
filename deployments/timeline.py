"""What became of one deployment, in the order of time: its verdicts, its revisions, who did what.

Rows only, so that it can still be told when objects, pods and the cluster itself are gone. Knows no
page; whoever may see the deployment may see all of this, which of an act is who, what and why.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, overload

from django.db.models import CharField, Q, QuerySet, Value

from deployments.models import AuditEntry, Deployment, Revision, StatusChange
from deployments.models.operations import Verb
from deployments.services.auditing import Outcome

# Acts that a revision tells of: all that make one.
_OF_REVISIONS = [f"deployment.{verb}" for verb in Verb if verb not in {Verb.REAPPLY, Verb.DELETE}]
# What a revision tells as well, and what the verdict that follows from it says.
_TOLD_ELSEWHERE = (Q(outcome=Outcome.ACCEPTED.value) & Q(action__in=_OF_REVISIONS)) | (
    Q(outcome=Outcome.SUCCEEDED.value) & ~Q(operation_id="")
)
# Of what happens at one moment, what was wanted comes before what came of it.
_ACT, _REVISION, _VERDICT = "1 act", "2 revision", "3 verdict"


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One thing that happened; exactly one of the three is there."""

    at: datetime
    change: StatusChange | None = None
    revision: Revision | None = None
    act: AuditEntry | None = None


class Timeline(Sequence[Entry]):
    """What is kept of a deployment, newest first; a slice of it is read at once.

    Of a revision that reaches its cluster at once only the revision is told, and what came of it.
    A page of it takes at most five queries, whatever its length.
    """

    def __init__(self, deployment: Deployment, *, faults_only: bool = False) -> None:
        """Read nothing yet; `faults_only` leaves the verdicts Failed and Degraded."""
        self._deployment = deployment
        self._faults_only = faults_only

    @cached_property
    def _length(self) -> int:
        return self._keys().count()

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, part: int) -> Entry: ...
    @overload
    def __getitem__(self, part: slice) -> list[Entry]: ...
    def __getitem__(self, part: int | slice) -> Entry | list[Entry]:
        """Return the entries of a slice, or one of them."""
        if isinstance(part, int):
            return self[part : part + 1][0]
        keys = list(self._keys().order_by("-at", "-sort", "-pk")[part])
        found = _rows_of((sort, pk) for _, sort, pk in keys)
        return [found[sort, pk] for _, sort, pk in keys if (sort, pk) in found]

    def _keys(self) -> QuerySet[Any, tuple[datetime, str, int]]:
        changes = StatusChange.objects.filter(deployment=self._deployment)
        if self._faults_only:
            return _keys_of(changes.faults(), "at", _VERDICT)
        acts = AuditEntry.objects.filter(
            object_type="deployment", object_id=str(self._deployment.pk)
        ).exclude(_TOLD_ELSEWHERE)
        revisions = Revision.objects.filter(deployment=self._deployment)
        return _keys_of(changes.lasting(), "at", _VERDICT).union(
            _keys_of(revisions, "created_at", _REVISION), _keys_of(acts, "at", _ACT), all=True
        )


def _keys_of(rows: QuerySet[Any], at: str, sort: str) -> QuerySet[Any, tuple[datetime, str, int]]:
    named: QuerySet[Any, tuple[datetime, str, int]] = (
        rows.order_by().annotate(sort=Value(sort, CharField())).values_list(at, "sort", "pk")
    )
    return named


def _rows_of(keys: Iterable[tuple[str, int]]) -> Mapping[tuple[str, int], Entry]:
    """Read the rows of some keys, each table once; what is wide and not told stays there."""
    wanted: dict[str, list[int]] = defaultdict(list)
    for sort, pk in keys:
        wanted[sort].append(pk)
    changes = StatusChange.objects.in_bulk(wanted[_VERDICT])
    revisions = Revision.objects.defer("manifests", "spec").in_bulk(wanted[_REVISION])
    acts = AuditEntry.objects.defer("before", "after").in_bulk(wanted[_ACT])
    found = {(_VERDICT, pk): Entry(at=row.at, change=row) for pk, row in changes.items()}
    found |= {(_ACT, pk): Entry(at=row.at, act=row) for pk, row in acts.items()}
    for pk, row in revisions.items():
        found[_REVISION, pk] = Entry(at=row.created_at, revision=row)
    return found
