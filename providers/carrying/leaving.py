"""What is left of something that is being deleted, and what holds it."""

from providers.contract.protocols import Remaining
from providers.kube.resources import Resource
from providers.workload.holds import holds_of
from providers.workload.objects import Item


def remaining(kind: Resource, item: Item) -> Remaining:
    """Name what is left; the garbage collector's own finalizer is how deletion works, no hold."""
    return Remaining(
        object=kind.key(item.name, item.namespace),
        finalizers={hold.finalizer: hold.owner for hold in holds_of(item)},
    )
