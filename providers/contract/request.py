"""One launch, resolved: everything that rendering needs, and what is remembered of it afterwards.

A request is built once per revision by the core; a ref is what the core remembers of a deployment
and hands back with every later verb.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from providers.contract.overrides import Scaling
from providers.contract.status import Status
from providers.contract.template import ModelSource, TemplateSpec


class Rollout(StrEnum):
    """How pods are replaced; `auto` has been resolved before it comes here."""

    SURGE = "surge"
    REPLACE = "replace"
    RECREATE = "recreate"


class Intent(StrEnum):
    """What a person wants of a deployment now."""

    RUNNING = "running"
    STOPPED = "stopped"
    DELETED = "deleted"


@dataclass(frozen=True, kw_only=True, slots=True)
class Provenance:
    """What a launch was made from, in the catalogue's words; `overrides` are those of its revision.

    `stopped` and `restart` are its revision's as well: what neither template nor overrides tell.

    With the rollout it is enough to write a lost record anew from what is on the cluster.
    """

    model: str
    template: str
    template_version: str
    overrides: Mapping[str, object] = field(default_factory=dict)
    created_by: str = ""
    stopped: bool = False
    restart: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class DeployRequest:
    """Intent in full: `id` is the deployment's UUID in text, `runtime_name` that of its objects.

    `engine_args` are merged from template and overrides; `source` and `serving_name` are resolved
    from template, model and model version; `revision` counts from 1. `provenance` None is that of
    an example, which nobody launches. `restart` is a word of its own for each time that somebody
    asked for new pods, empty for never: another word replaces them all. `resume_at` are the
    replicas that ran when it was stopped, 0 for none: an autoscaler's start from 0 begins there.
    """

    id: str
    name: str
    runtime_name: str
    namespace: str
    spec: TemplateSpec
    source: ModelSource | None
    serving_name: str
    scaling: Scaling
    rollout: Rollout
    engine_args: Mapping[str, str] = field(default_factory=dict)
    enable_multi_lora: bool = False
    revision: int = 1
    provenance: Provenance | None = None
    restart: str = ""
    resume_at: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class ApplyResult:
    """How the last write ended: an empty `code` is success, else a reason with its sentence."""

    code: str = ""
    message: str = ""
    at: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class DeploymentRef:
    """What is remembered of a deployment; `applied_revision` 0 means that none was applied yet.

    `startup_budget_seconds` is the template's `ready_timeout_seconds`. `port` is the Service's.
    `claim` is the volume claim that its pods keep models on, told only to who looks at its objects.
    `once_full` tells that the applied revision has been fully available before.
    """

    id: str
    runtime_name: str
    namespace: str
    serving_name: str
    intent: Intent
    intent_since: datetime
    revision: int
    applied_revision: int
    scaling: Scaling
    startup_budget_seconds: int
    workload_uid: str = ""
    pod_digest: str = ""
    port: int = 8000
    claim: str = ""
    once_full: bool = False
    last_status: Status | None = None
    last_apply: ApplyResult = field(default_factory=ApplyResult)
