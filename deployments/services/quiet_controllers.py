"""Whether the controller of an implementation may be away, by what runs on the cluster already.

Asks no cluster. Passes say `ControllerNotResponding` of a deployment only where two looks, some
while apart, found its newest change unseen and nothing else that explains it.
"""

from deployments.models import Cluster, StatusChange
from providers.contract.checks import Check, Result
from providers.contract.protocols import Provider
from providers.contract.status import Phase

CODE = "ControllerNotResponding"


def check_controller(provider: Provider, cluster: Cluster) -> tuple[Check, ...]:
    """Warn where another deployment waits for the controller, and none has become ready since."""
    changes = StatusChange.objects.filter(
        deployment__cluster=cluster, deployment__kind=provider.kind
    )
    waiting = changes.filter(
        deployment__closed_at=None, deployment__reason=CODE, reason=CODE
    ).select_related("deployment")
    last = waiting.order_by("-at").first()
    if last is None or changes.filter(phase=Phase.READY, at__gt=last.at).exists():
        return ()
    message = (
        f"the controller of {provider.title} may be away on {cluster.name}: it has not acted on "
        f"{last.deployment.name} (found {last.at:%Y-%m-%d %H:%M} UTC)"
    )
    return (Check(code=CODE, result=Result.WARN, message=message),)
