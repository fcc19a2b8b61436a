"""What a preflight in memory finds: the namespace, and what a test lets the runtime refuse."""

from providers.contract.checks import Check, Result
from providers.contract.errors import ProviderError, Rejected, Unavailable
from providers.contract.request import DeployRequest
from providers.testing.memory.cluster import MemoryCluster
from providers.testing.memory.render import render


def checks_of(cluster: MemoryCluster, request: DeployRequest) -> tuple[Check, ...]:
    """Return one check of the namespace, and one for each object that would be refused."""
    kinds = (manifest["kind"] for manifest in render(request))
    refused = [cluster.refusals[kind] for kind in kinds if kind in cluster.refusals]
    return (
        _namespace_check(cluster, request.namespace),
        *(_refusal_check(error) for error in refused),
    )


def _namespace_check(cluster: MemoryCluster, namespace: str) -> Check:
    if namespace in cluster.namespaces:
        return Check(code="Namespace", result=Result.PASS, message=f"namespace {namespace} exists")
    return Check(
        code="NamespaceMissing",
        result=Result.FAIL,
        message=f'namespace "{namespace}" not found',
        field="target.namespace",
    )


def _refusal_check(error: ProviderError) -> Check:
    if isinstance(error, Unavailable):
        raise error
    field = error.field if isinstance(error, Rejected) else ""
    return Check(code=error.code, result=Result.FAIL, message=error.message, field=field)
