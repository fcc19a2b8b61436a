"""How long names of this kind may be, by what its controller adds to them.

Measured on the controller itself: it labels RoleSets with NAME-XXXXXX, six digits of a revision,
which must be a label's value; and where an admission webhook of AIBrix runs, it refuses a replica
of several pods whose name and role are longer than 27 together, since it adds 36 to both.
"""

from providers.contract.template import TemplateSpec
from providers.stormservice.roles import MAIN
from providers.workload.naming import MAX_NAME

REVISION = 7
LONGEST_WITH_ROLE = 27

SERVICE_SUFFIX = "-api"

# What the controllers put round the name of a StormService in that of a pod of several nodes.
_POD_OF_NODES = "{name}-roleset-xxxxx-{role}-xxxxxx-0-{rank}"


def room_of(spec: TemplateSpec) -> int:
    """Return how many characters a name must leave free."""
    if spec.topology.nodes:
        return MAX_NAME - (LONGEST_WITH_ROLE - len(MAIN))
    return REVISION


def longest_pod(runtime_name: str, nodes: int) -> int:
    """Return how long the name of the last node's pod is, uncut."""
    return len(_POD_OF_NODES.format(name=runtime_name, role=MAIN, rank=nodes - 1))
