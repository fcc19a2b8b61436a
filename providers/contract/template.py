"""The template schema: what a platform team may say about one way to serve a model.

Strict (an unknown field is an error that names its path) and portable: no Kubernetes manifest in
it. What an engine makes of the values is the engines' business; here is only their form.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    ValidationError,
    model_validator,
)

from providers.contract.bounds import (
    Bound,
    RolloutDefaults,
    ScalingDefaults,
    check_overridable,
)
from providers.contract.errors import InvalidRequest
from providers.contract.fields import (
    AcceleratorType,
    EngineArgs,
    EnvMap,
    ImageName,
    Name,
    Number,
    OneWord,
    Path,
    QuantityText,
    ReplicaCount,
    RoleName,
    SecretKey,
    ShortText,
)
from providers.contract.part import Part
from providers.contract.pydantic_errors import FieldFault, fields_of

EngineType = Literal["vllm", "sglang", "llamacpp", "mock", "custom"]
UNVERSIONED_ENGINES = frozenset({"mock", "custom"})


def _known_engine(value: object) -> object:
    if value in ("trtllm", "lmdeploy"):  # a tuple: the value may be what no set can look up
        raise ValueError(f"{value} is not supported yet; use {', '.join(get_args(EngineType))}")
    return value


class Engine(Part):
    """The inference engine; `version` decides which flags it takes, `image` is the whole name."""

    type: Annotated[EngineType, BeforeValidator(_known_engine)]
    version: OneWord = ""
    image: ImageName = ""
    invocation: Literal["http_server"] = "http_server"
    command: tuple[ShortText, ...] = ()
    serve_args: tuple[ShortText, ...] = ()
    env: EnvMap = Field(default_factory=dict)
    health_endpoint: Path = "/health"
    ready_timeout_seconds: Annotated[int, Field(ge=10, le=86_400)] = 900
    metrics_endpoint: Path | None = None
    port: Annotated[int, Field(ge=1, le=65_535)] | None = None
    allow_remote_code: bool = False

    @model_validator(mode="after")
    def _version_is_given(self) -> "Engine":
        if not self.version and self.type not in UNVERSIONED_ENGINES:
            raise FieldFault("version", "is required: it decides which arguments the engine takes")
        return self


class SecretRef(Part):
    """A key of a Secret in the namespace of the deployment; the value is never read here."""

    name: Name
    key: SecretKey = "token"


class Cache(Part):
    """A PersistentVolumeClaim that holds model files between starts."""

    claim: Name
    mount_path: Path


def _secret_ref(value: object) -> object:
    return {"name": value} if isinstance(value, str) else value


class ModelSource(Part):
    """Where the weights come from: a hub id, an s3 address or a path in the pod."""

    type: Literal["huggingface", "s3", "local"]
    uri: Annotated[OneWord, Field(min_length=1)]
    revision: OneWord = ""
    tokenizer_path: OneWord = ""
    chat_template_path: OneWord = ""
    auth_secret_ref: Annotated[SecretRef, BeforeValidator(_secret_ref)] | None = None
    cache: Cache | None = None


class Accelerator(Part):
    """Accelerators of one pod; type `cpu`, in any case, asks for none."""

    type: AcceleratorType
    count: Annotated[int, Field(ge=0, le=1024)] | None = None
    interconnect: ShortText = ""
    vram_gb: Annotated[Number, Field(gt=0, le=100_000)] | None = None
    sku_hint: ShortText = ""

    @property
    def is_cpu(self) -> bool:
        """Tell whether no accelerator is asked for."""
        return self.type.casefold() == "cpu"

    @property
    def per_pod(self) -> int:
        """Return whole accelerators for one pod: 1 unless the template counts them."""
        return 0 if self.is_cpu else 1 if self.count is None else self.count

    @model_validator(mode="after")
    def _count_fits_type(self) -> "Accelerator":
        if self.is_cpu and self.count:
            raise FieldFault("count", "must be 0 or absent when type is cpu")
        if not self.is_cpu and self.count == 0:
            raise FieldFault("count", "must be at least 1; write type cpu to ask for none")
        return self


class ServingRuntime(Part):
    """A runtime of the cluster that serves models of a format; unnamed, the cluster picks one.

    It brings image, command, port and probes. Arguments of the template come after its own.
    """

    format: Annotated[OneWord, Field(min_length=1)]
    version: OneWord = ""
    name: Name | None = None


Degree = Annotated[int, Field(ge=1, le=1024)]


class Parallelism(Part):
    """Degrees of parallelism in the engines' usual letters."""

    tp: Degree = 1
    pp: Degree = 1
    dp: Degree = 1
    ep: Degree = 1
    sp: Degree = 1
    cp: Degree = 1


