"""Measures a deployment while somebody watches it, and keeps the last minutes of what was seen.

However many people and processes watch, a cluster is asked once in a few seconds: who comes in
between is given what the last one saw. Nobody watches, nothing is measured.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.utils import timezone

from deployments.exceptions import RecordClosed
from deployments.measuring.documents import document_of
from deployments.measuring.rates import derive_figures
from deployments.models import Deployment, MetricSample
from deployments.selectors import current_revision
from deployments.services.looking import look
from deployments.services.refs import ref_of
from providers.contract.observing import Metrics
from providers.contract.template import Engine, parse_spec

SAMPLE_SECONDS = 5
KEPT = timedelta(minutes=15)


def measure(deployment: Deployment) -> MetricSample:
    """Return a sample of the last seconds: the stored one, or one that is taken now.

    Raises as a look does.
    """
    if deployment.is_closed:
        raise RecordClosed
    newest = MetricSample.objects.filter(deployment=deployment).first()
    if newest and timezone.now() - newest.at < timedelta(seconds=SAMPLE_SECONDS):
        return newest
    ref, engine = ref_of(deployment), engine_of(deployment)
    seen = look(
        deployment, "metrics", lambda into, at, by: into.metrics(ref, at, engine, deadline=by)
    )
    return keep_sample(deployment, seen, newest)


def keep_sample(deployment: Deployment, seen: Metrics, before: MetricSample | None) -> MetricSample:
    """Store a reading unless another process was quicker, and let go of what is too old."""
    sample = MetricSample(
        deployment=deployment,
        slot=int(seen.at.timestamp()) // SAMPLE_SECONDS,
        at=seen.at,
        figures=derive_figures(seen, before.metrics if before else None),
        reading=document_of(seen),
    )
    MetricSample.objects.bulk_create([sample], ignore_conflicts=True)
    MetricSample.objects.filter(deployment=deployment).before(seen.at - KEPT).delete()
    return sample


def forget_old_samples() -> None:
    """Remove the samples of deployments that nobody watches any more."""
    MetricSample.objects.before(timezone.now() - KEPT).delete()


def recent_figures(deployment: Deployment) -> tuple[tuple[datetime, Mapping[str, float]], ...]:
    """Return the figures of the last minutes with their times, oldest first."""
    rows = MetricSample.objects.filter(deployment=deployment).since(timezone.now() - KEPT)
    return tuple(rows.values_list("at", "figures"))


def engine_of(deployment: Deployment) -> Engine:
    """Return the engine of the revision that is wanted."""
    return parse_spec(current_revision(deployment).spec).engine
