"""EndpointSlices: which pods stand behind a Service, and whether they answer."""

from collections.abc import Iterable

from providers.contract.manifest import Manifest
from providers.sandbox.controllers.replicasets import is_ready, owner_reference
from providers.sandbox.desk import Desk
from providers.sandbox.kinds import BY_PLURAL
from providers.sandbox.quotas import is_finished
from providers.sandbox.selectors import selects
from providers.sandbox.store import Change, Key, is_ending

OF_SERVICE = "kubernetes.io/service-name"
MANAGED_BY = "endpointslice.kubernetes.io/managed-by"


class EndpointSlices:
    """Keeps one slice per Service."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def concerns(self, change: Change) -> Iterable[Key]:
        if change.key.plural == "services":
            yield change.key
        elif change.key.plural == "pods":
            labels = change.object["metadata"].get("labels") or {}
            for item in self._desk.store.items("services", change.key.namespace):
                if selects({"matchLabels": item["spec"].get("selector")}, labels):
                    yield Key("services", change.key.namespace, item["metadata"]["name"])

    def reconcile(self, key: Key) -> float | None:
        service = self._desk.store.at(key)
        if service is None or is_ending(service) or not service["spec"].get("selector"):
            return None
        found = self._desk.store.owned_by(service["metadata"]["uid"])
        slice_ = next((item for item in found if item["kind"] == "EndpointSlice"), None)
        body = {"endpoints": self._endpoints(service), "ports": _ports(service)}
        if slice_:
            self._desk.write("endpointslices", {**slice_, **body})
        else:
            made = {"metadata": self._metadata(service), "addressType": "IPv4", **body}
            self._desk.create(BY_PLURAL["endpointslices"], made)
        return None

    def _metadata(self, service: Manifest) -> Manifest:
        metadata = service["metadata"]
        labels = {OF_SERVICE: metadata["name"], MANAGED_BY: "endpointslice-controller.k8s.io"}
        return {
            "name": self._desk.name_after(f"{metadata['name']}-"),
            "generateName": f"{metadata['name']}-",
            "namespace": metadata["namespace"],
            "labels": {**(metadata.get("labels") or {}), **labels},
            "ownerReferences": [owner_reference(service)],
        }

    def _endpoints(self, service: Manifest) -> list[Manifest]:
        selector = {"matchLabels": service["spec"]["selector"]}
        pods = self._desk.store.items("pods", service["metadata"]["namespace"])
        return [
            _endpoint(pod)
            for pod in pods
            if selects(selector, pod["metadata"].get("labels") or {})
            and pod["status"].get("podIP")
            and not is_finished(pod)
        ]


def _endpoint(pod: Manifest) -> Manifest:
    ready, ending = is_ready(pod), is_ending(pod)
    named = {name: pod["metadata"][name] for name in ("namespace", "name", "uid")}
    return {
        "addresses": [pod["status"]["podIP"]],
        "conditions": {"ready": ready and not ending, "serving": ready, "terminating": ending},
        "targetRef": {"kind": "Pod", **named},
        "nodeName": pod["spec"]["nodeName"],
    }


def _ports(service: Manifest) -> list[Manifest]:
    return [
        {"name": port.get("name", ""), "port": port["targetPort"], "protocol": port["protocol"]}
        for port in service["spec"].get("ports") or ()
    ]
