"""What KServe makes of a model: its runtime chosen, its container laid over it, weights fetched.

Pure. What a webhook of KServe adds to each pod stands in the pod's template here: none is served.
"""

import json
from collections.abc import Sequence
from typing import NamedTuple

from providers.contract.manifest import Manifest

INITIALIZER, CONTAINER = "storage-initializer", "kserve-container"
SOURCE = "internal.serving.kserve.io/storage-initializer-sourceuri"
MOUNT = "/mnt/models"
_OF_PODS = ("volumes", "nodeSelector", "affinity", "tolerations", "imagePullSecrets", "hostIPC")
_NO_CONTAINER = {"modelFormat", "runtime", "storageUri", "storage", "protocolVersion", "name"}


class Refused(NamedTuple):
    """Why a model has no runtime, as its status says it and as an event does."""

    reason: str
    message: str
    told: str


def runtime_for(service: Manifest, runtimes: Sequence[Manifest]) -> Manifest | Refused:
    """Return the runtime of a model: the one it names, else the first that picks its format.

    Empty where the pod is written out. A namespace's own wins over one of the whole cluster.
    """
    model = service["spec"]["predictor"].get("model")
    if model is None:
        return {}
    here = {service["metadata"]["namespace"], None}
    known = [one for one in runtimes if one["metadata"].get("namespace") in here]
    known.sort(key=lambda one: (one["kind"] != "ServingRuntime", one["metadata"]["name"]))
    if name := model.get("runtime"):
        return _named(name, model, known)
    picked = (one for one in known if _is_pickable(one["spec"]) and _fits(one, model, {True}))
    wanted = model["modelFormat"]["name"]
    told = f"no runtime found to support predictor with model type: {{{wanted} <nil>}}"
    said = "No runtime supports specified framework/version"
    return next(picked, Refused("NoSupportingRuntime", said, told))


def _is_pickable(spec: Manifest) -> bool:
    """Tell whether a runtime serves one model in one pod: of others none is picked for it."""
    return not (spec.get("disabled") or spec.get("multiModel") or "workerSpec" in spec)


def _named(name: str, model: Manifest, known: Sequence[Manifest]) -> Manifest | Refused:
    found = next((one for one in known if one["metadata"]["name"] == name), None)
    if found is None:
        told = f"No ServingRuntimes or ClusterServingRuntimes with the name: {name}"
        return Refused("RuntimeNotRecognized", "Waiting for runtime to become available", told)
    if found["spec"].get("disabled"):
        told = f"specified runtime {name} is disabled"
        return Refused("RuntimeDisabled", "Specified runtime is disabled", told)
    if _fits(found, model, {True, False, None}):
        return found
    told = "does not support specified framework/version"
    return Refused(
        "NoSupportingRuntime", f"Specified runtime {told}", f"specified runtime {name} {told}"
    )


def _fits(runtime: Manifest, model: Manifest, picking: set[bool | None]) -> bool:
    """Tell whether a runtime serves a format, of those entries that are picked in this way."""
    wanted = model["modelFormat"]
    return any(
        one["name"] == wanted["name"]
        and wanted.get("version") in {None, one.get("version")}
        and one.get("autoSelect") in picking
        for one in runtime["spec"].get("supportedModelFormats") or ()
    )


def pod_of(service: Manifest, runtime: Manifest) -> Manifest:
    """Return the pod's spec as far as runtime, model and weights make it."""
    model, spec = service["spec"]["predictor"]["model"], runtime["spec"]
    shared = {name: spec[name] for name in _OF_PODS if name in spec}
    first, *others = spec["containers"]
    containers = [_joined(_filled(first, service), model), *others]
    return _with_weights({**shared, "containers": containers}, model.get("storageUri", ""))


def _filled(container: Manifest, service: Manifest) -> Manifest:
    text = json.dumps(container)
    for name in ("name", "namespace"):
        text = text.replace(f"{{{{.{name.capitalize()}}}}}", service["metadata"][name])
    filled: Manifest = json.loads(text)
    return filled


def _joined(container: Manifest, model: Manifest) -> Manifest:
    """Return the container of a runtime with a model's own laid over it, its arguments last."""
    ours = {name: value for name, value in model.items() if name not in _NO_CONTAINER}
    names = {one["name"] for one in model.get("env") or ()}
    env = [one for one in container.get("env") or () if one["name"] not in names]
    paths = {one["mountPath"] for one in model.get("volumeMounts") or ()}
    mounts = [one for one in container.get("volumeMounts") or () if one["mountPath"] not in paths]
    lists = {
        "args": [*(container.get("args") or ()), *(model.get("args") or ())],
        "env": [*env, *(model.get("env") or ())],
        "volumeMounts": [*mounts, *(model.get("volumeMounts") or ())],
    }
    return {**container, **ours, **lists}


def _with_weights(pod: Manifest, uri: str) -> Manifest:
    """Return a pod with its weights mounted: downloaded by a container before, or from a claim."""
    if not uri:
        return pod
    mount: Manifest = {"name": "kserve-provision-location", "mountPath": MOUNT, "readOnly": True}
    volume: Manifest = {"name": mount["name"], "emptyDir": {}}
    scheme, _, place = uri.partition("://")
    if scheme == "pvc":
        claim, _, path = place.partition("/")
        mount = {**mount, "name": "kserve-pvc-source", **({"subPath": path} if path else {})}
        volume = {"name": mount["name"], "persistentVolumeClaim": {"claimName": claim}}
    first, *others = pod["containers"]
    first = {**first, "volumeMounts": [*(first.get("volumeMounts") or ()), mount]}
    told = {"containers": [first, *others], "volumes": [*(pod.get("volumes") or ()), volume]}
    fetching = {} if scheme == "pvc" else {"initContainers": [_initializer(uri, mount["name"])]}
    return {**pod, **told, **fetching}


def _initializer(uri: str, volume: str) -> Manifest:
    return {
        "name": INITIALIZER,
        "image": "kserve/storage-initializer:v0.20.0",
        "args": [uri, MOUNT],
        "resources": {
            "limits": {"cpu": "1", "memory": "1Gi"},
            "requests": {"cpu": "100m", "memory": "100Mi"},
        },
        "volumeMounts": [{"name": volume, "mountPath": MOUNT}],
        "terminationMessagePolicy": "FallbackToLogsOnError",
    }


def load_failure(pods: Sequence[Manifest], *, of: Sequence[str]) -> Manifest:
    """Return how a container of these names failed, empty where none did."""
    for pod in pods:
        status = pod.get("status") or {}
        for one in (*status.get("initContainerStatuses", ()), *status.get("containerStatuses", ())):
            ended = _ended(one) if one["name"] in of else {}
            if ended:
                said = {"message": ended["message"]} if ended.get("message") else {}
                return {"exitCode": ended["exitCode"], "reason": "ModelLoadFailed", **said}
    return {}


def _ended(status: Manifest) -> Manifest:
    state = status.get("state") or {}
    ended: Manifest = state.get("terminated") or {}
    if (state.get("waiting") or {}).get("reason") == "CrashLoopBackOff":
        return (status.get("lastState") or {}).get("terminated") or {}
    return ended if ended.get("reason") == "Error" else {}
