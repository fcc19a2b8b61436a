"""How fast lists are with 10,000 deployments, and that they ask the cluster nothing."""

import uuid
from collections.abc import Sequence
from datetime import timedelta
from functools import partial

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from bench.figures import Figure, p95_of, timed
from bench.stage import NAMESPACE, Stage
from deployments.models import Deployment
from providers.contract.status import PHASES, Phase

FEW, MANY = 100, 10_000
CALLS = 300


def figures(stage: Stage) -> Sequence[Figure]:
    """Return queries and times of the list API, with the cluster up and down."""
    few = _fill_to(FEW)
    queries_few = _queries(stage)
    _fill_to(MANY, like=few)
    queries_many = _queries(stage)
    health, up = _p95_of_both(stage)
    stage.plane.freeze_api_server()
    try:
        health_then, down = _p95_of_both(stage)
    finally:
        stage.plane.resume_api_server()
    how = (
        f"p95 of {CALLS} GET /deployments with {MANY} rows, less that of GET /health in turn "
        f"({health * 1000:.1f} ms)"
    )
    return (
        Figure(
            name="list queries, 10,000 rows less 100 rows",
            value=queries_many - queries_few,
            bound=0,
            unit="queries",
            how=f"Django's query log: {queries_many} and {queries_few}",
        ),
        Figure(name="list queries", value=queries_many, bound=8, unit="queries", how="the same"),
        Figure(
            name="list p95 over health", value=(up - health) * 1000, bound=25, unit="ms", how=how
        ),
        Figure(
            name="the same, cluster frozen",
            value=(down - health_then) * 1000,
            bound=25,
            unit="ms",
            how=f"{how}, API server stopped by SIGSTOP",
        ),
    )


def _p95_of_both(stage: Stage) -> tuple[float, float]:
    """Return the 95th percentiles of health and list, which take turns: noise hits both alike."""
    pairs = [
        (timed(partial(stage.call, "GET", "health"))[0], timed(partial(_list, stage))[0])
        for _ in range(CALLS)
    ]
    return p95_of([health for health, _ in pairs]), p95_of([listed for _, listed in pairs])


def _list(stage: Stage) -> None:
    stage.call("GET", "deployments")


def _queries(stage: Stage) -> int:
    client = Client(headers={"authorization": f"Token {stage.tokens[0]}"})
    with CaptureQueriesContext(connection) as captured:
        answer = client.get("/api/v1/deployments", headers={"host": "localhost"})
    if answer.status_code != 200:
        raise RuntimeError(answer.content[:500])
    return len(captured)


def _fill_to(count: int, *, like: Deployment | None = None) -> Deployment:
    """Add records, copies of a real one under other names, until there are so many."""
    sample = like or Deployment.objects.order_by("created_at")[0]
    missing = count - Deployment.objects.count()
    phases = list(Phase)
    rows = [_copy(sample, number, phases[number % len(phases)]) for number in range(missing)]
    Deployment.objects.bulk_create(rows, batch_size=500)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")  # as the server's autovacuum does within a minute
    return sample


def _copy(sample: Deployment, number: int, phase: Phase) -> Deployment:
    row = _shallow(sample)
    row.pk = uuid.uuid4()
    row.name = row.name_key = f"copy-{row.pk}"
    row.runtime_name = f"copy-{str(row.pk)[:8]}-{number}"
    row.namespace = NAMESPACE
    row.phase, row.rank = phase.value, PHASES[phase].rank
    row.created_at = timezone.now() - timedelta(seconds=number)
    row._state.adding = True  # noqa: SLF001 - a copied row is a new one
    return row


def _shallow(sample: Deployment) -> Deployment:
    columns = sample._meta.concrete_fields  # noqa: SLF001 - Django's documented model API
    return Deployment(**{column.attname: getattr(sample, column.attname) for column in columns})
