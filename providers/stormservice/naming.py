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


def room_of(spec: TemplateSpec) -> int:
    """Return how many characters a name must leave free."""
    if spec.topology.nodes:
        return MAX_NAME - (LONGEST_WITH_ROLE - len(MAIN))
    return REVISION
