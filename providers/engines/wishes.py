"""What a template wants of its engine, folded into one value that every engine reads.

Some wishes can be written twice, as a field of the template and as an engine argument; here they
become one. Which flag carries them, and whether the engine has one, is each engine's matter.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from providers.contract.template import Engine, ModelSource, Parallelism, TemplateSpec
from providers.engines.findings import refuse
from providers.engines.launch import Finding

_TEXT_TWINS = {
    "quantization": "quantization.weight",
    "kv_cache_dtype": "quantization.kv_cache",
    "revision": "model_source.revision",
    "tokenizer": "model_source.tokenizer_path",
    "tokenizer_path": "model_source.tokenizer_path",
    "chat_template": "model_source.chat_template_path",
}
_SWITCH_TWINS = ("enable_lora", "enable_expert_parallel", "trust_remote_code")


@dataclass(frozen=True, kw_only=True, slots=True)
class Wishes:
    """One launch as the engines read it; `args` holds no twin of a field any more.

    `args_path` is where the arguments stand in the template; a port of 0 is not decided yet.
    """

    spec: TemplateSpec
    source: ModelSource | None
    serving_name: str
    port: int
    args: Mapping[str, str]
    weight: str
    kv_cache: str
    revision: str
    tokenizer: str
    chat_template: str
    multi_lora: bool
    expert_parallel: bool
    remote_code: bool
    twins: tuple[Finding, ...] = ()
    args_path: str = "spec.engine_args"

    @property
    def engine(self) -> Engine:
        """Return the engine part of the template."""
        return self.spec.engine

    @property
    def parallelism(self) -> Parallelism:
        """Return the degrees of parallelism."""
        return self.spec.parallelism

    @property
    def uri(self) -> str:
        """Return where the weights come from, empty when nothing says it yet."""
        return self.source.uri if self.source else ""

    @property
    def by_runtime(self) -> bool:
        """Tell whether a runtime of the cluster starts the engine, over files fetched before."""
        return self.spec.serving_runtime is not None

    @property
    def nodes(self) -> int:
        """Return how many nodes carry one replica."""
        return self.spec.topology.nodes or 1

    def path(self, key: str) -> str:
        """Return the path of an engine argument."""
        return f"{self.args_path}.{key}"


def fold_wishes(
    spec: TemplateSpec,
    *,
    source: ModelSource | None,
    serving_name: str,
    args: Mapping[str, str],
    multi_lora: bool = False,
    port: int = 0,
    args_path: str = "spec.engine_args",
) -> Wishes:
    """Fold the fields of a template and their twins among the engine arguments into one value."""
    own = {} if spec.engine.type == "custom" else args
    texts = _texts(spec, source)
    return Wishes(
        spec=spec,
        source=source,
        serving_name=serving_name,
        port=port,
        args={key: args[key] for key in sorted(args) if args[key] and not _is_twin(key, own)},
        weight=_said("quantization.weight", texts, own),
        kv_cache=_said("quantization.kv_cache", texts, own),
        revision=_said("model_source.revision", texts, own),
        tokenizer=_said("model_source.tokenizer_path", texts, own),
        chat_template=_said("model_source.chat_template_path", texts, own),
        multi_lora=multi_lora or own.get("enable_lora") == "true",
        expert_parallel=spec.parallelism.ep > 1 or own.get("enable_expert_parallel") == "true",
        remote_code=spec.engine.allow_remote_code and own.get("trust_remote_code") != "false",
        twins=tuple(_contradictions(spec, own, texts, args_path)),
        args_path=args_path,
    )


def _said(path: str, texts: Mapping[str, str], own: Mapping[str, str]) -> str:
    twins = (own[key] for key, twin in _TEXT_TWINS.items() if twin == path and key in own)
    return texts[path] or next(twins, "")


def _is_twin(key: str, own: Mapping[str, str]) -> bool:
    return key in own and (key in _TEXT_TWINS or key in _SWITCH_TWINS)


def _texts(spec: TemplateSpec, source: ModelSource | None) -> Mapping[str, str]:
    return {
        "quantization.weight": spec.quantization.weight,
        "quantization.kv_cache": spec.quantization.kv_cache,
        "model_source.revision": source.revision if source else "",
        "model_source.tokenizer_path": source.tokenizer_path if source else "",
        "model_source.chat_template_path": source.chat_template_path if source else "",
    }


def _contradictions(
    spec: TemplateSpec, own: Mapping[str, str], texts: Mapping[str, str], args_path: str
) -> Iterator[Finding]:
    for key, path in _TEXT_TWINS.items():
        if key in own and texts[path] and texts[path] != own[key]:
            message = f"spec.{path} says {texts[path]!r} already; leave this argument out"
            yield refuse(f"{args_path}.{key}", message)
    for key in _SWITCH_TWINS:
        if key in own and own[key] not in {"true", "false"}:
            yield refuse(f"{args_path}.{key}", f"must be true or false; {own[key]!r} was given")
    if own.get("enable_expert_parallel") == "false" and spec.parallelism.ep > 1:
        message = f"spec.parallelism.ep is {spec.parallelism.ep}; leave this argument out"
        yield refuse(f"{args_path}.enable_expert_parallel", message)
    if own.get("trust_remote_code") == "true" and not spec.engine.allow_remote_code:
        message = (
            "runs code from the model's repository; set spec.engine.allow_remote_code as well, "
            "or leave this argument out"
        )
        yield refuse(f"{args_path}.trust_remote_code", message)
