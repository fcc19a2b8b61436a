"""What of an InferenceService is scaling: it changes no pod. Pure."""

from providers.contract.manifest import Manifest
from providers.kserve.render import ANNOTATION_STOP, SCALING_FIELDS


def without_scaling(service: Manifest) -> Manifest:
    """Return an InferenceService without its bounds, its metric and the order to stop."""
    metadata, predictor = service["metadata"], service["spec"]["predictor"]
    told = {key: text for key, text in metadata["annotations"].items() if key != ANNOTATION_STOP}
    kept = {name: part for name, part in predictor.items() if name not in SCALING_FIELDS}
    return {
        **service,
        "metadata": {**metadata, "annotations": told},
        "spec": {**service["spec"], "predictor": kept},
    }
