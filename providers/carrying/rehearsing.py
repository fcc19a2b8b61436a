"""Dry runs of what a launch would write: the API server judges, nothing is stored.

A Pod is tried too where we may, since quotas on pods and the admission of pods judge nothing else.
"""

from collections.abc import Iterator

from providers.contract.checks import Check, Result
from providers.contract.errors import InvalidRequest, ProviderError, Unavailable
from providers.contract.manifest import Manifest
from providers.contract.protocols import Deadline
from providers.kube.apply import Written, rehearse_creation, rehearse_object
from providers.kube.client import KubeClient
from providers.kube.resources import PODS

_UNTOLD = frozenset({"DryRunUnsupported", "WebhookUnavailable"})
_POD_SUFFIX = "-dry-run"
# A pod's name is its host name: as long as those that the controller makes, else the cluster warns.
_POD_NAME_ROOM = 63 - len(_POD_SUFFIX)
_NAMESPACE_FAULTS = frozenset({"NamespaceMissing", "NamespaceTerminating"})


def rehearse(client: KubeClient, manifest: Manifest, *, deadline: Deadline) -> tuple[Check, ...]:
    """Return what the API server says to one object; raises Unavailable when it is silent."""
    try:
        written = rehearse_object(client, manifest, deadline=deadline)
    except ProviderError as error:
        return tuple(_objections(error, manifest["kind"]))
    return (*_warnings(written), _accepted(written))


def rehearse_pod(
    client: KubeClient, workload: Manifest, template: Manifest, *, deadline: Deadline
) -> tuple[Check, ...]:
    """Return what the API server says to one pod of the workload."""
    if not all(one.get("image") for one in template["spec"]["containers"]):
        text = "whether a pod is admitted cannot be tried: its image is the serving runtime's"
        return (Check(code="PodUntried", result=Result.UNKNOWN, message=text),)
    pod = pod_of(workload, template)
    try:
        written = rehearse_creation(client, pod, deadline=deadline)
    except ProviderError as error:
        if error.code == "Forbidden":
            text = f"whether a pod is admitted cannot be tried: {error.message}"
            return (Check(code="PodUntried", result=Result.UNKNOWN, message=text),)
        return tuple(_objections(error, PODS.kind))
    return (*_warnings(written), _accepted(written))


def pod_of(workload: Manifest, template: Manifest) -> Manifest:
    """Return a pod as a workload's template makes it, under a name that nobody has."""
    metadata = workload["metadata"]
    return {
        "apiVersion": PODS.api_version,
        "kind": PODS.kind,
        "metadata": {
            **template["metadata"],
            "name": f"{metadata['name'][:_POD_NAME_ROOM].rstrip('-')}{_POD_SUFFIX}",
            "namespace": metadata["namespace"],
        },
        "spec": template["spec"],
    }


def _objections(error: ProviderError, kind: str) -> Iterator[Check]:
    """Yield what an error tells; a fault of the namespace is told by the check of the namespace."""
    if error.code in _NAMESPACE_FAULTS:
        return
    if error.code in _UNTOLD:
        yield Check(code=error.code, result=Result.UNKNOWN, message=error.message)
    elif isinstance(error, Unavailable):
        raise error
    elif isinstance(error, InvalidRequest):
        yield from _invalid(error, kind)
    else:
        yield Check(code=error.code, result=Result.FAIL, message=error.message)


def _invalid(error: InvalidRequest, kind: str) -> Iterator[Check]:
    for path, texts in error.fields.items():
        told = "; ".join(texts)
        named = f"{kind} {path}" if path else kind
        yield Check(
            code="RefusedByCluster", result=Result.FAIL, message=f"{named}: {told}", field=path
        )


def _warnings(written: Written) -> Iterator[Check]:
    for text in written.warnings:
        yield Check(
            code="ClusterWarning",
            result=Result.WARN,
            message=f"{written.key.kind}: the cluster warns: {text}",
        )


def _accepted(written: Written) -> Check:
    text = f"the cluster accepts the {written.key.kind}"
    return Check(code="Accepted", result=Result.PASS, message=text)
