"""What pods ask for, and what the quotas of a namespace say to it.

Only `requests.` of an extended resource counts: a quota of the bare name is accepted and never
enforced, here as there.
"""

from collections.abc import Mapping
from decimal import Decimal

from providers.contract.manifest import Manifest
from providers.contract.quantity import lenient_quantity
from providers.sandbox.answers import forbidden
from providers.sandbox.kinds import BY_PLURAL, Kind
from providers.sandbox.store import Store

Amounts = Mapping[str, Decimal]
_BINARY = ("", "Ki", "Mi", "Gi", "Ti", "Pi")
_FINISHED = frozenset({"Succeeded", "Failed"})
_NATIVE = frozenset({"cpu", "memory", "ephemeral-storage"})


def needs_of(spec: Manifest, field: str = "requests") -> dict[str, Decimal]:
    """Return what a pod asks for: all containers together, or its largest init container."""
    together: dict[str, Decimal] = {}
    for container in spec.get("containers") or ():
        for name, amount in _amounts(container, field).items():
            together[name] = together.get(name, Decimal(0)) + amount
    for container in spec.get("initContainers") or ():
        for name, amount in _amounts(container, field).items():
            together[name] = max(together.get(name, Decimal(0)), amount)
    return together


def is_finished(pod: Manifest) -> bool:
    return (pod.get("status") or {}).get("phase") in _FINISHED


def written(amount: Decimal, name: str = "") -> str:
    """Return a quantity as the API server writes it."""
    if amount % 1:
        return f"{int(amount * 1000)}m"
    whole, step = int(amount), 0
    while ("memory" in name or "storage" in name) and whole and whole % 1024 == 0:
        whole, step = whole // 1024, step + 1
        if step == len(_BINARY) - 1:
            break
    return f"{whole}{_BINARY[step]}"


def admit(store: Store, kind: Kind, item: Manifest) -> None:
    """Raise Refused when a quota of the namespace has no room for a new object.

    A dry run is judged like any other: of a pod by its requests, of all kinds by their count.
    """
    for quota in store.items("resourcequotas", item["metadata"]["namespace"]):
        hard = quota["spec"].get("hard") or {}
        asked = {name: n for name, n in _asked(kind, item).items() if name in hard}
        _require_named(kind, item, quota, hard)
        used = used_of(store, quota)
        over = [
            name
            for name in sorted(asked)
            if asked[name] and used[name] + asked[name] > _number(hard[name])
        ]
        if over:
            raise forbidden(kind, item["metadata"]["name"], _exceeded(quota, over, asked, used))


def used_of(store: Store, quota: Manifest) -> dict[str, Decimal]:
    """Return what is used of each line that is enforced."""
    namespace = quota["metadata"]["namespace"]
    lines = [name for name in quota["spec"].get("hard") or {} if _is_enforced(name)]
    used = {name: Decimal(0) for name in lines}
    for pod in store.items("pods", namespace):
        if not is_finished(pod):
            for name, amount in _asked(BY_PLURAL["pods"], pod).items():
                if name in used and not name.startswith("count/"):
                    used[name] += amount
    for name in lines:
        if name.startswith("count/"):
            plural = name.removeprefix("count/").partition(".")[0]
            used[name] = Decimal(len(store.items(plural, namespace)))
    return used


def _asked(kind: Kind, item: Manifest) -> dict[str, Decimal]:
    asked = {f"count/{kind.qualified}": Decimal(1)}
    if kind.plural != "pods":
        return asked
    asked["pods"] = Decimal(1)
    for name, amount in needs_of(item["spec"]).items():
        asked[f"requests.{name}"] = amount
        if name in _NATIVE:
            asked[name] = amount
    for name, amount in needs_of(item["spec"], "limits").items():
        if name in _NATIVE:
            asked[f"limits.{name}"] = amount
    return asked


def _is_enforced(name: str) -> bool:
    domain, _, rest = name.partition(".")
    if name.startswith("count/"):
        return name.removeprefix("count/").partition(".")[0] in BY_PLURAL
    return name == "pods" or name in _NATIVE or domain == "requests" or rest in _NATIVE


def _require_named(kind: Kind, item: Manifest, quota: Manifest, hard: Manifest) -> None:
    """A quota of cpu or memory wants every container to name it."""
    if kind.plural != "pods":
        return
    lacking = []
    for line in sorted(hard):
        field, _, resource = line.rpartition(".")
        field, resource = field or "requests", resource or line
        if resource not in _NATIVE:
            continue
        names = [
            c["name"] for c in item["spec"]["containers"] if resource not in _amounts(c, field)
        ]
        if names:
            lacking.append(f"{line} for: {','.join(names)}")
    if lacking:
        why = f"failed quota: {quota['metadata']['name']}: must specify {'; '.join(lacking)}"
        raise forbidden(kind, item["metadata"]["name"], why)


def _exceeded(quota: Manifest, over: list[str], asked: Amounts, used: Amounts) -> str:
    hard = {name: _number(quota["spec"]["hard"][name]) for name in over}
    told = [
        ",".join(f"{name}={written(amounts[name], name)}" for name in over)
        for amounts in (asked, used, hard)
    ]
    name = quota["metadata"]["name"]
    return f"exceeded quota: {name}, requested: {told[0]}, used: {told[1]}, limited: {told[2]}"


def _amounts(container: Manifest, field: str) -> dict[str, Decimal]:
    amounts = (container.get("resources") or {}).get(field) or {}
    return {name: _number(value) for name, value in amounts.items()}


def _number(value: object) -> Decimal:
    return lenient_quantity(str(value))
