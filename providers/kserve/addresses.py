"""Where a model answers behind KServe: at the address that its status names.

Not at its `url`, which is made from a domain template and leads nowhere without an ingress. The
Service listens on port 80, whatever port the engine has.
"""

import re

from providers.contract.protocols import Endpoint
from providers.contract.request import DeploymentRef, DeployRequest
from providers.kserve.naming import predictor_of
from providers.kserve.objects import InferenceService

PORT = 80
# Below 1024 only root may listen on a machine of one's own.
LOCAL_PORT = 8080
_ADDRESS = re.compile(r"https?://[!-~]{1,500}")


def endpoint(request: DeployRequest) -> Endpoint:
    """Return where the model will answer."""
    return _inside(request.runtime_name, request.namespace)


def endpoint_of(ref: DeploymentRef, service: InferenceService | None) -> Endpoint:
    """Return where the model answers; a stopped one will answer there again.

    Anybody may write a status: what is told there counts only where it is an address.
    """
    told = service.address if service else ""
    url = told if _ADDRESS.fullmatch(told) else ""
    return _inside(ref.runtime_name, ref.namespace, url=url)


def _inside(name: str, namespace: str, *, url: str = "") -> Endpoint:
    service = predictor_of(name)
    forward = f"kubectl -n {namespace} port-forward service/{service} {LOCAL_PORT}:{PORT}"
    return Endpoint(
        url=url or f"http://{service}.{namespace}.svc.cluster.local",
        port_forward=forward,
        port=PORT,
    )
