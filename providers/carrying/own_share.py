"""What a running workload itself counts for under the quotas of its namespace.

A change needs no room for what is counted already: only what others use is held against it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from decimal import Decimal

import msgspec

from providers.carrying.carrier import Carrier
from providers.contract.capacity import Quota
from providers.contract.manifest import Manifest
from providers.kube.resources import Resource
from providers.workload.capacity import pod_needs
from providers.workload.objects import Pod


def without_own_share(
    carrier: Carrier, lines: Iterable[Quota], workload: Manifest | None
) -> list[Quota]:
    """Return the lines of quotas as if the workload were not there."""
    own = {} if workload is None else _counts_of(carrier, workload)
    return [
        replace(line, used=max(Decimal(0), line.used - own.get(line.resource, Decimal(0))))
        for line in lines
    ]


def _counts_of(carrier: Carrier, workload: Manifest) -> Mapping[str, Decimal]:
    """Return what the workload and its pods count for, by the keys that a quota uses."""
    templates = [msgspec.convert(one, Pod) for one in carrier.templates_of(workload)]
    replicas = _replicas_of(carrier, workload)
    pods = Decimal(replicas * len(templates))
    needs: dict[str, Decimal] = defaultdict(Decimal)
    for template in templates:
        for name, each in pod_needs(template).items():
            needs[name] += each * replicas
    beside = carrier.made_beside(workload)
    return {
        **{name: Decimal(number) for name, number in beside.once.items()},
        **{name: Decimal(number * replicas) for name, number in beside.each.items()},
        _counted_as(carrier.workload.resource): Decimal(1),
        "pods": pods,
        "count/pods": pods,
        **needs,
        **{f"requests.{name}": total for name, total in needs.items()},
    }


def _counted_as(kind: Resource) -> str:
    group, _, _ = kind.api_version.rpartition("/")
    return f"count/{kind.plural}.{group}" if group else f"count/{kind.plural}"


def _replicas_of(carrier: Carrier, workload: Manifest) -> int:
    """Return how many replicas its controller has made, else how many it is to make."""
    made = (workload.get("status") or {}).get("replicas")
    return carrier.replicas_of(workload) if made is None else int(made)
