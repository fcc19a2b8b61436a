"""What is wrong with a request for `k8s-deployment`, as far as no cluster needs to be asked.

Nothing concerns this kind alone but what it can carry; the rest holds for every kind.
"""

from providers.contract.checks import Check
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.kubernetes.render import KIND
from providers.workload.reviewing import faults_of, raise_faults, warnings_of

TOPOLOGIES = frozenset({"standard"})
ALIASES = ("kubernetes",)


def validate(request: DeployRequest, target: ClusterTarget) -> tuple[Check, ...]:
    """Return warnings; raises InvalidRequest with every fault of the request by its field."""
    raise_faults(faults_of(request, (KIND, *ALIASES), TOPOLOGIES))
    return warnings_of(request, target)
