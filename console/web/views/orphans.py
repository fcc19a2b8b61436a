"""What runs on a cluster without a record: the list, and pages that ask before anything is done."""

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_safe

from console.web.decorators import cluster_required
from console.web.forms.deployments import DeletionForm
from console.web.htmx import render_page
from console.web.origin import origin_of
from console.web.shown.orphans import AdoptionShown, fault_of, field_of, sentence_of, show_group
from deployments.access import require_admin
from deployments.exceptions import InvalidOrder, NameTaken, SlipwayError
from deployments.models import Cluster
from deployments.services.adoptable import plan_adoption, suggested_name
from deployments.services.adopting import adopt_orphans
from deployments.services.orphan_groups import GroupKey, OrphanGroup, group_keys, orphan_groups
from deployments.services.reclaiming import Removal, remove_orphans
from providers.contract.manifest import ObjectKey

PAGE_SIZE = 25
DOING = "see and change what has no record"
CHOOSE = "Choose at least one deployment first; what is not on this list any more is gone."


@require_safe
@cluster_required
def orphan_list(request: HttpRequest, cluster: Cluster) -> HttpResponse:
    """Show what the last full pass found, one deployment's objects at a time."""
    require_admin(request.user, doing=DOING)
    page = Paginator(group_keys(cluster), PAGE_SIZE).get_page(request.GET.get("page"))
    groups = orphan_groups(cluster, list(page))
    context = {"cluster": cluster, "page": page, "groups": [show_group(one) for one in groups]}
    return render_page(request, "clusters/orphans.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@cluster_required
def orphans_remove(request: HttpRequest, cluster: Cluster) -> HttpResponse:
    """Ask before objects are removed; those that were shown are sent, by their uids."""
    require_admin(request.user, doing=DOING)
    form = DeletionForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        return _remove(request, cluster, form.cleaned_data["reason"])
    groups = _chosen(_given(request), cluster)
    if not groups:
        return _choose(request, cluster)
    context = {
        "cluster": cluster,
        "groups": [show_group(group) for group in groups],
        "count": sum(len(group.objects) for group in groups),
        "form": form,
    }
    return render_page(request, "clusters/orphans_remove.html", context, status=_status(form))


@require_http_methods(["GET", "HEAD", "POST"])
@cluster_required
def orphans_adopt(request: HttpRequest, cluster: Cluster) -> HttpResponse:
    """Ask before deployments are managed again; those that cannot be stay with the reason."""
    require_admin(request.user, doing=DOING)
    form = DeletionForm(request.POST if request.method == "POST" else None)
    groups, given = _chosen(_given(request), cluster), _given(request)
    if not groups:
        return _choose(request, cluster)
    faults: dict[GroupKey, SlipwayError] = {}
    if form.is_valid():
        faults = _adopt(request, groups, form.cleaned_data["reason"])
        if not faults:
            return redirect("orphans", cluster.pk)
    left = [group for group in groups if not form.is_valid() or group.key in faults]
    shown = [_adoption(request, group, given, faults.get(group.key)) for group in left]
    context = {
        "cluster": cluster,
        "adoptions": shown,
        "may_be_sent": any(one.may_be_sent for one in shown),
        "form": form,
    }
    return render_page(request, "clusters/orphans_adopt.html", context, status=_status(form))


def _remove(request: HttpRequest, cluster: Cluster, reason: str) -> HttpResponse:
    try:
        removal = remove_orphans(
            cluster,
            request.POST.getlist("uid"),
            user=_person(request),
            reason=reason,
            origin=origin_of(request),
        )
    except SlipwayError as error:
        messages.error(request, f"Not removed. {sentence_of(error)}")
    else:
        _tell(request, removal)
    return redirect("orphans", cluster.pk)


def _tell(request: HttpRequest, removal: Removal) -> None:
    if removal.removed:
        messages.success(request, f"Removed: {_names(removal.removed)}.")
    if removal.waiting_for:
        names = _names(tuple(rest.object for rest in removal.waiting_for))
        holds = {
            name: whose for rest in removal.waiting_for for name, whose in rest.finalizers.items()
        }
        told = "; ".join(f"{name}, {whose}" if whose else name for name, whose in holds.items())
        held = f" Held by {told}." if holds else ""
        messages.info(request, f"The cluster is removing: {names}.{held}")


def _adopt(
    request: HttpRequest, groups: list[OrphanGroup], reason: str
) -> dict[GroupKey, SlipwayError]:
    faults: dict[GroupKey, SlipwayError] = {}
    for group in groups:
        try:
            deployment = adopt_orphans(
                group,
                user=_person(request),
                name=request.POST.get(field_of(group), ""),
                reason=reason,
                origin=origin_of(request),
            )
        except SlipwayError as error:
            faults[group.key] = error
        else:
            messages.success(request, f"{deployment.name} is managed again.")
    return faults


def _adoption(
    request: HttpRequest, group: OrphanGroup, given: QueryDict, fault: SlipwayError | None
) -> AdoptionShown:
    shown, field = show_group(group), field_of(group)
    name = given.get(field, "") or group.display_name
    try:
        plan = plan_adoption(group, user=_person(request), name=name)
    except (NameTaken, InvalidOrder) as error:
        offered = given.get(field, "") or suggested_name(group)
        return AdoptionShown(shown=shown, field=field, name=offered, fault=fault_of(error))
    except SlipwayError as error:
        return AdoptionShown(shown=shown, field=field, name=name, reason=sentence_of(error))
    refusal = sentence_of(fault) if fault else ""
    return AdoptionShown(shown=shown, field=field, name=name, plan=plan, refusal=refusal)


def _given(request: HttpRequest) -> QueryDict:
    return request.POST if request.method == "POST" else request.GET


def _chosen(given: QueryDict, cluster: Cluster) -> list[OrphanGroup]:
    keys = [key for key in map(GroupKey.of, given.getlist("group")[:PAGE_SIZE]) if key is not None]
    return orphan_groups(cluster, keys)


def _choose(request: HttpRequest, cluster: Cluster) -> HttpResponse:
    messages.info(request, CHOOSE)
    return redirect("orphans", cluster.pk)


def _names(keys: tuple[ObjectKey, ...]) -> str:
    return ", ".join(str(key) for key in keys)


def _status(form: DeletionForm) -> HTTPStatus:
    return HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):  # the decorators let nobody else in
        raise TypeError("nobody is signed in")
    return request.user
