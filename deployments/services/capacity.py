"""What is free on a cluster: the stored count, and a new one when that is too old."""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta

from django.utils import timezone
from pydantic import TypeAdapter, ValidationError

from deployments.models import Cluster
from deployments.services.answers import counted_of
from deployments.services.calling import calling_cluster
from deployments.services.clusters import target_of
from deployments.services.deadlines import READ_SECONDS, deadline_in
from providers import registry
from providers.contract.capacity import Capacity
from providers.contract.errors import ProviderError
from providers.contract.protocols import ClusterDoor, Deadline

logger = logging.getLogger(__name__)

MAX_AGE_SECONDS = 60.0

_CAPACITY = TypeAdapter(Capacity)


def stored_capacity(cluster: Cluster) -> Capacity | None:
    """Return the last count, or None when there is none that can be read."""
    if cluster.capacity is None:
        return None
    try:
        return _CAPACITY.validate_python(cluster.capacity)
    except ValidationError:
        return None


def capacity_of(
    cluster: Cluster,
    *,
    deadline: Deadline | None = None,
    max_age_seconds: float = MAX_AGE_SECONDS,
) -> Capacity | None:
    """Return a count that is young enough; when no new one is to be had, the last one.

    Without a deadline counting may take as long as a read.
    """
    if _is_young(cluster, max_age_seconds):
        return stored_capacity(cluster)
    until = deadline or deadline_in(READ_SECONDS)
    for door in doors():
        counted = _count(cluster, door, until)
        if counted is not None:
            store_capacity(cluster, counted)
            return counted
    return stored_capacity(cluster)


def store_capacity(cluster: Cluster, counted: Capacity) -> None:
    """Keep a count; its age is told by our clock, because the cluster's may run ahead of it."""
    document, now = capacity_document(counted), timezone.now()
    Cluster.objects.filter(pk=cluster.pk).update(capacity=document, capacity_at=now)
    cluster.capacity, cluster.capacity_at = document, now


def capacity_document(counted: Capacity) -> Mapping[str, object]:
    """Return the JSON form of a count."""
    document: Mapping[str, object] = _CAPACITY.dump_python(counted, mode="json")
    return document


def doors() -> tuple[ClusterDoor, ...]:
    """Return the doors of all available providers, each once."""
    found: list[ClusterDoor] = []
    for provider in registry.providers().values():
        if provider.door is not None and not any(provider.door is door for door in found):
            found.append(provider.door)
    return tuple(found)


def _is_young(cluster: Cluster, seconds: float) -> bool:
    counted_at: datetime | None = cluster.capacity_at
    return counted_at is not None and timezone.now() - counted_at < timedelta(seconds=seconds)


def _count(cluster: Cluster, door: ClusterDoor, deadline: Deadline) -> Capacity | None:
    try:
        with calling_cluster(cluster.name, door.name, "read_capacity"):
            return counted_of(door.read_capacity(target_of(cluster), deadline=deadline))
    except ProviderError as error:
        logger.info("could not count %s: %s", cluster.name, error.message)
        return None
