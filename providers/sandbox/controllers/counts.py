"""What is only counted: the pods that stand behind a Service, and what a quota has left."""

from providers.contract.manifest import Manifest
from providers.sandbox.admission import is_finished, used_of
from providers.sandbox.controllers.replicasets import is_ready, made_by
from providers.sandbox.desk import Desk
from providers.sandbox.store import is_ending

OF_SERVICE = "kubernetes.io/service-name"


def reconcile_service(desk: Desk, service: Manifest) -> None:
    """Keep the one EndpointSlice of a Service, which bears its name."""
    name, namespace = service["metadata"]["name"], service["metadata"]["namespace"]
    endpoints = [
        {
            "addresses": [pod["status"]["podIP"]],
            "conditions": {"ready": is_ready(pod) and not is_ending(pod)},
            "targetRef": {"kind": "Pod", "name": pod["metadata"]["name"]},
        }
        for pod in desk.store.items("pods", namespace)
        if _stands_behind(pod, service)
    ]
    labels = (service["metadata"].get("labels") or {}) | {OF_SERVICE: name}
    metadata = made_by(service, name) | {"labels": labels}
    desk.keep({"kind": "EndpointSlice", "metadata": metadata, "endpoints": endpoints})


def reconcile_quota(desk: Desk, quota: Manifest) -> None:
    """Report what is used."""
    used = {name: str(amount) for name, amount in used_of(desk.store, quota).items()}
    desk.write({**quota, "status": {"hard": quota["spec"]["hard"], "used": used}})


def _stands_behind(pod: Manifest, service: Manifest) -> bool:
    selector, labels = service["spec"].get("selector"), pod["metadata"].get("labels") or {}
    has_address = pod["status"].get("podIP") and not is_finished(pod)
    return bool(selector and has_address and selector.items() <= labels.items())
