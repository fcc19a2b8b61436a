"""What every object of ours bears: labels to find it by, annotations to understand it by.

The one place that spells these keys. An AIBrix gateway finds a model by the labels
`model.aibrix.ai/*` of workload, pods and Service (github.com/vllm-project/aibrix,
pkg/constants/model.go); a name that no label can hold goes to the annotation of the same key.
"""

from providers.contract.manifest import Manifest, digest_of
from providers.contract.request import DeployRequest
from providers.workload.naming import label_value

MANAGED_BY = "slipway"
LABEL_MANAGED_BY = "app.kubernetes.io/managed-by"
LABEL_INSTANCE = "app.kubernetes.io/instance"
LABEL_ID = "slipway.dev/id"
LABEL_IMPLEMENTATION = "slipway.dev/implementation"

ANNOTATION_DISPLAY_NAME = "slipway.dev/display-name"
ANNOTATION_SERVING_NAME = "slipway.dev/serving-name"
ANNOTATION_REVISION = "slipway.dev/revision"
ANNOTATION_DIGEST = "slipway.dev/digest"
ANNOTATION_LAUNCH = "slipway.dev/launch"
ANNOTATION_RESTART = "slipway.dev/restart"

MODEL_NAME = "model.aibrix.ai/name"
MODEL_PORT = "model.aibrix.ai/port"
MODEL_ENGINE = "model.aibrix.ai/engine"
MODEL_SERVICE = "model.aibrix.ai/service-name"

_NOT_DIGESTED = frozenset({ANNOTATION_REVISION, ANNOTATION_DIGEST})


def labels_for(request: DeployRequest, kind: str) -> dict[str, str]:
    """Return the labels of every object; `kind` is the implementation, such as k8s-deployment."""
    return {
        LABEL_MANAGED_BY: MANAGED_BY,
        LABEL_INSTANCE: request.runtime_name,
        LABEL_ID: request.id,
        LABEL_IMPLEMENTATION: kind,
    }


def annotations_for(request: DeployRequest) -> dict[str, str]:
    """Return the annotations of every object but its digest, which `with_digest` adds."""
    return {
        ANNOTATION_DISPLAY_NAME: request.name,
        ANNOTATION_SERVING_NAME: request.serving_name,
        ANNOTATION_REVISION: str(request.revision),
    }


def model_labels(request: DeployRequest, *, port: int) -> dict[str, str]:
    """Return what a gateway looks for: on pods with the container's port, else the Service's."""
    name = label_value(request.serving_name)
    return {
        **({MODEL_NAME: name} if name else {}),
        MODEL_PORT: str(port),
        MODEL_ENGINE: request.spec.engine.type,
    }


def model_annotations(request: DeployRequest, *, service: str) -> dict[str, str]:
    """Return the Service behind the model, and its name where no label can hold it."""
    name = request.serving_name
    return {
        **({MODEL_NAME: name} if name and not label_value(name) else {}),
        MODEL_SERVICE: service,
    }


def restart_annotations(request: DeployRequest) -> dict[str, str]:
    """Return what makes pods other ones when somebody asked for new ones, nothing before that."""
    return {ANNOTATION_RESTART: request.restart} if request.restart else {}


def selector_for(request: DeployRequest) -> dict[str, str]:
    """Return what selects a deployment's pods: the id alone, since selectors never change."""
    return {LABEL_ID: request.id}


def with_digest(manifest: Manifest) -> Manifest:
    """Return the object with the digest of its body, in which revision and digest do not count.

    So an object that a new revision leaves as it was keeps its digest, and is not written.
    """
    metadata = manifest["metadata"]
    annotations = {**metadata.get("annotations", {}), ANNOTATION_DIGEST: body_digest(manifest)}
    return {**manifest, "metadata": {**metadata, "annotations": annotations}}


def body_digest(manifest: Manifest) -> str:
    """Return the digest of an object without its revision and its own digest."""
    metadata = manifest["metadata"]
    annotations: dict[str, str] = metadata.get("annotations") or {}
    counted = {key: text for key, text in annotations.items() if key not in _NOT_DIGESTED}
    return digest_of({**manifest, "metadata": {**metadata, "annotations": counted}})
