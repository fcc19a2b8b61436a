"""Is this still the cluster that it was? Told by the uid of its kube-system namespace.

A proof is kept on the client for a short while, so that it does not cost every verb a call.
"""

import time

from providers.contract.errors import Rejected
from providers.contract.protocols import Deadline
from providers.contract.target import ClusterTarget
from providers.kube.client import KubeClient
from providers.kube.errors import FORBIDDEN, NOT_FOUND, raise_unless_ok
from providers.kube.resources import NAMESPACES

PROOF_SECONDS = 30.0


def read_cluster_uid(client: KubeClient, *, deadline: Deadline) -> str:
    """Return the uid, empty where we may not read it."""
    answer = client.get(NAMESPACES.item("kube-system"), deadline=deadline)
    if answer.status in {FORBIDDEN, NOT_FOUND}:
        return ""
    raise_unless_ok(answer, doing="reading the cluster's identity")
    return str((answer.document().get("metadata") or {}).get("uid") or "")


def require_same_cluster(client: KubeClient, target: ClusterTarget, *, deadline: Deadline) -> None:
    """Raise Rejected with code ClusterChanged when another cluster answers at the address."""
    if not target.uid or client.proved_uids.get(target.uid, 0.0) > time.monotonic():
        return
    found = read_cluster_uid(client, deadline=deadline)
    if found and found != target.uid:
        raise Rejected(
            f"the API server {client.host} is another cluster than {target.name} was before; "
            "an admin has to confirm it",
            code="ClusterChanged",
        )
    client.proved_uids[target.uid] = time.monotonic() + PROOF_SECONDS
