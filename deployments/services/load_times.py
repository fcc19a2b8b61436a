"""Keeps how long replicas took to come up, by the version of the template that they came from.

Written only together with a verdict that tells of more ready replicas, so that a pass in which
nothing has happened writes nothing.
"""

from collections.abc import Iterable, Iterator

from deployments.models import Deployment, LoadTime
from providers.contract.protocols import Observation


def keep_load_times(seen: Iterable[tuple[Deployment, Observation]]) -> None:
    """Keep the first starts among what was seen; each pod's once, however often it is seen."""
    found = [load for deployment, observation in seen for load in _loads(deployment, observation)]
    if found:
        LoadTime.objects.bulk_create(found, ignore_conflicts=True)


def _loads(deployment: Deployment, observation: Observation) -> Iterator[LoadTime]:
    if deployment.applied_revision != deployment.revision:
        return  # what runs may still be of the template before
    for start in observation.starts:
        if start.ready_at is not None and start.seconds is not None:
            yield LoadTime(
                template_id=deployment.template_id,
                deployment_id=deployment.pk,
                pod_uid=start.pod_uid,
                seconds=start.seconds,
                at=start.ready_at,
            )
