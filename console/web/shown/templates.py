"""A template in words: what it needs, what it serves, what a deployer may change of it.

Reads the stored spec. One that an older version of the console stored and this one no longer
understands is shown as such, instead of breaking the page.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from console.web.shown.figures import in_minutes
from providers import registry
from providers.contract.bounds import OPEN_OVERRIDES, Bound
from providers.contract.errors import InvalidRequest
from providers.contract.fitting import can_carry
from providers.contract.template import Accelerator, TemplateSpec, parse_spec
from templates_app.models import ModelDeploymentTemplate

Status = ModelDeploymentTemplate.Status

_ENGINES = {"vllm": "vLLM", "sglang": "SGLang", "llamacpp": "llama.cpp", "mock": "Mock"}
_SOURCES = {"huggingface": "Hugging Face", "s3": "S3", "local": "Local path"}


@dataclass(frozen=True, kw_only=True, slots=True)
class StatusLook:
    """How the status of a template looks, and what it means to who wants to launch."""

    tone: str
    icon: str
    meaning: str


STATUS_LOOKS: Mapping[str, StatusLook] = {
    Status.ACTIVE: StatusLook(tone="ok", icon="circle-check", meaning="It can be launched."),
    Status.DRAFT: StatusLook(
        tone="idle",
        icon="pencil",
        meaning="It is being written; a curator activates it when it is ready.",
    ),
    Status.DEPRECATED: StatusLook(
        tone="warn",
        icon="archive",
        meaning="It is no longer offered; what runs from it keeps running.",
    ),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class OverrideRow:
    """One thing that a deployer may change: its path, the template's own value, the bounds."""

    path: str
    default: str
    bounds: str


@dataclass(frozen=True, kw_only=True, slots=True)
class TemplateShown:
    """One template, said; `problem` is why its spec could not be read, and then the rest is empty.

    `source` and `image` are text of the curator's own. `kinds` are the implementations that can run
    it, empty where all can.
    """

    template: ModelDeploymentTemplate
    look: StatusLook
    engine: str = ""
    image: str = ""
    needs: str = ""
    topology: str = ""
    source: str = ""
    loads_within: str = ""
    endpoints: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    overrides: tuple[OverrideRow, ...] = ()
    problem: str = ""


def show_template(template: ModelDeploymentTemplate) -> TemplateShown:
    """Return a template in words."""
    look = STATUS_LOOKS[template.status]
    try:
        spec = parse_spec(template.spec)
    except InvalidRequest as refusal:
        return TemplateShown(template=template, look=look, problem=refusal.message)
    return TemplateShown(
        template=template,
        look=look,
        engine=engine_of(spec),
        image=_image(spec),
        needs=needs_of(spec),
        topology=_topology(spec),
        source=_source(spec),
        loads_within=in_minutes(spec.engine.ready_timeout_seconds),
        endpoints=spec.supported_endpoints,
        kinds=tuple(_kinds(spec)),
        overrides=tuple(_override_rows(spec)),
    )


def _kinds(spec: TemplateSpec) -> Iterator[str]:
    known = registry.providers().values()
    able = [provider.title for provider in known if can_carry(provider, spec)]
    named = spec.compatibility.implementation_kinds if spec.compatibility else ()
    if able and not named and len(able) == len(known):
        return
    yield from able
    names = {name for provider in known for name in (provider.kind, *provider.aliases)}
    yield from (f"{kind} (not installed in this console)" for kind in named if kind not in names)
    if not able and names.issuperset(named):
        yield "none that is installed in this console"


def _image(spec: TemplateSpec) -> str:
    """Say what runs: an image, a serving runtime of the cluster, or one image in place of its."""
    runtime = spec.serving_runtime
    if runtime is None:
        return spec.engine.image
    named = runtime.name or f"for the format {runtime.format}"
    return f"{spec.engine.image} by the serving runtime {named}".strip()


def engine_of(spec: TemplateSpec) -> str:
    """Say the engine with its version, as in "vLLM 0.11.0"."""
    name = _ENGINES.get(spec.engine.type, spec.engine.type.capitalize())
    return f"{name} {spec.engine.version}".strip()


def needs_of(spec: TemplateSpec) -> str:
    """Say what one replica asks for, as in "2 × H100 80 GB, 8 CPU, 64Gi memory"."""
    asked = [
        *([f"{spec.resources.cpu} CPU"] if spec.resources.cpu else ()),
        *([f"{spec.resources.memory} memory"] if spec.resources.memory else ()),
    ]
    if asked and spec.topology.kind != "standard":
        asked[0] = f"each pod {asked[0]}"
    return ", ".join([*_accelerators(spec), *asked])


def accelerators_of(spec: TemplateSpec) -> str:
    """Say which accelerators one replica asks for, by role where it has roles."""
    return ", ".join(_accelerators(spec))


def _accelerators(spec: TemplateSpec) -> Iterator[str]:
    if spec.topology.roles:
        for role in spec.topology.roles:
            yield f"{role.name}: {_accelerator(role.accelerator, role.replicas)}"
    else:
        yield _accelerator(spec.accelerator, spec.topology.nodes or 1)


def _accelerator(accelerator: Accelerator, pods: int) -> str:
    if accelerator.is_cpu:
        return "no accelerator"
    memory = f" {accelerator.vram_gb} GB" if accelerator.vram_gb else ""
    each = f"{accelerator.per_pod} × {accelerator.type}{memory}"
    return f"{each} on each of {pods} pods" if pods > 1 else each


def _topology(spec: TemplateSpec) -> str:
    topology = spec.topology
    if topology.nodes:
        return f"One replica spans {topology.nodes} nodes."
    if topology.roles:
        roles = ", ".join(f"{role.replicas} × {role.name}" for role in topology.roles)
        return f"One replica has roles with pods of their own: {roles}."
    return "One pod for each replica."


def _source(spec: TemplateSpec) -> str:
    source = spec.model_source
    if source is None:
        return "a version of the model, chosen at launch" if _wants_version(spec) else ""
    at = f" at {source.revision}" if source.revision else ""
    return f"{_SOURCES[source.type]}: {source.uri}{at}"


def _wants_version(spec: TemplateSpec) -> bool:
    return "model_version" in spec.overridable


def _override_rows(spec: TemplateSpec) -> Iterator[OverrideRow]:
    others = [path for path in spec.overridable if path not in OPEN_OVERRIDES]
    for path in (*OPEN_OVERRIDES, *others):
        default = _default(spec, path)
        yield OverrideRow(path=path, default=default, bounds=_bounds(path, spec))


def _default(spec: TemplateSpec, path: str) -> str:
    if path.startswith("engine_args."):
        return spec.engine_args.get(path.removeprefix("engine_args."), "")
    if path == "rollout":
        return spec.rollout.strategy
    value = getattr(spec.scaling_defaults, path, None)
    if isinstance(value, bool):
        return "on" if value else "off"
    return "" if value is None else str(value)


def _bounds(path: str, spec: TemplateSpec) -> str:
    bound = spec.overridable.get(path) or Bound()
    if bound.values is not None:
        return f"one of {', '.join(str(value) for value in bound.values)}"
    if bound.min is not None and bound.max is not None:
        return f"{bound.min} to {bound.max}"
    if bound.max is not None:
        return f"at most {bound.max}"
    if bound.min is not None:
        return f"at least {bound.min}"
    return "on or off" if path.startswith("enable_") else "no bounds"
