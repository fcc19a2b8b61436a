"""How many accelerators a cluster has and how many are free, by the type that templates name.

Counts as the scheduler does: requests of every pod that is bound and not finished, terminating ones
too, since they hold their accelerators until they are gone. Knows no deployment and no template.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache

from providers.contract.capacity import AcceleratorCapacity, Capacity, NamespaceQuotas, Quota
from providers.contract.quantity import lenient_quantity
from providers.contract.target import AcceleratorMapping, ClusterTarget
from providers.workload.objects import Amount, Container, Node, Pod, ResourceQuota, present

# Domains of extended resources that are no accelerators.
_NO_ACCELERATORS = ("kubernetes.io/", "devices.kubevirt.io/", "k8s.cni.cncf.io/")
# What a pod that serves is; a quota of any other scope does not count it.
_OUR_SCOPES = frozenset({"NotTerminating", "NotBestEffort"})
_PRODUCT_LABELS = (".product", ".product-name")

Needs = Mapping[str, Decimal]


@dataclass(frozen=True, kw_only=True, slots=True)
class _NodeCount:
    """One node's accelerators under one resource name: all of them, and those left for a pod."""

    node: Node
    resource: str
    total: int
    free: int


@lru_cache(maxsize=4096)
def amount(value: Amount) -> Decimal:
    """Return a quantity as the cluster gave it; what cannot be read counts as zero."""
    return lenient_quantity(None if value is None else str(value))


def count_capacity(
    nodes: Sequence[Node],
    pods: Iterable[Pod],
    quotas: Iterable[ResourceQuota],
    target: ClusterTarget,
    *,
    now: datetime,
) -> Capacity:
    """Return what is free by accelerator type, and the enforced quotas by namespace."""
    counts = tuple(_node_counts(nodes, _held_by_node(pods)))
    return Capacity(
        observed_at=now,
        accelerators=tuple(_by_type(counts, target)),
        namespaces=count_quotas(quotas),
    )


def pod_needs(pod: Pod) -> dict[str, Decimal]:
    """Return what a pod asks of its node, as the scheduler counts it.

    The larger of all app containers together and of each init container in its turn; init
    containers that restart always run beside everything after them
    (kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/).
    """
    needs = _sum([_needs(item) for item in present(pod.wanted.containers)])
    inits, overhead = present(pod.wanted.init_containers), pod.wanted.overhead
    if inits:
        beside, peak = _init_needs(inits)
        needs = _largest([_sum([beside, needs]), peak])
    return _sum([needs, _amounts(overhead)]) if overhead else needs


def _init_needs(containers: Iterable[Container]) -> tuple[Needs, Needs]:
    """Return what sidecars hold for good, and the most that starting takes at any moment."""
    beside: Needs = {}
    peak: Needs = {}
    for container in containers:
        needs = _needs(container)
        if container.restart_policy == "Always":
            beside = _sum([beside, needs])
            peak = _largest([peak, beside])
        else:
            peak = _largest([peak, _sum([beside, needs])])
    return beside, peak


def _needs(container: Container) -> Needs:
    return _amounts(container.requests)


def _amounts(amounts: Mapping[str, Amount]) -> dict[str, Decimal]:
    return {name: amount(value) for name, value in amounts.items()}


def _sum(parts: Sequence[Needs]) -> dict[str, Decimal]:
    if len(parts) == 1:
        return dict(parts[0])
    names = {name for part in parts for name in part}
    return {name: sum((part.get(name, Decimal(0)) for part in parts), Decimal(0)) for name in names}


def _largest(parts: Sequence[Needs]) -> dict[str, Decimal]:
    names = {name for part in parts for name in part}
    return {name: max(part.get(name, Decimal(0)) for part in parts) for name in names}


def is_accelerator(resource: str) -> bool:
    """Tell whether a resource is an extended one: only those bear a maker's domain."""
    domain, slash, _ = resource.partition("/")
    return bool(slash) and "." in domain and not resource.startswith(_NO_ACCELERATORS)


def _held_by_node(pods: Iterable[Pod]) -> Mapping[str, Needs]:
    """Return what pods hold of extended resources, by node."""
    held: dict[str, dict[str, Decimal]] = defaultdict(lambda: defaultdict(Decimal))
    for pod in pods:
        if not pod.node_name or pod.is_finished or not _asks_for_accelerators(pod):
            continue
        for resource, needed in _accelerators_of(pod):
            held[pod.node_name][resource] += needed
    return held


