"""Samples of a deployment as if somebody had watched it, for tests of what is made of them."""

from deployments.models import Deployment, MetricSample
from deployments.services.measuring import keep_sample, sample_of
from providers.contract.observing import Metrics


def measured(
    deployment: Deployment, seen: Metrics, before: MetricSample | None = None
) -> MetricSample:
    """Store a reading as the sample of its time."""
    sample = sample_of(deployment, seen, before)
    keep_sample(sample, slot=sample.slot)
    return sample
