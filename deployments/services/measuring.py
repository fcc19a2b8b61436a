"""Measures a deployment while somebody watches it, and keeps the last minutes of what was seen.

However many people and processes watch, a cluster is asked once in a few seconds: who comes in
between is given what the last one saw. Nobody watches, nothing is measured.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.utils import timezone

from deployments.exceptions import RecordClosed, SlipwayError
from deployments.measuring.documents import document_of
from deployments.measuring.rates import derive_figures
from deployments.models import Deployment, MetricSample
from deployments.selectors import current_revision
from deployments.services.answers import answer_of
from deployments.services.looking import look
from deployments.services.refs import ref_of
from providers.contract.observing import Metrics
from providers.contract.template import Engine, parse_spec

SAMPLE_SECONDS = 5
KEPT = timedelta(minutes=15)
# A sample that serves while another process takes the next one.
_STILL_GOOD = timedelta(seconds=30)


def measure(deployment: Deployment) -> MetricSample:
    """Return a sample of the last seconds: the stored one, or one that is taken now.

    Raises as a look does.
    """
    if deployment.is_closed:
        raise RecordClosed
    now = timezone.now()
    newest = MetricSample.objects.filter(deployment=deployment).taken().until(now).first()
    if newest and now - newest.at < timedelta(seconds=SAMPLE_SECONDS):
        return newest
    claim, is_ours = MetricSample.objects.get_or_create(
        deployment=deployment, slot=slot_of(now), defaults={"at": now}
    )
    if not is_ours and newest and now - newest.at < _STILL_GOOD:
        return newest
    try:
        seen = _ask(deployment)
    except SlipwayError:
        if is_ours:
            claim.delete()
        raise
    sample = sample_of(deployment, seen, newest)
    if is_ours:
        keep_sample(sample, slot=claim.slot)
    return sample


def sample_of(deployment: Deployment, seen: Metrics, before: MetricSample | None) -> MetricSample:
    """Return a reading as a sample, with its rates since the one before."""
    return MetricSample(
        deployment=deployment,
        slot=slot_of(seen.at),
        at=seen.at,
        figures=derive_figures(seen, before.metrics if before else None),
        reading=document_of(seen),
    )


def keep_sample(sample: MetricSample, *, slot: int) -> None:
    """Store a sample in a slot, and let go of those of its deployment that are too old."""
    rows = MetricSample.objects.filter(deployment=sample.deployment)
    taken = {"at": sample.at, "figures": sample.figures, "reading": sample.reading}
    rows.update_or_create(deployment=sample.deployment, slot=slot, defaults=taken)
    rows.before(sample.at - KEPT).delete()


def slot_of(at: datetime) -> int:
    """Return which span of time a moment is in."""
    return int(at.timestamp()) // SAMPLE_SECONDS


def _ask(deployment: Deployment) -> Metrics:
    ref, engine = ref_of(deployment), engine_of(deployment)
    return look(
        deployment,
        "metrics",
        lambda into, at, by: answer_of(Metrics, into.metrics(ref, at, engine, deadline=by)),
    )


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
