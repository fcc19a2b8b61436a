"""Which fields of an object its pods are made from, so that writing them again replaces the pods.

Kinds differ: most have a template, while KServe copies all that an InferenceService says of itself
to its pods, and makes them from its predictor.
"""

from collections.abc import Mapping
from typing import Any

from providers.workload.drifting.paths import Path

_TEMPLATE: Path = ("spec", "template")
_PREDICTOR: Path = ("spec", "predictor")
_MADE_FROM: Mapping[str, tuple[Path, ...]] = {
    "InferenceService": (("metadata", "labels"), ("metadata", "annotations"), _PREDICTOR),
}
_OF_NO_POD = frozenset(
    {
        (*_PREDICTOR, name)
        for name in (
            "minReplicas",
            "maxReplicas",
            "scaleMetric",
            "scaleMetricType",
            "scaleTarget",
            "deploymentStrategy",
            "timeout",
        )
    }
)
# While it stands there are no pods, and without it there are.
_STOP: Path = ("metadata", "annotations", "serving.kserve.io/stop")


def replaces_pods(kind: str, path: Path, *, ours: Any, theirs: Any) -> bool:
    """Tell whether pods that run are made anew when a field of an object is put back."""
    if path == _STOP:
        return not (_is_stop(ours) or _is_stop(theirs))
    made_from = _MADE_FROM.get(kind, (_TEMPLATE,))
    is_of_pods = any(path[: len(begin)] == begin for begin in made_from)
    return is_of_pods and path[: len(_PREDICTOR) + 1] not in _OF_NO_POD


def _is_stop(word: Any) -> bool:
    return str(word or "").lower() == "true"
