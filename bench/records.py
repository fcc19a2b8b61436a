"""The records of copies: each as it is right after its launch, of which nothing was seen yet."""

import json

from django.db import connection
from django.utils import timezone

from bench.copies import Sample, copied, copy_id
from deployments.models import Cluster, Deployment


def write_records(sample: Sample, cluster: Cluster, count: int) -> None:
    """Write the records of so many copies of a sample, on a cluster."""
    original = Deployment.objects.get(pk=sample.id)
    rows = [_record(original, cluster, sample, number) for number in range(count)]
    Deployment.objects.bulk_create(rows, batch_size=500)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")  # as the server's autovacuum does within a minute


def _record(original: Deployment, cluster: Cluster, sample: Sample, number: int) -> Deployment:
    row = Deployment.objects.model(
        **{
            column.attname: getattr(original, column.attname)
            for column in Deployment._meta.concrete_fields  # noqa: SLF001 - Django's documented API
        }
    )
    row.pk, row.cluster = copy_id(sample, number), cluster
    row.name = row.name_key = f"{original.name}-{number}"
    row.runtime_name = copied(original.runtime_name, sample, number)
    row.workload_uid = copied(original.workload_uid, sample, number)
    row.endpoint = json.loads(copied(json.dumps(original.endpoint), sample, number))
    row.phase, row.reason, row.observed_at = "Deploying", "ApplyPending", None
    row.created_at = timezone.now()
    return row
