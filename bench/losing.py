"""Whether many launches at once are all there afterwards: none lost, none double, none orphaned;
and whether as many deletions at once leave nothing.
"""

import json
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from django.db import connection

from bench.figures import Figure
from bench.stage import NAMESPACE, Stage
from deployments.models import AuditEntry, Cluster, Deployment
from deployments.services.refreshing import refresh_cluster

CREATES, PEOPLE = 100, 10
KINDS = ("deployments", "services", "horizontalpodautoscalers")
PREFIX = "many-"
PATIENCE_SECONDS = 120.0


def figures(stage: Stage) -> Sequence[Figure]:
    """Return how many of many launches and deletions at once went wrong."""
    with ThreadPoolExecutor(PEOPLE) as pool:
        answered = Counter(pool.map(partial(_launch, stage), range(CREATES)))
        # A launch whose time ran out while it applied is finished by the next pass, as for anyone.
        _pass()
        launched = _launched(stage, answered)
        list(pool.map(partial(_delete, stage), _stored()))
    return (*launched, _deleted(stage))


def _launched(stage: Stage, answered: Counter[str]) -> Sequence[Figure]:
    stored, objects = _stored(), [_on_cluster(stage, kind) for kind in KINDS]
    told = [_told(outcome, stored) for outcome in ("accepted", "succeeded")]
    lost = CREATES - len(answered) + sum(_less(answered, one) for one in (stored, *told))
    lost += sum(_less(stored, one) for one in objects)
    double = sum(one.total() - len(one) for one in (answered, stored, *told, *objects))
    orphaned = sum(_less(one, stored) for one in objects)
    how = (
        f"{CREATES} POST /deployments by {PEOPLE} people at once, one pass; records, trail, objects"
    )
    return (
        Figure(name="creates at once: lost", value=lost, bound=0, unit="", how=how),
        Figure(name="creates at once: double", value=double, bound=0, unit="", how="the same"),
        Figure(name="creates at once: orphaned", value=orphaned, bound=0, unit="", how="the same"),
    )


def _deleted(stage: Stage) -> Figure:
    end = time.monotonic() + PATIENCE_SECONDS
    while _stored() and time.monotonic() < end:
        _pass()
    left = len(_stored()) + sum(_on_cluster(stage, kind).total() for kind in KINDS)
    how = f"{CREATES} DELETE /deployments/ID by {PEOPLE} people at once, passes; records, objects"
    return Figure(name="deletions at once: left over", value=left, bound=0, unit="", how=how)


def _pass() -> None:
    report = refresh_cluster(Cluster.objects.get(name="default"))
    if not report.ok:
        raise RuntimeError(str(report))


def _stored() -> Counter[str]:
    rows = Deployment.objects.open().filter(name__startswith=PREFIX)
    return Counter(str(pk) for pk in rows.values_list("pk", flat=True))


def _launch(stage: Stage, number: int) -> str:
    body = stage.order(f"{PREFIX}{number}")
    return str(stage.call("POST", "deployments", body, who=number % PEOPLE)["id"])


def _delete(stage: Stage, own_id: str) -> None:
    owner = int(Deployment.objects.get(pk=own_id).name.removeprefix(PREFIX)) % PEOPLE
    connection.close()  # that of this thread
    stage.call("DELETE", f"deployments/{own_id}", who=owner)


def _on_cluster(stage: Stage, kind: str) -> Counter[str]:
    """Return how many objects of a kind each deployment of these has."""
    listed = json.loads(stage.kubectl("-n", NAMESPACE, "get", kind, "-o", "json"))["items"]
    ours = [item["metadata"] for item in listed if item["metadata"]["name"].startswith(PREFIX)]
    return Counter(metadata["labels"]["slipway.dev/id"] for metadata in ours)


def _told(outcome: str, stored: Counter[str]) -> Counter[str]:
    rows = AuditEntry.objects.filter(action="deployment.create", outcome=outcome)
    return Counter(rows.filter(object_id__in=list(stored)).values_list("object_id", flat=True))


def _less(some: Counter[str], others: Counter[str]) -> int:
    """Return how many of some are not among others."""
    return len(set(some) - set(others))
