"""What was recorded of other makers' controllers, asked for anew, and compared with what is there.

Compared is what their controllers write; what differs from run to run (names that are drawn, uids,
times, hashes) and what the API server or a kubelet adds is made alike or left out.
"""

import json
import re
from collections.abc import Iterator, Sequence
from copy import deepcopy

from ruamel.yaml import YAML

from providers.contract.manifest import Manifest
from providers.simulation.simulate import ENVIRONMENT_VARIABLE, Word
from tests.beside import beside
from tests.cluster.harness.api import Api, namespaced

SERVERS = {
    *("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "finalizers"),
    *("deletionTimestamp", "deletionGracePeriodSeconds", "ownerReferences"),
}
WORDS = {"CrashLoopBackOff": Word.CRASH, "OOMKilled": Word.OOM}
MISSING_IMAGES = ("registry.example/no-such", "registry.example/vllm/no-such")
WORKLOADS = {"StormService", "InferenceService"}
_ID = '"slipway.dev/id'
ASKED = {*WORKLOADS, "ResourceQuota"}


def recorded(maker: str, case: str) -> list[Manifest]:
    """Return the objects of one recording."""
    text = (beside("recorded") / maker / f"{case}.yaml").read_text()
    return [one for one in YAML(typ="safe").load_all(text) if one]


def asked(told: Sequence[Manifest], namespace: str, *, word: str = Word.NONE) -> Iterator[Manifest]:
    """Yield what people had applied, quotas and foreign Services first.

    `word` is what befell the containers, where the recording does not say so itself.
    """
    wanted = [one for one in told if one["kind"] in ASKED or _is_foreign(one)]
    for one in sorted(wanted, key=lambda one: one["kind"] not in {"ResourceQuota", "Service"}):
        kept = {name: value for name, value in one["metadata"].items() if name not in SERVERS}
        spec = deepcopy(one["spec"])
        for address in ("clusterIP", "clusterIPs"):
            spec.pop(address, None)
        _play_failures(spec, word)
        metadata = {**kept, "namespace": namespace}
        whole = {"apiVersion": one["apiVersion"], "kind": one["kind"], "metadata": metadata}
        yield _selected_alone({**whole, "spec": spec}, namespace)


def accelerator_quota(namespace: str) -> Manifest:
    """Return a quota of one accelerator, as most recordings of quotas had it."""
    return {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "team", "namespace": namespace},
        "spec": {"hard": {"requests.nvidia.com/gpu": "1"}},
    }


def runtime_of(told: Sequence[Manifest]) -> Manifest:
    """Return the runtime that a recorded Deployment of a model was made with, less its probes.

    With these, which start after 30 s, no test would see it ready.
    """
    (service,) = (one for one in told if one["kind"] == "InferenceService")
    (deployment,) = (one for one in told if one["kind"] == "Deployment")
    model, pod = service["spec"]["predictor"]["model"], deployment["spec"]["template"]["spec"]
    (container,) = deepcopy(pod["containers"])
    own = len(model.get("args") or ())
    args = [one.replace(service["metadata"]["name"], "{{.Name}}") for one in container["args"]]
    ours = {"args": args[:-own], "env": container["env"][:-1]}
    given = ("name", "image", "command", "volumeMounts")
    kept = {name: container[name] for name in given}
    annotations = deployment["metadata"]["annotations"]
    spec = {
        "annotations": {k: v for k, v in annotations.items() if k.startswith("prometheus.")},
        "supportedModelFormats": [{"name": "vLLM", "autoSelect": True}],
        "containers": [{**kept, **ours}],
        "volumes": pod["volumes"],
    }
    kind, version = "ClusterServingRuntime", "serving.kserve.io/v1alpha1"
    named = {"name": model["runtime"]}
    return {"apiVersion": version, "kind": kind, "metadata": named, "spec": spec}


def collection(body: Manifest) -> str:
    """Return where an object is created."""
    version = body["apiVersion"]
    api = f"apis/{version}" if "/" in version else f"api/{version}"
    return namespaced(body["metadata"]["namespace"], f"{body['kind'].lower()}s", api=api)


def _selected_alone(body: Manifest, namespace: str) -> Manifest:
    """Return a body whose selector fits nothing of another namespace: AIBrix looks into all."""
    text = re.sub(rf'({_ID}": )"[^"]*"', rf'\1"{namespace}"', json.dumps(body))
    alone: Manifest = json.loads(text)
    return alone


def _is_foreign(one: Manifest) -> bool:
    return one["kind"] == "Service" and not one["metadata"].get("ownerReferences")


def _play_failures(spec: Manifest, word: str) -> None:
    """Name the failures in the words of our stand-in kubelet, which knows no others."""
    for role in spec.get("template", {}).get("spec", {}).get("roles") or ():
        template = role["template"]
        annotations = (template.get("metadata") or {}).get("annotations") or {}
        played = WORDS.get(annotations.get("fakelet/fail", ""), word)
        _play(template["spec"]["containers"], played)
    _play(spec.get("predictor", {}).get("containers") or (), word)


