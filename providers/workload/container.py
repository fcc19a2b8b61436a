"""The one container of a model's pod: what the engine asks for, in Kubernetes' words.

Knows no engine by name; everything that differs between them is in the Launch.
"""

from collections.abc import Iterator, Mapping

from providers.contract.manifest import Manifest
from providers.contract.request import DeployRequest
from providers.contract.target import AcceleratorMapping, ClusterTarget
from providers.contract.template import Accelerator
from providers.engines.launch import EnvVar, Launch, Probe
from providers.workload.ports import PORT_NAME
from providers.workload.volumes import folders_of

CONTAINER_NAME = "engine"
# Until every proxy has heard that the pod leaves: engines drop connections at once. The kubelet's
# own sleep needs no shell in the image; it is there without a switch since Kubernetes 1.30.
DRAIN_SECONDS = 5
SCRATCH = "/tmp"  # noqa: S108 - a path in the pod, not on this machine


def render_container(request: DeployRequest, target: ClusterTarget, launch: Launch) -> Manifest:
    """Return the container; what is empty is left out, so that the image's own value counts."""
    engine = request.spec.engine
    folders = folders_of(request, launch)
    given: Manifest = {
        "name": CONTAINER_NAME,
        "image": engine.image,
        "command": list(launch.command),
        "args": list(launch.args),
        "env": [_variable(variable) for variable in environment_of(target, launch)],
        "ports": [{"name": PORT_NAME, "containerPort": launch.port, "protocol": "TCP"}],
        "resources": _resources(request, target),
        "volumeMounts": [folder.mount for folder in folders],
        "startupProbe": _probe(launch.startup),
        "readinessProbe": _probe(launch.readiness),
        "livenessProbe": _probe(launch.liveness),
        "lifecycle": {"preStop": {"sleep": {"seconds": DRAIN_SECONDS}}},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
        },
    }
    return {key: value for key, value in given.items() if value not in ("", [], {})}


def environment_of(target: ClusterTarget, launch: Launch) -> tuple[EnvVar, ...]:
    """Return every variable once: the template's wins over the cluster's `pod_env`.

    A name that stood twice would be refused by a server-side apply.
    """
    cluster = (EnvVar(name=name, value=text) for name, text in sorted(target.pod_env.items()))
    variables = {variable.name: variable for variable in _account(target)}
    variables |= {variable.name: variable for variable in cluster}
    for variable in launch.env:
        variables.pop(variable.name, None)  # a template's variable stands where the engine put it
        variables[variable.name] = variable
    return tuple(variables.values())


def accelerator_mapping(accelerator: Accelerator, target: ClusterTarget) -> AcceleratorMapping:
    """Return how the cluster offers a type; one that it does not map is taken for NVIDIA's."""
    return target.accelerator(accelerator.type) or AcceleratorMapping()


def _account(target: ClusterTarget) -> Iterator[EnvVar]:
    """Give an account that the image does not know a home it can write and a name to ask for."""
    if target.run_as_user:
        yield EnvVar(name="HOME", value=SCRATCH)
        yield EnvVar(name="USER", value="slipway")


def _variable(variable: EnvVar) -> Manifest:
    if variable.secret is None:
        return {"name": variable.name, "value": variable.value}
    key = {"name": variable.secret.name, "key": variable.secret.key}
    return {"name": variable.name, "valueFrom": {"secretKeyRef": key}}


def _probe(probe: Probe) -> Manifest:
    return {
        "httpGet": {"path": probe.path, "port": PORT_NAME},
        "periodSeconds": probe.period_seconds,
        "timeoutSeconds": probe.timeout_seconds,
        "failureThreshold": probe.failure_threshold,
    }


def _resources(request: DeployRequest, target: ClusterTarget) -> Manifest:
    """Return requests, and limits only of accelerators, which must be equal in both.

    Memory has no limit of its own: weights are read through the page cache, and a limit that a
    template guessed would kill a model that fits.
    """
    accelerators = _accelerators(request.spec.accelerator, target)
    requests = {**_requests(request), **accelerators}
    given = {"requests": requests, "limits": accelerators}
    return {key: value for key, value in given.items() if value}


def _requests(request: DeployRequest) -> Mapping[str, str]:
    resources = request.spec.resources
    asked = {
        "cpu": resources.cpu,
        "memory": resources.memory,
        "ephemeral-storage": resources.ephemeral_storage,
    }
    return {name: quantity for name, quantity in asked.items() if quantity is not None}


def _accelerators(accelerator: Accelerator, target: ClusterTarget) -> Mapping[str, str]:
    if not accelerator.per_pod:
        return {}
    return {accelerator_mapping(accelerator, target).resource: str(accelerator.per_pod)}
