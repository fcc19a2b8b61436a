"""What the tests of changes look at: record, revisions, and the one workload on the cluster."""

from collections.abc import Callable

from deployments.models import AuditEntry, Deployment
from deployments.services.changing import Changed, ChangePreview
from providers.contract.manifest import Manifest
from providers.testing.memory.cluster import MemoryCluster

Change = Callable[..., Changed]
Preview = Callable[..., ChangePreview]


def again(deployment: Deployment) -> Deployment:
    """Read a record anew."""
    return Deployment.objects.get(pk=deployment.pk)


def workload(memory: MemoryCluster) -> Manifest:
    """Return the one workload as it stands on the cluster."""
    return next(m.manifest for key, m in memory.objects.items() if key.kind == "MemoryWorkload")


def outcomes(deployment: Deployment) -> list[tuple[int, str, str]]:
    """Return number, verb and outcome of every revision."""
    rows = deployment.revisions.order_by("number")
    return [(row.number, row.verb, row.outcome) for row in rows]


def ends() -> list[tuple[str, str]]:
    """Return every act on deployments but the launch, with its outcome, as they were told."""
    rows = AuditEntry.objects.filter(object_type="deployment").order_by("id")
    told = rows.exclude(action="deployment.create").values_list("action", "outcome")
    return [(action.removeprefix("deployment."), outcome) for action, outcome in told]


def fault_at_update(memory: MemoryCluster, error: Exception, *, times: int) -> None:
    """Let so many updates fail; those after them go through."""

    class Failing(dict[str, Exception]):
        left = times

        def get(self, verb: str, default: object = None) -> object:  # type: ignore[override]
            if verb != "update" or not self.left:
                return default
            self.left -= 1
            return error

    memory.faults = Failing()  # type: ignore[assignment]