def _play(containers: Sequence[Manifest], word: str) -> None:
    for container in containers:
        is_missing = container["image"].startswith(MISSING_IMAGES)
        played = Word.IMAGE_NOT_FOUND if is_missing else word
        if played:
            entry = {"name": ENVIRONMENT_VARIABLE, "value": str(played)}
            container["env"] = [*(container.get("env") or ()), entry]


def seen(api: Api, namespace: str, kinds: Sequence[Manifest]) -> list[Manifest]:
    """Return the objects of a namespace, of these kinds (each apiVersion and kind)."""
    found: list[Manifest] = []
    for kind in kinds:
        path = collection({**kind, "metadata": {"namespace": namespace}})
        found.extend({**one, **kind} for one in api.get(path)["items"])
    return found


def essence(objects: Sequence[Manifest]) -> list[str]:
    """Return what the controllers wrote of objects, in one order, as lines to compare.

    Those that are alike are one line: not of every pod a recording was kept.
    """
    return sorted({line for line in map(_line, objects) if line})


def _line(one: Manifest) -> str:
    metadata, spec = one["metadata"], one.get("spec") or {}
    body: Manifest = {
        "labels": _kept(metadata.get("labels")),
        "annotations": _kept(metadata.get("annotations")),
        "finalizers": [
            name for name in metadata.get("finalizers") or () if "/" in name or "." in name
        ],
        "is_ending": "deletionTimestamp" in metadata,
        "owners": [[own["kind"], own["name"]] for own in metadata.get("ownerReferences") or ()],
    }
    if one["kind"] == "Pod":
        engine = spec["containers"][0]
        env = [[entry["name"], entry.get("value")] for entry in engine.get("env") or ()]
        body["env"] = [entry for entry in env if entry[0] != ENVIRONMENT_VARIABLE]
        body["named"] = [spec.get("hostname"), spec.get("subdomain")]
    elif one["kind"] in SPECIFIED:
        body["spec"] = {name: spec.get(name) for name in SPECIFIED[one["kind"]]}
    elif one["kind"] == "Service":
        body["spec"] = {name: spec.get(name) for name in ("selector", "publishNotReadyAddresses")}
        body["is_headless"] = spec.get("clusterIP") == "None"
        body["ports"] = [[one["port"], one["targetPort"]] for one in spec.get("ports") or ()]
    elif one["kind"] == "Event":
        return _event_line(one)
    else:
        body["status"] = _without_times(one.get("status"))
    if one["kind"] == "StormService" and one.get("status"):
        seen = one["status"].get("observedGeneration")
        body["status"]["observedGeneration"] = seen == metadata["generation"]
    return _alike(json.dumps([one["kind"], metadata["name"], body], sort_keys=True), metadata)


def _event_line(one: Manifest) -> str:
    """Return an event of the makers' own kinds, unless it is a sum of others, or of a conflict."""
    about, told = one["involvedObject"], one["message"]
    if about["kind"] not in TOLD or told.startswith("(combined") or CONFLICT in told:
        return ""
    body = ["Event", about["kind"], one["type"], one["reason"], told]
    return _alike(json.dumps(body), {"namespace": one["metadata"]["namespace"]})


TOLD = {*WORKLOADS, "RoleSet", "PodSet"}
CONFLICT = "Operation cannot be fulfilled"
SPECIFIED = {
    "Deployment": ("replicas", "strategy", "selector", "progressDeadlineSeconds"),
    "HorizontalPodAutoscaler": ("minReplicas", "maxReplicas", "metrics", "scaleTargetRef"),
}


def _kept(told: Manifest | None) -> Manifest:
    """Return labels or annotations, less those of others, and the numbers of roles' revisions.

    These say how often a role was changed before; nobody reads them.
    """
    return {
        name: value
        for name, value in (told or {}).items()
        if not name.startswith(("topology.kubernetes.io/", "fakelet/", "deployment.kubernetes.io/"))
        and "/role-revision" not in name
    }


def _without_times(value: object) -> object:
    if isinstance(value, dict):
        return {k: _without_times(v) for k, v in value.items() if not k.endswith("Time")}
    return [_without_times(one) for one in value] if isinstance(value, list) else value


def _alike(text: str, metadata: Manifest) -> str:
    text = re.sub(rf'({_ID}": )"[^"]*"', r'\1"ID"', text)
    text = text.replace(metadata["namespace"], "NAMESPACE")
    text = re.sub(r"-roleset-[a-z0-9]{5}\b", "-roleset-*", text)
    # An index is only a place within one batch, and which roles are named may be long outdated.
    text = re.sub(r'(roleset-index": |ROLESET_INDEX", )"\d+"', r'\1"INDEX"', text)
    text = re.sub(r'"role [a-z,]+ is not ready"', '"role ROLES is not ready"', text)
    text = re.sub(r"\b[0-9a-f]{6}\b", "HASH", text)
    text = re.sub(r"(-roleset-\*-[a-z]+)-[a-z0-9]{5}\b", r"\1-*", text)
    text = re.sub(r"(-predictor)-[a-z0-9]{8,10}(-[a-z0-9]{5})?\b", r"\1-*", text)
    return re.sub(r"(-1a2b3c4d)-[a-z0-9]{5}\b", r"\1-*", text)
