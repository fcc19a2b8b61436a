"""The columns in which a record repeats the revision that is wanted: lists need no other table."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from deployments.models import Deployment, Revision
from providers.contract.protocols import Endpoint
from providers.contract.request import DeployRequest, Intent
from providers.contract.template import TemplateSpec

MIXED = "mixed"
_TYPES_LENGTH = 60  # characters that the column holds


def revision_columns(revision: Revision, request: DeployRequest) -> dict[str, object]:
    """Return what a record repeats of a revision and of the request that it amounts to."""
    spec, scaling = request.spec, request.scaling
    return {
        "template": revision.template,
        "template_version": revision.template_version,
        "serving_name": revision.serving_name,
        "overrides": revision.overrides,
        "scaling": revision.scaling,
        "min_replicas": scaling.min_replicas,
        "max_replicas": scaling.max_replicas,
        "autoscaled": scaling.autoscaled,
        **accelerator_columns(spec),
        "startup_budget_seconds": spec.engine.ready_timeout_seconds,
    }


def accelerator_columns(spec: TemplateSpec) -> dict[str, Any]:
    """Return how many accelerators one replica asks for, and of which type.

    Of several types each is said with its number; where that is too long, they are `mixed`.
    """
    counts = _accelerators(spec)
    types = " + ".join(
        f"{count} × {name}" if len(counts) > 1 else name for name, count in counts.items()
    )
    return {
        "accelerator_type": types if len(types) <= _TYPES_LENGTH else MIXED,
        "accelerator_count": sum(counts.values()),
    }


def _accelerators(spec: TemplateSpec) -> Mapping[str, int]:
    """Return how many of each type all pods of one replica ask for."""
    pods = [(role.accelerator, role.replicas) for role in spec.topology.roles] or [
        (spec.accelerator, spec.topology.nodes or 1)
    ]
    counts: Counter[str] = Counter()
    for accelerator, number in pods:
        if accelerator.per_pod:
            counts[accelerator.type] += accelerator.per_pod * number
    return counts or {spec.accelerator.type: 0}


def wanted_columns(
    deployment: Deployment, revision: Revision, request: DeployRequest, endpoint: Endpoint
) -> dict[str, object]:
    """Return the columns of a record for which a revision is wanted from now on.

    An address that was seen stays, unless the port is another one.
    """
    columns = {**revision_columns(revision, request), "revision": revision.number}
    columns["region"] = revision.overrides.get("region") or deployment.cluster.region
    columns |= _intent(deployment, request)
    if endpoint.port != deployment.port:
        columns |= {"port": endpoint.port, "endpoint": endpoint.as_dict()}
    return columns


def intent_of(request: DeployRequest) -> Intent:
    """Return what a request wants: with no replicas it is a stop."""
    return Intent.STOPPED if request.scaling.min_replicas == 0 else Intent.RUNNING


def _intent(deployment: Deployment, request: DeployRequest) -> Mapping[str, object]:
    intent = intent_of(request).value
    return {} if deployment.intent == intent else {"intent": intent, "intent_since": timezone.now()}
