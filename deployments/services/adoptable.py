"""What adopting objects without a record would store, worked out without asking their cluster."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from uuid import UUID

from django.contrib.auth.models import User
from django.utils import timezone

from deployments.exceptions import InvalidOrder, NotAdoptable
from deployments.models import Deployment, Orphan, Revision
from deployments.models.history import RevisionOutcome
from deployments.services.answers import answer_of, each_of, manifests_of
from deployments.services.calling import calling, provider_of
from deployments.services.clusters import target_of
from deployments.services.drafts import Draft, request_from
from deployments.services.orders import read_order
from deployments.services.orphan_groups import OrphanGroup
from deployments.services.plans import Plan, refuse_taken_name
from deployments.services.reclaiming import managed_object_of, reclaiming_provider
from deployments.services.refs import apply_result_document, request_of
from deployments.services.resuming import at_rest
from deployments.services.revision_columns import intent_of, revision_columns
from deployments.services.snapshots import set_columns
from deployments.services.storing import record_of, revision_of
from deployments.services.translating import translating
from providers.contract.errors import ProviderError
from providers.contract.manifest import Manifest, digest_of
from providers.contract.overrides import parse_overrides
from providers.contract.protocols import Endpoint
from providers.contract.request import ApplyResult, DeployRequest, Provenance, Rollout
from providers.contract.template import parse_spec
from templates_app.models import ModelDeploymentTemplate
from templates_app.names import NAME_LENGTH, name_key

FIELD = "deployment_id"


@dataclass(frozen=True, kw_only=True, slots=True)
class Adoption:
    """What would be stored: the record as it will be, and a revision where one is added.

    `columns` are those of a closed record that change; there are none where the record is new.
    `differences` name what was not written from what will be on record.
    """

    group: OrphanGroup
    deployment: Deployment
    revision: Revision | None
    differences: tuple[str, ...] = ()
    columns: dict[str, object] = field(default_factory=dict)

    @property
    def is_new(self) -> bool:
        """Tell whether there is no record to open."""
        return not self.columns


def plan_adoption(group: OrphanGroup, *, user: User, name: str = "") -> Adoption:
    """Return what adopting a group would store, under its own name unless one is given.

    Raises NotAdoptable with the reason, NameTaken, or InvalidOrder for a name that is none.
    """
    workload = group.workload
    if group.hindrance or workload is None:
        raise NotAdoptable(FIELD, group.hindrance)
    wanted = read_order({"name": name or group.display_name}).name
    try:
        reclaiming_provider(group.key.implementation)
        if group.record is not None:
            return _reopened(group, group.record, workload, wanted)
        return _written_anew(group, workload, wanted, user)
    except ProviderError as error:
        raise NotAdoptable(FIELD, error.message) from error


def suggested_name(group: OrphanGroup) -> str:
    """Return a name that nobody else is likely to have."""
    ending = f"-{group.key.deployment_id[:8]}"
    return f"{group.display_name[: NAME_LENGTH - len(ending)]}{ending}"


def _reopened(group: OrphanGroup, record: Deployment, workload: Orphan, name: str) -> Adoption:
    _refuse_another_place(group, record, workload)
    running = record.revisions.filter(number=workload.revision or record.revision).first()
    if running is None:
        raise NotAdoptable(
            FIELD,
            f"revision {workload.revision} runs, of which its record knows nothing; "
            "it can only be removed",
        )
    added = None if running.number == record.revision else _copy_of(running, record)
    current = added or running
    request = replace(request_of(record, running), name=name)
    refuse_taken_name(group.cluster, request)
    columns = _opening_columns(record, current, workload, name)
    columns["intent"] = intent_of(request).value
    if added is not None:
        columns |= revision_columns(added, request)
    adopted = copy(record)
    set_columns(adopted, columns)
    return Adoption(
        group=group,
        deployment=adopted,
        revision=added,
        differences=_differences(group, running.manifests),
        columns=columns,
    )


def _refuse_another_place(group: OrphanGroup, record: Deployment, workload: Orphan) -> None:
    here = (group.cluster.pk, group.key.namespace, group.key.implementation, workload.name)
    if here != (record.cluster_id, record.namespace, record.kind, record.runtime_name):
        raise NotAdoptable(
            FIELD,
            f"its record is that of {record.runtime_name} in {record.cluster.name} / "
            f"{record.namespace}; this is a copy, which can only be removed",
        )


def _copy_of(running: Revision, record: Deployment) -> Revision:
    """Return the revision that runs as the newest one: history is only ever appended to."""
    added = copy(running)
    added.pk, added._state = None, type(running._state)()  # noqa: SLF001 - Django's own way to copy a row
    latest = record.revisions.order_by("-number").values_list("number", flat=True)[0]
    added.number = latest + 1
    added.reason = f"adopted as it runs, from revision {running.number}"
    added.outcome = RevisionOutcome.APPLIED
    added.created_at = timezone.now()
    return added


def _opening_columns(
    record: Deployment, current: Revision, workload: Orphan, name: str
) -> dict[str, object]:
    now = timezone.now()
    return {
        "name": name,
        "name_key": name_key(name),
        "closed_at": None,
        "intent_since": now,
        "revision": current.number,
        "applied_revision": current.number,
        "workload_uid": workload.uid,
        "pod_digest": record.pod_digest if current.number == record.revision else "",
        "last_apply": apply_result_document(ApplyResult(at=now)),
        "observed_at": None,
    }


def _written_anew(group: OrphanGroup, workload: Orphan, name: str, user: User) -> Adoption:
    told = Provenance(**(workload.provenance or {}))
    plan = _plan(group, workload, told, name)
    refuse_taken_name(group.cluster, plan.request)
    author = User.objects.filter(username=told.created_by).first()
    deployment = record_of(plan, user=user)
    deployment.created_by = author or (None if told.created_by else user)
    deployment.created_by_name = told.created_by or user.get_username()
    deployment.created_at = workload.created_at or deployment.created_at
    deployment.applied_revision = plan.request.revision
    deployment.workload_uid = workload.uid
    revision = revision_of(plan, deployment, user=user)
    revision.stopped, revision.reason = told.stopped, "adopted as it runs"
    revision.outcome = RevisionOutcome.APPLIED
    as_told = replace(plan.request, name=group.display_name)
    with calling(plan.draft.provider.kind, "render"):
        written = manifests_of(plan.draft.provider.render(as_told, plan.draft.target))
    return Adoption(
        group=group,
        deployment=deployment,
        revision=revision,
        differences=_differences(group, written),
    )


def _plan(group: OrphanGroup, workload: Orphan, told: Provenance, name: str) -> Plan:
    try:
        with translating():
            draft = _draft(group, told, name)
            drafted = request_from(
                draft,
                deployment_id=UUID(group.key.deployment_id),
                rollout=Rollout(workload.rollout or Rollout.SURGE),
            )
    except InvalidOrder as error:
        raise NotAdoptable(
            FIELD, f"what it was launched from does not fit the catalogue: {error.message}"
        ) from error
    request = replace(
        drafted,
        runtime_name=workload.name,
        revision=workload.revision or 1,
        scaling=at_rest(drafted.scaling) if told.stopped else drafted.scaling,
        restart=told.restart,
        provenance=told,
    )
    return _rendered(draft, request)


def _draft(group: OrphanGroup, told: Provenance, name: str) -> Draft:
    template = _template(told)
    return Draft(
        order=read_order({"name": name}),
        overrides=parse_overrides(told.overrides),
        template=template,
        spec=parse_spec(template.spec),
        provider=provider_of(group.key.implementation),
        cluster=group.cluster,
        target=target_of(group.cluster),
        namespace=group.key.namespace,
    )


def _template(told: Provenance) -> ModelDeploymentTemplate:
    rows = ModelDeploymentTemplate.objects.select_related("model")
    found = rows.filter(
        model_id=told.model, name=told.template, version=told.template_version
    ).first()
    if found is None:
        raise NotAdoptable(
            FIELD,
            f"it was launched from the template {told.template} {told.template_version} of the "
            f"model {told.model}, which the catalogue has not; import that, then adopt",
        )
    return found


def _rendered(draft: Draft, request: DeployRequest) -> Plan:
    with calling(draft.provider.kind, "render"):
        manifests = manifests_of(draft.provider.render(request, draft.target))
        endpoint = answer_of(Endpoint, draft.provider.endpoint(request, draft.target))
    return Plan(
        draft=draft,
        request=request,
        capacity=None,
        manifests=manifests,
        digest=digest_of(list(manifests)),
        endpoint=endpoint,
        warnings=(),
    )


def _differences(group: OrphanGroup, manifests: Sequence[Manifest]) -> tuple[str, ...]:
    provider = reclaiming_provider(group.key.implementation)
    objects = [managed_object_of(row) for row in group.objects]
    with calling(group.key.implementation, "differences"):
        return each_of(str, provider.differences(manifests, objects))
