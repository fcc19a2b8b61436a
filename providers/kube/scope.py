"""Which namespaces there are, as far as we may look: all of them, or those we asked for by name."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from providers.contract.protocols import Deadline
from providers.kube.client import KubeClient
from providers.kube.lists import Read, Selection, read_list, read_one
from providers.kube.resources import NAMESPACES
from providers.workload.objects import Namespace


@dataclass(frozen=True, kw_only=True, slots=True)
class NamespaceView:
    """Namespaces that were found, those that are known to be missing, and whether all were seen."""

    found: Mapping[str, Namespace] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()
    sees_all: bool = False
    unreadable: str = ""

    def knows(self, name: str) -> bool:
        """Tell whether it is known if this namespace is there."""
        return self.sees_all or name in self.found or name in self.missing

    def of(self, name: str) -> Namespace | None:
        return self.found.get(name)


def view_namespaces(
    client: KubeClient, names: Iterable[str], *, deadline: Deadline
) -> NamespaceView:
    """List all namespaces, or read these one by one where listing is forbidden."""
    every = read_list(client, NAMESPACES, Namespace, Selection(), deadline=deadline)
    if not every.forbidden:
        found = {item.name: item for item in every.items}
        unreadable = {item.name for item in every.bad}
        return NamespaceView(found=found, sees_all=not unreadable, unreadable=every.trouble)
    reads = {
        name: read_one(client, NAMESPACES, Namespace, name, deadline=deadline) for name in names
    }
    return NamespaceView(
        found={name: read.items[0] for name, read in reads.items() if read.items},
        missing=frozenset(name for name, read in reads.items() if _is_missing(read)),
        unreadable=every.forbidden,
    )


def _is_missing(read: Read[Namespace]) -> bool:
    return not (read.items or read.forbidden or read.bad)
