"""What a ReplicaSet does not do by itself: pods of an earlier template go, so that others come."""

from providers.contract.protocols import Deadline
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.kube.apply import delete_object
from providers.kube.client import client_for
from providers.kube.lists import Selection, read_list
from providers.kube.resources import PODS
from providers.workload.labels import LABEL_ID
from providers.workload.objects import POD_TEMPLATE_HASH, Pod


def remove_outdated(
    request: DeployRequest, target: ClusterTarget, mark: str, deadline: Deadline
) -> None:
    """Delete the pods without the mark of the wanted template; again is the same as once."""
    client = client_for(target, deadline=deadline)
    labels = f"{LABEL_ID}={request.id},{POD_TEMPLATE_HASH}!={mark}"
    selection = Selection(namespace=request.namespace, labels=labels)
    for pod in read_list(client, PODS, Pod, selection, deadline=deadline).items:
        key = PODS.key(pod.name, pod.namespace)
        delete_object(client, key, uid=pod.uid, deadline=deadline, propagation="Background")
