"""Questions about a cluster itself: who it is, what it knows, what is free on it.

One object for all providers that go through Kubernetes, so that a pass reads shared kinds once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from providers.contract.capacity import Capacity
from providers.contract.protocols import ClusterFacts, Deadline, SharedReads
from providers.contract.target import ClusterTarget
from providers.kube.bounded import run_all
from providers.kube.client import KubeClient, client_for
from providers.kube.errors import FORBIDDEN, NOT_FOUND, raise_unless_ok
from providers.kube.identity import read_cluster_uid
from providers.kube.lists import Read
from providers.kube.resources import WORKLOADS, Resource
from providers.kube.scope import NamespaceView, view_namespaces
from providers.kube.shared import (
    EVERYONES,
    OURS,
    SharedObjects,
    read_autoscalers,
    read_nodes,
    read_pods,
    read_quotas,
    read_warnings,
)
from providers.workload.capacity import count_capacity
from providers.workload.objects import HorizontalPodAutoscaler, Pod

Reads = Mapping[str, Read[Any]]
"""What was read, by kind."""


class KubeDoor:
    """The ClusterDoor of every provider that goes through the Kubernetes API."""

    name = "kubernetes"

    def probe(self, target: ClusterTarget, *, deadline: Deadline) -> ClusterFacts:
        """Ask version, identity and installed kinds; raises Unavailable or Rejected.

        A kind that may neither be discovered nor listed is left out: nobody knows of it.
        """
        client = client_for(target, deadline=deadline)
        version = client.threads.submit(_version, client, deadline)
        uid = client.threads.submit(read_cluster_uid, client, deadline=deadline)
        space = target.default_namespace
        asked = [partial(_is_installed, client, r, space, deadline) for r in WORKLOADS.values()]
        installed = zip(WORKLOADS, run_all(client.threads, asked), strict=True)
        kinds = {kind: found for kind, found in installed if found is not None}
        return ClusterFacts(version=version.result(), uid=uid.result(), kinds=kinds)

    def read_shared(
        self, target: ClusterTarget, *, with_events_of: Sequence[str], deadline: Deadline
    ) -> SharedReads:
        """Read once what several providers look at, and warning events of some namespaces."""
        client = client_for(target, deadline=deadline)
        autoscalers = client.threads.submit(read_autoscalers, client, deadline=deadline)
        reads, namespaces = _read_pass(client, target, with_events_of, deadline)
        now = reads["Pod"].now or datetime.now(UTC)
        return SharedReads(
            now=now,
            capacity=_capacity(target, reads, now),
            unreadable=_troubles(reads, namespaces),
            payload=_objects(reads, namespaces, autoscalers.result(), now),
        )

    def read_capacity(self, target: ClusterTarget, *, deadline: Deadline) -> Capacity:
        """Count accelerators and quotas only; raises Unavailable when the cluster is silent."""
        client = client_for(target, deadline=deadline)
        quotas = client.threads.submit(read_quotas, client, target, deadline=deadline)
        nodes = read_nodes(client, deadline=deadline)
        pods: Read[Pod] = Read()
        if not nodes.forbidden:
            pods = read_pods(client, target, labels=EVERYONES, deadline=deadline)
        reads: Reads = {"Node": nodes, "Pod": pods, "ResourceQuota": quotas.result()}
        return _capacity(target, reads, nodes.now or datetime.now(UTC))


door = KubeDoor()


def _read_pass(
    client: KubeClient, target: ClusterTarget, with_events_of: Sequence[str], deadline: Deadline
) -> tuple[Reads, NamespaceView]:
    """Read everything; pods wait for the nodes, which tell whether we may see all of them."""
    submit = client.threads.submit
    quotas = submit(read_quotas, client, target, deadline=deadline)
    names = sorted({*target.namespaces, *with_events_of})
    namespaces = submit(view_namespaces, client, names, deadline=deadline)
    nodes = read_nodes(client, deadline=deadline)
    labels = OURS if nodes.forbidden else EVERYONES
    pods = read_pods(client, target, labels=labels, deadline=deadline)
    events = read_warnings(client, with_events_of, deadline=deadline)
    reads: Reads = {"Node": nodes, "Pod": pods, "Event": events, "ResourceQuota": quotas.result()}
    return reads, namespaces.result()


def _objects(
    reads: Reads,
    namespaces: NamespaceView,
    autoscalers: Read[HorizontalPodAutoscaler],
    now: datetime,
) -> SharedObjects:
    return SharedObjects(
        now=now,
        pods=reads["Pod"].items,
        nodes=reads["Node"].items,
        quotas=reads["ResourceQuota"].items,
        namespaces=namespaces,
        events=reads["Event"].items,
        autoscalers=autoscalers,
        forbidden={kind: read.forbidden for kind, read in reads.items() if read.forbidden},
        reach={kind: read.reach for kind, read in reads.items() if read.reach is not None},
        bad=tuple(item for read in reads.values() for item in read.bad),
    )


def _capacity(target: ClusterTarget, reads: Reads, now: datetime) -> Capacity:
    nodes, pods, quotas = reads["Node"], reads["Pod"], reads["ResourceQuota"]
    counted = count_capacity(nodes.items, pods.items, quotas.items, target, now=now)
    hidden = nodes.forbidden or pods.forbidden
    if not hidden and pods.reach is not None:
        hidden = "pods of other namespaces, which hold accelerators too, may not be read"
    if not hidden:
        return counted
    return replace(counted, accelerators=(), unknown_because=hidden)


def _troubles(reads: Reads, namespaces: NamespaceView) -> Mapping[str, str]:
    told = {kind: read.trouble for kind, read in reads.items()}
    told["Namespace"] = namespaces.unreadable
    return {kind: why for kind, why in told.items() if why}


def _version(client: KubeClient, deadline: Deadline) -> str:
    answer = raise_unless_ok(
        client.get("/version", deadline=deadline), doing="asking for the version"
    )
    return str(answer.document().get("gitVersion") or "")


def _is_installed(
    client: KubeClient, resource: Resource, namespace: str, deadline: Deadline
) -> bool | None:
    answer = client.get(resource.group_path, deadline=deadline)
    if answer.status == FORBIDDEN:
        return _is_served(client, resource, namespace, deadline)
    if answer.status == NOT_FOUND:
        return False
    raise_unless_ok(answer, doing=f"asking for {resource.plural}")
    listed = answer.document().get("resources") or []
    return any(entry.get("name") == resource.plural for entry in listed)


def _is_served(
    client: KubeClient, resource: Resource, namespace: str, deadline: Deadline
) -> bool | None:
    """Tell by a list of one whether a kind is there, None where that may not be read either."""
    one = {"limit": "1"}
    answer = client.get(resource.collection(namespace), deadline=deadline, query=one)
    if answer.status == FORBIDDEN:
        return None
    if answer.status == NOT_FOUND:
        return False
    raise_unless_ok(answer, doing=f"listing {resource.plural}")
    return True
