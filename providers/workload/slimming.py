"""What a pass keeps of an object once its page is read, so that a big cluster fits into memory.

In step with the rules: what a verdict looks at must be named here. The cases of the status table
are judged with slimmed objects, too.
"""

from collections.abc import Iterable
from functools import cache
from sys import intern
from typing import TypeVar

from msgspec import Raw
from msgspec.structs import replace

from providers.workload.holds import managers_worth_keeping
from providers.workload.index import SERVICE_NAME
from providers.workload.labels import (
    ANNOTATION_DIGEST,
    ANNOTATION_DISPLAY_NAME,
    ANNOTATION_REVISION,
    LABEL_ID,
    LABEL_IMPLEMENTATION,
    LABEL_INSTANCE,
)
from providers.workload.objects import (
    POD_TEMPLATE_HASH,
    Condition,
    Container,
    ContainerStatus,
    Deployment,
    HorizontalPodAutoscaler,
    Item,
    Labels,
    Layer,
    ObjectMeta,
    Pod,
    PodSpec,
    PodStatus,
    ReplicaSet,
    ResourceNeeds,
    present,
)

_LABELS = (LABEL_ID, LABEL_IMPLEMENTATION, SERVICE_NAME)
_ORIGIN = (ANNOTATION_DISPLAY_NAME, ANNOTATION_REVISION, ANNOTATION_DIGEST)
# Those of every kind that some rule asks for.
_CONDITIONS = frozenset(
    {
        "DisruptionTarget",
        "PodReadyToStartContainers",
        "PodScheduled",
        "Progressing",
        "Ready",
        "ReplicaFailure",
        "ScalingActive",
        "ScalingLimited",
    }
)
# Labels whose values a deployment shares with no other; all others are worth keeping once.
_OWN_VALUES = frozenset({LABEL_ID, LABEL_INSTANCE, POD_TEMPLATE_HASH})

_Item = TypeVar("_Item", bound=Item)


def slim(item: _Item) -> _Item:
    """Return what verdicts look at of an object that belongs to a record; of pods see below."""
    slimmed = replace(item, metadata=_meta(item))
    if isinstance(item, Deployment | ReplicaSet | HorizontalPodAutoscaler) and item.status:
        status = replace(item.status, conditions=_conditions(item.status.conditions))
        return replace(slimmed, status=status)
    return slimmed


def slim_with_origin(item: _Item) -> _Item:
    """Return the same of a companion, and what tells what it was if no record turns out to own it.

    For what is read once for all providers, before anybody knows whose it is.
    """
    slimmed = slim(item)
    if LABEL_ID not in item.labels:
        return slimmed
    meta = replace(
        slimmed.meta,
        uid=item.uid,
        creation_timestamp=item.meta.creation_timestamp,
        annotations=_only(_ORIGIN, item.annotations),
    )
    return replace(slimmed, metadata=meta)


def _meta(item: Item) -> ObjectMeta:
    meta = item.meta
    if isinstance(item, Layer):
        return _layer_meta(item)
    return ObjectMeta(
        name=meta.name,
        namespace=_once(meta.namespace),
        labels=_only(_LABELS, item.labels),
        deletion_timestamp=meta.deletion_timestamp,
        finalizers=meta.finalizers,
        owner_references=meta.owner_references,
        managed_fields=managers_worth_keeping(meta),
    )


@cache
def _labels_kept(kind: type[Layer]) -> tuple[str, ...]:
    return (*_LABELS, *kind.kept_labels)


def _layer_meta(item: Layer) -> ObjectMeta:
    meta = item.meta
    kept = replace(
        meta,
        namespace=_once(meta.namespace),
        labels=_only(_labels_kept(type(item)), item.labels),
        annotations=_only(item.kept_annotations, item.annotations),
    )
    # Of a workload they were decoded, for what others changed, and are let go elsewhere.
    is_raw = isinstance(meta.managed_fields, Raw)
    return replace(kept, managed_fields=managers_worth_keeping(meta)) if is_raw else kept


def slim_pod(pod: Pod) -> Pod:
    """Return what somebody looks at of a pod; of one that is not ours, what it holds of its node.

    Its labels stay: a Service may have been changed to select by any of them.
    """
    if LABEL_ID not in pod.labels:
        return _holder(pod)
    meta = pod.meta
    return Pod(
        metadata=ObjectMeta(
            name=meta.name,
            namespace=_once(meta.namespace),
            uid=meta.uid,
            labels=_labels(pod.labels),
            creation_timestamp=meta.creation_timestamp,
            deletion_timestamp=meta.deletion_timestamp,
            finalizers=meta.finalizers,
            managed_fields=managers_worth_keeping(meta),
        ),
        spec=_spec(pod.wanted),
        status=replace(
            pod.seen,
            phase=_once(pod.seen.phase),
            conditions=_conditions(pod.seen.conditions),
            container_statuses=_statuses(pod.seen.container_statuses),
        ),
    )


def _holder(pod: Pod) -> Pod:
    meta = pod.meta
    return Pod(
        metadata=ObjectMeta(
            name=meta.name,
            namespace=_once(meta.namespace),
            deletion_timestamp=meta.deletion_timestamp,
        ),
        spec=_spec(pod.wanted),
        status=PodStatus(phase=_once(pod.seen.phase)),
    )


def _spec(spec: PodSpec) -> PodSpec:
    return replace(
        spec,
        node_name=_once(spec.node_name),
        containers=_containers(spec.containers),
        init_containers=_containers(spec.init_containers),
    )


def _containers(containers: Iterable[Container | None] | None) -> list[Container | None] | None:
    return [_container(item) for item in present(containers)] or None


def _container(item: Container) -> Container:
    needs = ResourceNeeds(requests=item.requests) if item.resources else None
    return replace(item, image=_once(item.image), resources=needs)


def _statuses(
    statuses: Iterable[ContainerStatus | None] | None,
) -> list[ContainerStatus | None] | None:
    return [
        replace(item, name=_once(item.name), image=_once(item.image)) for item in present(statuses)
    ] or None


def _only(keys: tuple[str, ...], texts: Labels) -> dict[str, str | None] | None:
    return {key: texts[key] for key in keys if key in texts} or None


def _labels(labels: Labels) -> dict[str, str | None]:
    return {key: text if key in _OWN_VALUES else _once(text) for key, text in labels.items()}


def _conditions(conditions: Iterable[Condition | None] | None) -> list[Condition | None] | None:
    return [
        replace(item, type=_once(item.type), status=_once(item.status))
        for item in conditions or ()
        if item is not None and item.type in _CONDITIONS
    ] or None


def _once(text: str | None) -> str | None:
    """Return the one copy of a text that thousands of objects have."""
    return None if text is None else intern(text)
