"""What a revision wants, as far as two of them are told apart in words."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from providers.contract.overrides import Scaling


@dataclass(frozen=True, kw_only=True, slots=True)
class RevisionFacts:
    """One revision; `spec`, `source` and `overrides` are the JSON documents that are stored.

    `engine_args` are merged from template and overrides, `scaling` is resolved. `restart` is the
    mark that a redeployment leaves, `stopped` whether nothing is to run.
    """

    template: str
    template_version: str
    spec: Mapping[str, object]
    source: Mapping[str, object] | None
    serving_name: str
    scaling: Scaling
    rollout: str
    overrides: Mapping[str, object] = field(default_factory=dict)
    engine_args: Mapping[str, str] = field(default_factory=dict)
    enable_multi_lora: bool = False
    stopped: bool = False
    restart: str = ""
