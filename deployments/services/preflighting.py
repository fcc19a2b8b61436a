"""Asks the cluster whether a planned launch can run: a launch is stopped, a preview is told."""

from deployments.exceptions import ClusterRefused
from deployments.services.answers import checks_of
from deployments.services.backing_off import note_answer
from deployments.services.calling import ProviderFailed, calling_cluster
from deployments.services.plans import Plan
from deployments.services.quiet_controllers import check_controller
from deployments.services.translating import translating
from providers.contract.checks import Check, Result
from providers.contract.errors import NotInstalled, ProviderError, Rejected, Unavailable
from providers.contract.protocols import Deadline


def require_preflight(plan: Plan, *, deadline: Deadline) -> tuple[Check, ...]:
    """Return every check of a launch that may go on.

    Raises ClusterRefused for a failed check, ClusterUnavailable when nobody answers, InvalidOrder
    for what only a dry run finds wrong.
    """
    with translating(plan.draft.order.path_of):
        checks = (*plan.warnings, *_ask(plan, deadline))
    failed = [check for check in checks if check.result is Result.FAIL]
    if failed:
        raise ClusterRefused.by_checks(checks, failed)
    return checks


def preview_checks(plan: Plan, *, deadline: Deadline) -> tuple[Check, ...]:
    """Return every check; what the cluster refuses is a failed one, its silence an unknown one.

    Raises InvalidOrder for what only a dry run finds wrong.
    """
    with translating(plan.draft.order.path_of):
        try:
            return (*plan.warnings, *_ask(plan, deadline))
        except (Rejected, NotInstalled) as error:
            return (*plan.warnings, _said(error, Result.FAIL))
        except (Unavailable, ProviderFailed) as error:
            return (*plan.warnings, _said(error, Result.UNKNOWN))


def _ask(plan: Plan, deadline: Deadline) -> tuple[Check, ...]:
    provider = plan.draft.provider
    with calling_cluster(plan.draft.target.name, provider.kind, "preflight"):
        answer = provider.preflight(
            plan.request, plan.draft.target, capacity=plan.capacity, deadline=deadline
        )
        checks = checks_of(answer)
    note_answer(plan.draft.cluster)
    return (*checks, *check_controller(provider, plan.draft.cluster))


def _said(error: ProviderError, result: Result) -> Check:
    field = error.field if isinstance(error, Rejected) else ""
    return Check(code=error.code, result=result, message=error.message, field=field)
