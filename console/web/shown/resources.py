"""The objects of a deployment as a tree of lines, what is in trouble first among equals."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from deployments.models import Deployment
from providers.contract.manifest import ObjectKey
from providers.contract.observing import ContainerState, ObjectState, Resources

ICONS: Mapping[str, str] = {
    "ok": "circle-check",
    "progress": "loader-circle",
    "warn": "triangle-alert",
    "fail": "octagon-x",
    "idle": "circle-dot",
}
"""The icon of each tone, so that a state reads without its colour."""

_TROUBLE = ("fail", "warn")
BY_TROUBLE = (*_TROUBLE, "progress", "ok", "idle")
"""Tones in the order in which a reader wants to see what bears them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownContainer:
    """One container; an empty address stands for a log that there is not."""

    state: ContainerState
    icon: str
    log: str
    log_before: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownObject:
    """One object with those below it; `name` is unique on the page and legal as an id."""

    state: ObjectState
    name: str
    icon: str
    containers: tuple[ShownContainer, ...]
    below: tuple["ShownObject", ...]

    @property
    def is_open(self) -> bool:
        """Tell whether its containers are shown at once: one of them has failed."""
        return self.state.tone == "fail"

    @property
    def is_told_below(self) -> bool:
        """Tell whether a container says what the line says."""
        names = (one.state.name for one in self.containers)
        return any(self.state.message.startswith(f"{name}: ") for name in names)


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownResources:
    """All objects; `said` counts them in one sentence."""

    roots: tuple[ShownObject, ...]
    resources: Resources
    said: str


def show_resources(deployment: Deployment, resources: Resources) -> ShownResources:
    """Return the tree that the page draws."""
    below: dict[ObjectKey | None, list[ObjectState]] = defaultdict(list)
    for item in resources.objects:
        below[item.below].append(item)
    logs = f"{reverse('deployment', args=[deployment.pk])}/logs"
    return ShownResources(
        roots=tuple(_shown(below, None, logs)),
        resources=resources,
        said=_said(resources.objects),
    )


def _shown(
    below: Mapping[ObjectKey | None, list[ObjectState]], owner: ObjectKey | None, logs: str
) -> Iterator[ShownObject]:
    for item in sorted(below.get(owner, ()), key=_trouble_among_pods_first):
        yield ShownObject(
            state=item,
            name=f"{item.key.kind}-{item.key.name}",
            icon=ICONS[item.tone],
            containers=tuple(_container(item, one, logs) for one in item.containers),
            below=tuple(_shown(below, item.key, logs)),
        )


def _trouble_among_pods_first(item: ObjectState) -> int:
    """Sort pods only: of fifty the one that fails must not be the last."""
    return BY_TROUBLE.index(item.tone) if item.containers else -1


def _container(pod: ObjectState, container: ContainerState, logs: str) -> ShownContainer:
    query = {"pod": pod.key.name, "container": container.name}
    return ShownContainer(
        state=container,
        icon=ICONS[container.tone],
        log=f"{logs}?{urlencode(query)}" if container.has_started else "",
        log_before=f"{logs}?{urlencode({**query, 'previous': 'true'})}"
        if container.has_previous
        else "",
    )


def _said(objects: Iterable[ObjectState]) -> str:
    given = list(objects)
    trouble = sum(item.tone in _TROUBLE for item in given)
    count = f"{len(given)} object{'' if len(given) == 1 else 's'}"
    if not trouble:
        return f"{count}, none in trouble"
    return f"{count}, {trouble} in trouble"
