"""Which port the engine listens on and which one its Service offers.

The template's port comes first, then the cluster's own, then 8000.
"""

from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget

DEFAULT_PORT = 8000
PORT_NAME = "http"


def container_port(request: DeployRequest, target: ClusterTarget) -> int:
    """Return the port that the engine listens on in the pod."""
    return request.spec.engine.port or target.container_port or DEFAULT_PORT


def service_port(request: DeployRequest, target: ClusterTarget) -> int:
    """Return the port under which the Service offers it."""
    return request.spec.engine.port or target.service_port or DEFAULT_PORT
