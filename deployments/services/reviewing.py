"""What stands against a launch that no cluster needs to be asked about: engine, scaling, provider.

What cannot work is refused by the field that caused it; what may be unwise is a warning.
"""

from collections.abc import Iterator

from deployments.exceptions import InvalidOrder
from deployments.services.answers import checks_of
from deployments.services.calling import calling
from deployments.services.drafts import Draft
from providers.contract.checks import Check, Result
from providers.contract.overrides import chosen_strategy
from providers.contract.request import DeployRequest
from providers.engines import review_spec
from providers.engines.launch import Finding, Weight

AUTO = "auto"
_ARGS, _SOURCE = "spec.engine_args.", "spec.model_source."


def review_request(draft: Draft, request: DeployRequest) -> tuple[Check, ...]:
    """Return the warnings; raises InvalidOrder or InvalidRequest for what cannot work."""
    _refuse_rollout(draft)
    engine = _engine_warnings(draft, request)
    scaling = review_scaling(draft, request)
    with calling(draft.provider.kind, "validate"):
        own = checks_of(draft.provider.validate(request, draft.target))
    return tuple(dict.fromkeys((*engine, *scaling, *own)))


def review_scaling(draft: Draft, request: DeployRequest) -> tuple[Check, ...]:
    """Return the warnings about replicas alone; raises InvalidOrder for what this kind cannot."""
    return tuple(_scaling_warnings(draft, request))


def _refuse_rollout(draft: Draft) -> None:
    """Refuse a way to replace pods that is not this kind's; it can be chosen at every launch."""
    able = draft.provider.capabilities.rollouts
    strategy = chosen_strategy(draft.spec, draft.overrides)
    if strategy != AUTO and strategy not in able:
        field, kind = draft.order.path_of("overrides.rollout"), draft.provider.kind
        use = ", ".join((AUTO, *sorted(able)))
        raise InvalidOrder.of(field, f"{kind} cannot do {strategy}; use one of {use}")


def _engine_warnings(draft: Draft, request: DeployRequest) -> tuple[Check, ...]:
    merged = draft.spec.model_copy(update={"engine_args": request.engine_args})
    findings = review_spec(merged, source=request.source, serving_name=request.serving_name)
    faults: dict[str, tuple[str, ...]] = {}
    for finding in findings:
        if finding.weight is Weight.REFUSE:
            path = _path_of(finding, draft)
            faults[path] = (*faults.get(path, ()), finding.message)
    if faults:
        raise InvalidOrder.about(faults)
    return tuple(
        _warning("EngineWarning", finding.message, _path_of(finding, draft)) for finding in findings
    )


def _path_of(finding: Finding, draft: Draft) -> str:
    """Return the field that the caller gave, where an override and not the template is at fault."""
    argument = finding.path.removeprefix(_ARGS)
    if argument != finding.path and argument in draft.overrides.engine_args:
        return f"overrides.engine_args.{argument}"
    if finding.path.startswith(_SOURCE) and draft.overrides.model_version is not None:
        return "overrides.model_version"
    return finding.path


def _scaling_warnings(draft: Draft, request: DeployRequest) -> Iterator[Check]:
    scaling, field = request.scaling, draft.order.path_of("overrides.enable_auto_scaling")
    if not scaling.autoscaled:
        return
    if not draft.provider.capabilities.autoscaling:
        raise InvalidOrder.of(field, f"{draft.provider.kind} cannot scale by itself; switch it off")
    if not scaling.has_autoscaler:
        yield _warning(
            "AutoscalerWithoutRange",
            f"autoscaling is on but min and max are both {scaling.min_replicas}, "
            "so no autoscaler is made",
            draft.order.path_of("overrides.max_replicas"),
        )
    elif scaling.metric.type == "cpu" and not draft.spec.accelerator.is_cpu:
        yield _warning(
            "CpuMetricOnAccelerator",
            "cpu says little about the load of an accelerator; a pods metric is better",
            "spec.scaling_defaults.metric.type",
        )


def _warning(code: str, message: str, field: str) -> Check:
    return Check(code=code, result=Result.WARN, message=message, field=field)
