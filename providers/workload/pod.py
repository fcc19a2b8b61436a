"""The pod template of a model: one container, its folders, its place and its rights.

The template carries neither revision nor number of replicas nor display name, so that scaling and
renaming restart nothing.
"""

from providers.contract.manifest import Manifest
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.engines.launch import Launch
from providers.workload.container import DRAIN_SECONDS, accelerator_mapping, render_container
from providers.workload.labels import (
    labels_for,
    model_annotations,
    model_labels,
    restart_annotations,
)
from providers.workload.volumes import folders_of


def render_pod_template(
    request: DeployRequest,
    target: ClusterTarget,
    launch: Launch,
    *,
    implementation: str,
    service: str = "",
    extra_labels: dict[str, str] | None = None,
) -> Manifest:
    """Return `metadata` and `spec` of the pods; `extra_labels` are the runtime's own.

    `service` is the Service before them, where it is not called as the workload is.
    """
    return {
        "metadata": {
            "labels": {
                **labels_for(request, implementation),
                **model_labels(request, port=launch.port),
                **(extra_labels or {}),
            },
            "annotations": {
                **model_annotations(request, service=service or request.runtime_name),
                **restart_annotations(request),
            },
        },
        "spec": _spec(request, target, launch),
    }


def _spec(request: DeployRequest, target: ClusterTarget, launch: Launch) -> Manifest:
    given: Manifest = {
        "containers": [render_container(request, target, launch)],
        "volumes": [folder.volume for folder in folders_of(request, launch)],
        **_placement(request, target),
        "serviceAccountName": target.service_account,
        "automountServiceAccountToken": False,
        "imagePullSecrets": [{"name": name} for name in target.image_pull_secrets],
        "securityContext": _security(request, target),
        # A Service called `vllm` would set VLLM_PORT=tcp://..., and end the engine.
        "enableServiceLinks": False,
        "terminationGracePeriodSeconds": launch.grace_seconds + DRAIN_SECONDS,
    }
    return {key: value for key, value in given.items() if value not in ("", [], {})}


def _placement(request: DeployRequest, target: ClusterTarget) -> Manifest:
    mapping = accelerator_mapping(request.spec.accelerator, target)
    return {
        "nodeSelector": dict(mapping.node_selector),
        "tolerations": [dict(toleration) for toleration in mapping.tolerations],
        "runtimeClassName": mapping.runtime_class,
    }


def _security(request: DeployRequest, target: ClusterTarget) -> Manifest:
    security: Manifest = {"seccompProfile": {"type": "RuntimeDefault"}}
    if target.run_as_user is not None:
        security["runAsUser"] = target.run_as_user
        security["runAsNonRoot"] = target.run_as_user != 0
    if target.run_as_user and request.source and request.source.cache:
        # The claim becomes writable for that account, without walking a huge one at every start.
        security["fsGroup"] = target.run_as_user
        security["fsGroupChangePolicy"] = "OnRootMismatch"
    return security
