"""What the simulated API server refuses of an object that it could read, in the real one's words.

Only what our own manifests can meet: a Deployment that is no whole one, a namespace that is
missing or ends, a missing account, a quota without room, of which `pods` and `requests.*` count.
"""

from collections import defaultdict
from decimal import Decimal

from jsonschema import Draft202012Validator

from providers.contract.manifest import Manifest
from providers.contract.quantity import lenient_quantity
from providers.sandbox.kinds import BY_NAME, Kind
from providers.sandbox.messages import forbidden, invalid, not_found
from providers.sandbox.store import Store, is_ending

Amounts = defaultdict[str, Decimal]  # what is not named is 0


def admit(store: Store, kind: Kind, item: Manifest) -> None:
    """Raise Refused when a new object may not be; a dry run is judged like any other."""
    if not kind.namespaced:
        return
    name, namespace = item["metadata"]["name"], item["metadata"]["namespace"]
    found = store.get("namespaces", namespace)
    if found is None:
        raise not_found(BY_NAME["Namespace"], namespace)
    if is_ending(found) and kind.plural != "events":
        why = f"unable to create new content in namespace {namespace}"
        raise forbidden(kind, name, f"{why} because it is being terminated")
    if kind.plural != "pods":
        return
    account = item["spec"]["serviceAccountName"]
    if account != "default" and not store.get("serviceaccounts", account, namespace):
        why = f"error looking up service account {namespace}/{account}"
        raise forbidden(kind, name, f'{why}: serviceaccount "{account}" not found')
    for quota in store.items("resourcequotas", namespace):
        _require_room(store, quota, kind, item)


def validate(kind: Kind, item: Manifest) -> None:
    """Raise Refused for an object that, new or changed, does not fit the schema of its kind."""
    error = next(Draft202012Validator(kind.schema).iter_errors(item), None)
    if error:
        field = ".".join(map(str, error.absolute_path))
        raise invalid(kind, item["metadata"]["name"], field, error.message)


def used_of(store: Store, quota: Manifest) -> dict[str, Decimal]:
    """Return what is used of each line that is enforced."""
    pods = store.items("pods", quota["metadata"]["namespace"])
    asked = [_asked(pod) for pod in pods if not is_finished(pod)]
    hard = sorted(quota["spec"]["hard"])
    lines = [name for name in hard if name == "pods" or name.startswith("requests.")]
    return {name: sum((each[name] for each in asked), Decimal(0)) for name in lines}


def needs_of(pod: Manifest) -> Amounts:
    """Return what a pod asks for; a limit counts where no request stands beside it."""
    together: Amounts = defaultdict(Decimal)
    for container in pod["spec"]["containers"]:
        resources = container.get("resources") or {}
        given = {**(resources.get("limits") or {}), **(resources.get("requests") or {})}
        for name, amount in given.items():
            together[name] += lenient_quantity(str(amount))
    return together


def is_finished(pod: Manifest) -> bool:
    return (pod.get("status") or {}).get("phase") in {"Succeeded", "Failed"}


def _require_room(store: Store, quota: Manifest, kind: Kind, pod: Manifest) -> None:
    asked, used, hard = _asked(pod), used_of(store, quota), quota["spec"]["hard"]
    limits = {name: lenient_quantity(hard[name]) for name in used}
    over = [name for name in used if asked[name] and used[name] + asked[name] > limits[name]]
    if over:
        told = [",".join(f"{name}={each[name]}" for name in over) for each in (asked, used, limits)]
        why = f"requested: {told[0]}, used: {told[1]}, limited: {told[2]}"
        text = f"exceeded quota: {quota['metadata']['name']}, {why}"
        raise forbidden(kind, pod["metadata"]["name"], text)


def _asked(pod: Manifest) -> Amounts:
    needs = {f"requests.{name}": amount for name, amount in needs_of(pod).items()}
    return defaultdict(Decimal, {"pods": Decimal(1), **needs})
