"""What a changed field would be called in an override or a template.

Only numbers of replicas can be taken over as they are: everything else of a manifest is made from
several fields at once, and is changed where it is made.
"""

from collections.abc import Mapping
from typing import Any

from providers.contract.drifting import DriftKind
from providers.contract.fields import MAX_REPLICAS
from providers.workload.drifting.comparing import Difference
from providers.workload.drifting.paths import Path, text_of

_POD = "spec.template.spec."
_CONTAINER = f"{_POD}containers[name=engine]."

_SCALING: Mapping[str, str] = {
    "spec.replicas": "min_replicas",
    "spec.minReplicas": "min_replicas",
    "spec.maxReplicas": "max_replicas",
}

# The first that a path begins with counts.
_PLACES: tuple[tuple[str, str], ...] = (
    (f"{_CONTAINER}image", "engine.image (and engine.version) of the template"),
    (f"{_CONTAINER}args", "engine_args or engine.serve_args of the template"),
    (f"{_CONTAINER}command", "engine.command of the template"),
    (f"{_CONTAINER}env", "engine.env of the template, or the pod_env of the cluster"),
    (f"{_CONTAINER}ports", "engine.port of the template"),
    (f"{_CONTAINER}resources", "resources or accelerator of the template"),
    (f"{_CONTAINER}startupProbe", "engine.ready_timeout_seconds or engine.health_endpoint"),
    (f"{_CONTAINER}readinessProbe", "engine.health_endpoint of the template"),
    (f"{_CONTAINER}livenessProbe", "engine.health_endpoint of the template"),
    (f"{_POD}volumes", "model_source.cache or resources.shm_size of the template"),
    (f"{_POD}nodeSelector", "the accelerator map of the cluster"),
    (f"{_POD}tolerations", "the accelerator map of the cluster"),
    (f"{_POD}runtimeClassName", "the accelerator map of the cluster"),
    (f"{_POD}imagePullSecrets", "the image pull secrets of the cluster"),
    (f"{_POD}serviceAccountName", "the service account of the cluster"),
    ("spec.strategy", "rollout.strategy of the template"),
    ("spec.progressDeadlineSeconds", "engine.ready_timeout_seconds of the template"),
    ("spec.metrics", "scaling_defaults.metric of the template"),
    ("spec.type", "the Service type of the cluster"),
    ("spec.ports", "the Service port of the cluster"),
)


def overrides_for(found: Difference) -> dict[str, object]:
    """Return the overrides that make theirs ours, empty where none do."""
    name = _SCALING.get(text_of(found.path))
    if name is None or found.kind is not DriftKind.CHANGED or not _is_count(found.theirs):
        return {}
    return {name: found.theirs}


def place_of(path: Path) -> str:
    """Return what would have to be changed to make a field another one, empty where nothing."""
    text = text_of(path)
    return next((place for prefix, place in _PLACES if text.startswith(prefix)), "")


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MAX_REPLICAS
