"""Can this run here, now? Everything is asked at once, and every answer is one line.

Nothing is stored. A cluster that is silent raises Unavailable; what it refuses is a failed check.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from providers.carrying.carrier import Carrier
from providers.carrying.parts import Live, Parts, parts_of, read_live, replicas_of
from providers.carrying.prerequisites import (
    Question,
    check_account,
    check_claim,
    check_namespace,
    check_pull_secret,
    check_quota,
    check_secret,
    read_quotas,
)
from providers.carrying.rehearsing import rehearse, rehearse_pod
from providers.carrying.rivals import check_rivals, find_rivals
from providers.carrying.taking import check_taken_names
from providers.contract.capacity import Capacity
from providers.contract.checks import Check, Result
from providers.contract.errors import Rejected, Unavailable
from providers.contract.manifest import Manifest, digest_of
from providers.contract.protocols import Deadline
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.kube.bounded import run_all
from providers.kube.client import client_for
from providers.kube.identity import require_same_cluster
from providers.workload.checks import check_accelerators

Checks = tuple[Check, ...]

_NEEDS_NAMESPACE = frozenset({"NamespaceMissing", "NamespaceTerminating", "NamespaceToBeMade"})


def preflight(
    carrier: Carrier,
    manifests: Sequence[Manifest],
    request: DeployRequest,
    target: ClusterTarget,
    *,
    capacity: Capacity | None,
    deadline: Deadline,
) -> Checks:
    """Return one line for each thing that was looked at, faults of the namespace first."""
    client = client_for(target, deadline=deadline)
    require_same_cluster(client, target, deadline=deadline)
    asked = Question(
        client=client, carrier=carrier, request=request, target=target, deadline=deadline
    )
    parts = parts_of(carrier, manifests)
    live = client.threads.submit(_live, asked, parts)
    namespace = client.threads.submit(check_namespace, asked)
    quotas = client.threads.submit(read_quotas, asked)
    told = run_all(client.threads, [*_prerequisites(asked), *_rehearsals(asked, parts)])
    checks = [check for group in told for check in group]
    found = live.result()
    return (
        namespace.result(),
        *(() if _running(found) else check_accelerators(request, target, capacity)),
        *check_quota(asked, quotas.result(), parts.workload, _running(found)),
        *_fitting(checks, namespace.result(), found),
        *_cut_by_autoscaler(request, found),
        *_rivals(asked, parts, found),
    )


def _prerequisites(asked: Question) -> list[Callable[[], Checks]]:
    pulls = [partial(check_pull_secret, asked, name) for name in asked.target.image_pull_secrets]
    return [
        partial(check_secret, asked),
        partial(check_claim, asked),
        partial(check_account, asked),
        partial(check_taken_names, asked),
        *pulls,
    ]


def _rehearsals(asked: Question, parts: Parts) -> list[Callable[[], Checks]]:
    workload = parts.workload
    return [
        *(
            partial(rehearse, asked.client, manifest, deadline=asked.deadline)
            for manifest in (workload, *parts.companions)
        ),
        *(
            partial(rehearse_pod, asked.client, workload, template, deadline=asked.deadline)
            for template in _each_once(asked.carrier.templates_of(workload))
        ),
    ]


def _each_once(templates: Sequence[Manifest]) -> Iterable[Manifest]:
    return {digest_of(template): template for template in templates}.values()


def _live(asked: Question, parts: Parts) -> Live | Check:
    """Return what is there already, or the check that says that a name is taken."""
    try:
        return read_live(asked.client, asked.carrier, parts, deadline=asked.deadline)
    except Rejected as error:
        # What may not be read may not be written either: the launch reads it first, as we do here.
        field = "" if error.code == "Forbidden" else "name"
        return Check(code=error.code, result=Result.FAIL, message=error.message, field=field)
    except Unavailable as error:
        if error.code != "StillDeleting":
            raise
        return Check(code=error.code, result=Result.WARN, message=error.message)


def _running(live: Live | Check) -> Manifest | None:
    """Return the workload that is to be changed: what that needs is told as its effects."""
    return None if isinstance(live, Check) else live.workload


def _fitting(checks: Iterable[Check], namespace: Check, live: Live | Check) -> Iterator[Check]:
    """Yield the other checks as they stand beside the namespace and what runs already."""
    if isinstance(live, Check):
        yield live
    for check in checks:
        if namespace.code in _NEEDS_NAMESPACE and check.result is Result.FAIL:
            if namespace.result is Result.UNKNOWN:
                yield _in_new_namespace(check)
        elif _running(live) and check.code == "QuotaExceeded" and check.result is Result.FAIL:
            yield _beside_itself(check)
        else:
            yield check


def _cut_by_autoscaler(request: DeployRequest, live: Live | Check) -> Iterator[Check]:
    """Warn when more replicas run than the autoscaler may keep: it ends them at its next pass."""
    most = request.scaling.max_replicas
    workload = _running(live)
    if workload is None or not request.scaling.has_autoscaler:
        return
    running = replicas_of(workload)
    if running > most:
        text = f"{running} replicas run now; the autoscaler will end all but {most} of them"
        yield Check(
            code="AutoscalerEndsReplicas",
            result=Result.WARN,
            message=text,
            field="overrides.max_replicas",
        )


def _rivals(asked: Question, parts: Parts, live: Live | Check) -> Checks:
    if isinstance(live, Check):
        return ()
    rivals = find_rivals(asked.client, asked.carrier, parts, live, deadline=asked.deadline)
    return tuple(check_rivals(parts, live, rivals))


def _in_new_namespace(check: Check) -> Check:
    """What a namespace lacks that is only to be made may come before its pods start."""
    text = f"{check.message}; the namespace is made at launch, so see to it right after"
    return replace(check, result=Result.WARN, message=text)


def _beside_itself(check: Check) -> Check:
    """A change replaces pods that count under the same quota, so that may have room after all."""
    text = f"{check.message}; what runs of this deployment counts among it"
    return replace(check, result=Result.WARN, message=text)
