"""The pods of a deployment as its page lists them: a few, those in trouble first."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from console.web.shown.resources import BY_TROUBLE, ICONS
from deployments.models import Deployment
from providers.contract.pods import PodLine

# Of fifty pods nobody reads every line; all of them are among the objects.
MOST = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownPod:
    """One line; `address` leads to the pod among the objects."""

    pod: PodLine
    icon: str
    address: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownPods:
    """The lines, and how many more there are."""

    lines: tuple[ShownPod, ...]
    more: int


def show_pods(deployment: Deployment, pods: Sequence[PodLine]) -> ShownPods:
    """Return what the page lists."""
    objects = reverse("deployment-resources", args=[deployment.pk])
    ordered = sorted(pods, key=lambda pod: (BY_TROUBLE.index(pod.tone), pod.name))
    lines = (
        ShownPod(pod=pod, icon=ICONS[pod.tone], address=f"{objects}#Pod-{pod.name}")
        for pod in ordered[:MOST]
    )
    return ShownPods(lines=tuple(lines), more=max(0, len(pods) - MOST))
