"""The roles of one replica: what each runs, how many pods it is, and which of them may answer.

A role is a request of its own in which the replica's accelerator and arguments are the role's, so
that whatever renders a pod needs to know nothing of roles.
"""

from dataclasses import dataclass, replace

from providers.contract.manifest import Manifest
from providers.contract.request import DeployRequest
from providers.contract.template import Role, TemplateSpec

MAIN = "main"
PREFILL, DECODE = "prefill", "decode"
ROUTERS = ("routing", "router")

LABEL_ROLE = "role-name"
LABEL_RANK = "stormservice.orchestration.aibrix.ai/pod-group-index"
SERVING_RANK = "0"

# What SGLang must be told of its part; the names of these roles are the values of its flag.
SGLANG_MODE = "disaggregation_mode"
# Where the ranks of one replica find one another; the controller puts the variables before ours.
_SGLANG_RANKS = (
    "--node-rank=$(POD_GROUP_INDEX)",
    "--dist-init-addr=$(PODSET_NAME)-0.$(STORM_SERVICE_NAME):20000",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class RoleRequest:
    """One role: its `request`, `replicas` within one replica of the whole, and `nodes` of each.

    `args` tell each of the nodes its part; they follow those of the engine.
    """

    name: str
    request: DeployRequest
    replicas: int = 1
    nodes: int = 1
    args: tuple[str, ...] = ()


def roles_of(request: DeployRequest) -> tuple[RoleRequest, ...]:
    """Return the roles in the order of the template; one called `main` where it names none."""
    topology = request.spec.topology
    if topology.roles:
        return tuple(
            RoleRequest(name=role.name, request=_in_role(request, role), replicas=role.replicas)
            for role in topology.roles
        )
    nodes = topology.nodes or 1
    return (RoleRequest(name=MAIN, request=request, nodes=nodes, args=_ranks(request.spec)),)


def roles_in(workload: Manifest) -> list[Manifest]:
    """Return the roles of a StormService, which others may have left without any."""
    template = workload["spec"].get("template") or {}
    found = (template.get("spec") or {}).get("roles") or ()
    return [role for role in found if role]


def answering(spec: TemplateSpec) -> dict[str, str]:
    """Return the labels of the pods that may answer, beyond those of all: none where all may.

    Of several nodes the first answers; of several roles the router, or the decode role, which
    needs AIBrix's gateway before it.
    """
    if spec.topology.nodes:
        return {LABEL_RANK: SERVING_RANK}
    names = [role.name for role in spec.topology.roles]
    if not names:
        return {}
    chosen = next((name for name in (*ROUTERS, DECODE) if name in names), names[-1])
    return {LABEL_ROLE: chosen}


def has_router(spec: TemplateSpec) -> bool:
    """Tell whether some role stands before the others."""
    return any(role.name in ROUTERS for role in spec.topology.roles)


def is_half(spec: TemplateSpec, role: Role) -> bool:
    """Tell whether a role is told by its name that it does but half of the work."""
    return spec.engine.type == "sglang" and role.name in {PREFILL, DECODE}


def _in_role(request: DeployRequest, role: Role) -> DeployRequest:
    spec = request.spec.model_copy(update={"accelerator": role.accelerator})
    told = {SGLANG_MODE: role.name} if is_half(request.spec, role) else {}
    merged = {**told, **request.engine_args, **role.engine_args}
    return replace(request, spec=spec, engine_args=merged)


def _ranks(spec: TemplateSpec) -> tuple[str, ...]:
    nodes = spec.topology.nodes
    if nodes is None or spec.engine.type != "sglang":
        return ()
    return (f"--nnodes={nodes}", *_SGLANG_RANKS)
