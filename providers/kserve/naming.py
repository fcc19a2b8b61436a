"""What KServe's controller calls what it makes, and how long that lets a name be.

Measured on the controller itself, which says so only after the object was admitted: everything
below it is called NAME-predictor; `isvc.NAME-predictor` must be a label's value, and with the
usual domain template NAME-predictor-NAMESPACE a DNS label, whether or not an ingress is made.
"""

from providers.workload.naming import MAX_NAME

SUFFIX = "-predictor"
CONTAINER = "kserve-container"

_LABEL_PREFIX = "isvc."


def predictor_of(name: str) -> str:
    """Return the name of Deployment, Service and autoscaler below an InferenceService."""
    return name + SUFFIX


def room_in(namespace: str) -> int:
    """Return how many characters a name must leave free in a namespace."""
    of_label = len(_LABEL_PREFIX) + len(SUFFIX)
    of_host = len(SUFFIX) + len("-") + len(namespace)
    return max(of_label, of_host)


LONGEST_NAME = MAX_NAME - len(_LABEL_PREFIX) - len(SUFFIX)
