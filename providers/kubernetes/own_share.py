"""What a running Deployment itself counts for under the quotas of its namespace.

A change needs no room for what is counted already: only what others use is held against it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from decimal import Decimal

import msgspec

from providers.contract.capacity import Quota
from providers.contract.manifest import Manifest
from providers.kubernetes.parts import replicas_of
from providers.workload.capacity import pod_needs
from providers.workload.objects import Pod


def without_own_share(lines: Iterable[Quota], deployment: Manifest | None) -> list[Quota]:
    """Return the lines of quotas as if the Deployment were not there."""
    own = {} if deployment is None else _counts_of(deployment)
    return [
        replace(line, used=max(Decimal(0), line.used - own.get(line.resource, Decimal(0))))
        for line in lines
    ]


def _counts_of(deployment: Manifest) -> Mapping[str, Decimal]:
    """Return what the Deployment and its pods count for, by the keys that a quota uses."""
    pods = Decimal(_pods_of(deployment))
    template = msgspec.convert(deployment["spec"]["template"], Pod)
    needs = {name: each * pods for name, each in pod_needs(template).items()}
    return {
        "count/deployments.apps": Decimal(1),
        "pods": pods,
        "count/pods": pods,
        **needs,
        **{f"requests.{name}": total for name, total in needs.items()},
    }


def _pods_of(deployment: Manifest) -> int:
    """Return how many pods its controller has made, else how many it is to make."""
    made = (deployment.get("status") or {}).get("replicas")
    return replicas_of(deployment) if made is None else int(made)
