"""The model of a predictor: what a serving runtime serves, and what of its pods we say. Pure.

KServe lays our container over that of the runtime: arguments come after its own, variables and
mounts win by name and path, image and resources replace. Probes are left to it, since two kinds of
handlers in one probe would be refused.
"""

from dataclasses import replace

from providers.contract.manifest import Manifest
from providers.contract.request import DeployRequest
from providers.contract.template import ServingRuntime
from providers.kserve.naming import CONTAINER
from providers.kserve.storage import storage_uri

RUNTIME_PORT = 8080
"""Where the runtimes that KServe brings listen, unless the template says otherwise."""

_RUNTIMES_OWN = frozenset({"name", "command", "startupProbe", "readinessProbe", "livenessProbe"})
_NO_PART_OF_A_CONTAINER = frozenset(
    {"modelFormat", "runtime", "runtimeVersion", "protocolVersion", "storage", "storageUri", "name"}
)


def without_claim(request: DeployRequest) -> DeployRequest:
    """Return the request without the claim of its source, which KServe mounts itself."""
    if request.source is None or request.source.cache is None:
        return request
    return replace(request, source=request.source.model_copy(update={"cache": None}))


def model_of(request: DeployRequest, runtime: ServingRuntime, container: Manifest) -> Manifest:
    """Return the predictor's model, from the container as it would be without a runtime."""
    version = {"version": runtime.version} if runtime.version else {}
    named = {"runtime": runtime.name} if runtime.name else {}
    source = request.source
    stored = {"storageUri": storage_uri(source, request.engine_args)} if source else {}
    return {
        "modelFormat": {"name": runtime.format, **version},
        **named,
        **stored,
        **{name: part for name, part in container.items() if name not in _RUNTIMES_OWN},
    }


def container_of(model: Manifest) -> Manifest:
    """Return the container of a model as far as it is known without its runtime."""
    known = {name: part for name, part in model.items() if name not in _NO_PART_OF_A_CONTAINER}
    return {"name": CONTAINER, **known}
