"""What a change replaces of a `stormservice`, and whether what is replaced is reached. Pure."""

from collections.abc import Callable
from dataclasses import replace

from providers.contract.changing import Effects
from providers.contract.manifest import Manifest
from providers.stormservice.roles import answering
from providers.workload.changing import Change


def pods_in(change: Change) -> Callable[[Manifest], object]:
    """Return what tells of a workload what this change replaces pods for.

    Other numbers of roles restart nothing, but for a change where the whole changes hands, or while
    another one is on its way: there everything of a replica is replaced whole.
    """
    before, after = change.before, change.after
    changes_hands = before.scaling.has_autoscaler != after.scaling.has_autoscaler
    is_whole = changes_hands or change.running.outdated or not after.spec.topology.roles
    return _template_of if is_whole else _roles_of


def as_reached(told: Effects, change: Change) -> Effects:
    """Return what a change does to clients: the Service leads to pods of the new shape at once.

    Those of before that are ready still are no longer those that may answer.
    """
    if answering(change.before.spec) == answering(change.after.spec):
        return told
    return replace(told, fewest_ready=0)


def _template_of(workload: Manifest) -> Manifest:
    template: Manifest = workload["spec"]["template"]
    return template


def _roles_of(workload: Manifest) -> list[Manifest]:
    """Return the roles but for the numbers of their replicas (see scaling_roles.py)."""
    roles = _template_of(workload)["spec"]["roles"]
    return [{key: value for key, value in role.items() if key != "replicas"} for role in roles]
