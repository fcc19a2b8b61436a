"""What pods of a `stormservice` are made from, as far as a change would replace them. Pure."""

from collections.abc import Callable

from providers.contract.manifest import Manifest
from providers.contract.request import DeployRequest


def pods_in(before: DeployRequest, after: DeployRequest) -> Callable[[Manifest], object]:
    """Return what tells of a workload what this change replaces pods for.

    Other numbers of roles restart nothing, but for a change where the whole changes hands: there
    everything of a replica is replaced whole.
    """
    changes_hands = before.scaling.has_autoscaler != after.scaling.has_autoscaler
    return _template_of if changes_hands else _roles_of


def _template_of(workload: Manifest) -> Manifest:
    template: Manifest = workload["spec"]["template"]
    return template


def _roles_of(workload: Manifest) -> list[Manifest]:
    """Return the roles but for the numbers of their replicas (see scaling_roles.py)."""
    roles = _template_of(workload)["spec"]["roles"]
    return [{key: value for key, value in role.items() if key != "replicas"} for role in roles]