def _accelerators_of(pod: Pod) -> Iterable[tuple[str, Decimal]]:
    """Return what a pod asks of accelerators; most have one container, and many the same needs."""
    spec = pod.wanted
    containers = present(spec.containers)
    if len(containers) == 1 and not spec.init_containers and not spec.overhead:
        return _accelerators_in(tuple(containers[0].requests.items()))
    return [(name, needed) for name, needed in pod_needs(pod).items() if is_accelerator(name)]


@lru_cache(maxsize=4096)
def _accelerators_in(requests: tuple[tuple[str, Amount], ...]) -> tuple[tuple[str, Decimal], ...]:
    return tuple((name, amount(value)) for name, value in requests if is_accelerator(name))


def _asks_for_accelerators(pod: Pod) -> bool:
    """Tell quickly, since most pods of a cluster ask for none."""
    spec = pod.wanted
    for container in (*(spec.containers or ()), *(spec.init_containers or ())):
        needs = container.resources if container else None
        if needs and any("/" in name for name in (*(needs.limits or ()), *(needs.requests or ()))):
            return True
    return False


def _node_counts(nodes: Iterable[Node], held: Mapping[str, Needs]) -> Iterator[_NodeCount]:
    for node in nodes:
        for resource, given in sorted(node.allocatable.items()):
            total = int(amount(given))
            if total <= 0 or not is_accelerator(resource):
                continue
            left = total - int(held.get(node.name, {}).get(resource, Decimal(0)))
            free = max(0, left) if node.takes_pods else 0
            yield _NodeCount(node=node, resource=resource, total=total, free=free)


def _by_type(counts: Sequence[_NodeCount], target: ClusterTarget) -> Iterator[AcceleratorCapacity]:
    """Yield the types of the cluster's map, then what no type covers by its product's name.

    A node may count under two types, if the map says so: then both share what is free.
    """
    covered: set[int] = set()
    for name, mapping in sorted(target.accelerators.items()):
        matching = [count for count in counts if _matches(count, mapping)]
        covered.update(id(count) for count in matching)
        yield _capacity(name, mapping.resource, matching)
    others: dict[tuple[str, str], list[_NodeCount]] = defaultdict(list)
    for count in counts:
        if id(count) not in covered:
            others[_product(count), count.resource].append(count)
    for (name, resource), uncovered in sorted(others.items()):
        yield _capacity(name, resource, uncovered)


def _matches(count: _NodeCount, mapping: AcceleratorMapping) -> bool:
    labels = count.node.labels
    return count.resource == mapping.resource and all(
        labels.get(key) == value for key, value in mapping.node_selector.items()
    )


def _product(count: _NodeCount) -> str:
    """Return what the device plugin calls the product, else the resource's own name."""
    known = (count.node.labels.get(f"{count.resource}{suffix}") for suffix in _PRODUCT_LABELS)
    return next((name for name in known if name), count.resource)


def _capacity(name: str, resource: str, counts: Sequence[_NodeCount]) -> AcceleratorCapacity:
    return AcceleratorCapacity(
        type=name,
        resource=resource,
        total=sum(count.total for count in counts),
        free=sum(count.free for count in counts),
        largest_free_on_one_node=max((count.free for count in counts), default=0),
    )


def count_quotas(quotas: Iterable[ResourceQuota]) -> tuple[NamespaceQuotas, ...]:
    """Return the enforced lines of all quotas by namespace.

    A line without `used` is accepted by the API server and never enforced: `nvidia.com/gpu` where
    it should say `requests.nvidia.com/gpu`.
    """
    lines: dict[str, list[Quota]] = defaultdict(list)
    concerning = (quota for quota in quotas if quota.scopes <= _OUR_SCOPES)
    for quota in sorted(concerning, key=lambda item: (item.namespace, item.name)):
        lines[quota.namespace].extend(_enforced(quota))
    return tuple(
        NamespaceQuotas(name=name, quotas=tuple(found)) for name, found in lines.items() if found
    )


def _enforced(quota: ResourceQuota) -> Iterator[Quota]:
    if quota.status is None:
        return
    used = quota.status.used or {}
    for resource, hard in sorted((quota.status.hard or {}).items()):
        if used.get(resource) is not None and hard is not None:
            yield Quota(
                quota=quota.name,
                resource=resource,
                hard=amount(hard),
                used=amount(used[resource]),
            )