class Quantization(Part):
    """Names as the engine knows them; which ones it knows is checked by engine and version."""

    weight: ShortText = ""
    kv_cache: ShortText = ""
    weights_artifact_uri: ShortText = ""


class Resources(Part):
    """Requests of one pod, and the size of its shared memory."""

    cpu: QuantityText | None = None
    memory: QuantityText | None = None
    ephemeral_storage: QuantityText | None = None
    shm_size: QuantityText | None = None


class Role(Part):
    """One role of a disaggregated topology."""

    name: RoleName
    accelerator: Accelerator
    replicas: ReplicaCount = 1
    engine_args: EngineArgs = Field(default_factory=dict)


class Topology(Part):
    """The shape of one replica: one pod, several nodes, or roles with pods of their own."""

    kind: Literal["standard", "multi-node", "disaggregated"] = "standard"
    nodes: Annotated[int, Field(ge=2, le=64)] | None = None
    roles: tuple[Role, ...] = ()

    @model_validator(mode="after")
    def _fields_fit_kind(self) -> "Topology":
        if (self.kind == "multi-node") != (self.nodes is not None):
            raise FieldFault("nodes", "is required for multi-node, and only there")
        if (self.kind == "disaggregated") != bool(self.roles):
            raise FieldFault("roles", "are required for disaggregated, and only there")
        names = [role.name for role in self.roles]
        if len(set(names)) != len(names):
            raise FieldFault("roles", "need a name of their own each")
        return self


class Compatibility(Part):
    """Which implementations may carry the template; absent means every one."""

    implementation_kinds: Annotated[tuple[ShortText, ...], Field(min_length=1)]


def _without_nulls(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return tuple(_without_nulls(item) for item in value)
    return value


class TemplateSpec(Part):
    """The whole of a template; see docs/add-a-template.md for an example of each part."""

    engine: Engine
    serving_runtime: ServingRuntime | None = None
    model_source: ModelSource | None = None
    accelerator: Accelerator
    parallelism: Parallelism = Field(default_factory=Parallelism)
    engine_args: EngineArgs = Field(default_factory=dict)
    quantization: Quantization = Field(default_factory=Quantization)
    resources: Resources = Field(default_factory=Resources)
    supported_endpoints: tuple[Path, ...] = ()
    deployment_mode: Literal["dedicated"] = "dedicated"
    topology: Topology = Field(default_factory=Topology)
    compatibility: Compatibility | None = None
    scaling_defaults: ScalingDefaults = Field(default_factory=ScalingDefaults)
    rollout: RolloutDefaults = Field(default_factory=RolloutDefaults)
    overridable: Annotated[Mapping[str, Bound], AfterValidator(check_overridable)] = Field(
        default_factory=dict
    )

    @model_validator(mode="after")
    def _command_is_one(self) -> "TemplateSpec":
        if self.serving_runtime and self.engine.command:
            raise FieldFault("engine.command", "is the serving runtime's; leave it out")
        return self

    @property
    def needs_source(self) -> bool:
        """Tell whether there is nothing to serve without a source, here or of a model version."""
        return self.engine.type not in UNVERSIONED_ENGINES or self.serving_runtime is not None

    def allows_kind(self, kind: str) -> bool:
        """Tell whether an implementation of this kind may carry the template."""
        return self.compatibility is None or kind in self.compatibility.implementation_kinds

    def as_document(self) -> dict[str, Any]:
        """Return plain JSON values as written: defaults that nobody set are left out."""
        return self.model_dump(mode="json", exclude_unset=True)


def parse_spec(document: object, *, at: str = "spec") -> TemplateSpec:
    """Read a spec from JSON-like values; raises InvalidRequest by path, beginning with `at`.

    A null counts as absent.
    """
    if not isinstance(document, Mapping):
        raise InvalidRequest.of(at, "must be an object with engine, accelerator and so on")
    try:
        return TemplateSpec.model_validate(_without_nulls(document))
    except ValidationError as error:
        raise InvalidRequest(fields_of(error, at=at)) from error
