"""Which objects of a kind are read: of one deployment, of some, or of all of an implementation.

Ours bear our labels, and so does what most controllers make of them. Of a kind whose controller
leaves them out, the label counts by which it names the workload.
"""

from collections.abc import Sequence

from providers.carrying.carrier import Carrier
from providers.contract.request import DeploymentRef
from providers.kube.lists import Selection
from providers.kube.resources import Resource
from providers.kube.shared import OURS
from providers.workload.labels import LABEL_ID, LABEL_IMPLEMENTATION


def all_of(carrier: Carrier, resource: Resource) -> Selection:
    """Return the selection of a kind's objects that deployments of this implementation have."""
    ours = f"{OURS},{LABEL_IMPLEMENTATION}={carrier.implementation}"
    return Selection(labels=carrier.named_by(resource) or ours)


def those_of(carrier: Carrier, resource: Resource, refs: Sequence[DeploymentRef]) -> str:
    """Return the label selector of what belongs to some deployments, wherever they are."""
    if label := carrier.named_by(resource):
        names = dict.fromkeys(ref.runtime_name for ref in refs)
        return f"{label} in ({','.join(names)})"
    return f"{LABEL_ID} in ({','.join(ref.id for ref in refs)})"


def one_of(carrier: Carrier, resource: Resource, ref: DeploymentRef) -> Selection:
    """Return the selection of what belongs to one deployment."""
    label = carrier.named_by(resource)
    labels = f"{label}={ref.runtime_name}" if label else f"{LABEL_ID}={ref.id}"
    return Selection(namespace=ref.namespace, labels=labels)
