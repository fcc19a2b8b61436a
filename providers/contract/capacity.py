"""What is free on a cluster, as last counted: accelerators by type, quotas by namespace."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal


@dataclass(frozen=True, kw_only=True, slots=True)
class AcceleratorCapacity:
    """Whole accelerators of one type; `largest_free_on_one_node` bounds a single pod."""

    type: str
    resource: str
    total: int
    free: int
    largest_free_on_one_node: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Quota:
    """One line of one ResourceQuota; enforced only when the cluster reports it as used."""

    quota: str
    resource: str
    hard: Decimal
    used: Decimal

    @property
    def free(self) -> Decimal:
        """Return what is left, never below zero."""
        return max(Decimal(0), self.hard - self.used)


@dataclass(frozen=True, kw_only=True, slots=True)
class NamespaceQuotas:
    """The quotas of one namespace; every one of them applies."""

    name: str
    quotas: tuple[Quota, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Capacity:
    """One count of a cluster; `unknown_because` says why accelerators could not be counted."""

    observed_at: datetime
    accelerators: tuple[AcceleratorCapacity, ...] = ()
    namespaces: tuple[NamespaceQuotas, ...] = ()
    unknown_because: str = ""

    def of_type(self, accelerator_type: str) -> AcceleratorCapacity | None:
        """Return the count of one type, whatever its case."""
        wanted = accelerator_type.casefold()
        return next((a for a in self.accelerators if a.type.casefold() == wanted), None)
