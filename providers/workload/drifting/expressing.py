"""What a changed field would be called in an override or a template.

Only numbers of replicas can be taken over as they are: everything else of a manifest is made from
several fields at once, and is changed where it is made.
"""

import re
from collections.abc import Mapping
from typing import Any

from providers.contract.drifting import DriftKind
from providers.contract.fields import MAX_REPLICAS
from providers.workload.drifting.comparing import Difference
from providers.workload.drifting.paths import Path, text_of

# Kinds differ in what stands above a pod's own fields.
_POD = r"^spec\.(\w+\.)+"
_CONTAINER = rf"{_POD}containers\[name=[^]]*\]\."

_SCALING: Mapping[str, str] = {
    "spec.replicas": "min_replicas",
    "spec.minReplicas": "min_replicas",
    "spec.maxReplicas": "max_replicas",
    "spec.predictor.minReplicas": "min_replicas",
    "spec.predictor.maxReplicas": "max_replicas",
}
# The bounds of a predictor are always an autoscaler's: where they were equal, it gets to act.
_RANGE: Mapping[str, Mapping[str, object]] = {
    "spec.predictor.maxReplicas": {"enable_auto_scaling": True},
}
# Of no other number is 0 a stop.
_MAY_BE_0 = "spec.replicas"

# The first that a path begins like counts.
_PLACES: tuple[tuple[str, str], ...] = (
    (rf"{_CONTAINER}image", "engine.image (and engine.version) of the template"),
    (rf"{_CONTAINER}args", "engine_args or engine.serve_args of the template"),
    (rf"{_CONTAINER}command", "engine.command of the template"),
    (rf"{_CONTAINER}env", "engine.env of the template, or the pod_env of the cluster"),
    (rf"{_CONTAINER}ports", "engine.port of the template"),
    (rf"{_CONTAINER}resources", "resources or accelerator of the template"),
    (rf"{_CONTAINER}startupProbe", "engine.ready_timeout_seconds or engine.health_endpoint"),
    (rf"{_CONTAINER}readinessProbe", "engine.health_endpoint of the template"),
    (rf"{_CONTAINER}livenessProbe", "engine.health_endpoint of the template"),
    (rf"{_POD}volumes", "model_source.cache or resources.shm_size of the template"),
    (rf"{_POD}nodeSelector", "the accelerator map of the cluster"),
    (rf"{_POD}tolerations", "the accelerator map of the cluster"),
    (rf"{_POD}runtimeClassName", "the accelerator map of the cluster"),
    (rf"{_POD}imagePullSecrets", "the image pull secrets of the cluster"),
    (rf"{_POD}serviceAccountName", "the service account of the cluster"),
    (r"^spec\.strategy", "rollout.strategy of the template"),
    (r"^spec\.progressDeadlineSeconds", "engine.ready_timeout_seconds of the template"),
    (r"^spec\.metrics", "scaling_defaults.metric of the template"),
    (r"^spec\.type", "the Service type of the cluster"),
    (r"^spec\.ports", "the Service port of the cluster"),
)


def overrides_for(found: Difference) -> dict[str, object]:
    """Return the overrides that make theirs ours, empty where none do."""
    text = text_of(found.path)
    name, least = _SCALING.get(text), 0 if text == _MAY_BE_0 else 1
    if name is None or found.kind is not DriftKind.CHANGED or not _is_count(found.theirs, least):
        return {}
    return {name: found.theirs, **_RANGE.get(text, {})}


def place_of(path: Path) -> str:
    """Return what would have to be changed to make a field another one, empty where nothing."""
    text = text_of(path)
    return next((place for pattern, place in _PLACES if re.match(pattern, text)), "")


def _is_count(value: Any, least: int) -> bool:
    return type(value) is int and least <= value <= MAX_REPLICAS
