"""The revisions of one deployment: what was wanted, by whom and why, and what differs between two.

Stored rows alone; no cluster is asked.
"""

from http import HTTPStatus

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from console.manifests import file_name
from console.web.decorators import deployment_required
from console.web.htmx import render_page
from console.web.launch.orders import sentence
from console.web.shown.diffs import show_diffs
from console.web.shown.head import head_of
from console.web.shown.manifests import show_manifests
from console.web.shown.revisions import show_revision, show_revisions
from console.whole_numbers import whole_number
from deployments.exceptions import NotVisible
from deployments.models import Deployment, Revision
from deployments.selectors import no_revision, revision_numbered
from deployments.services.comparing import compare_revisions
from providers.contract.manifest_yaml import manifests_yaml

PAGE_SIZE = 25
FROM, TO = "from", "to"
_SHOWN_TEXT = 20  # characters of what is no number of a revision


@require_safe
@deployment_required
def deployment_revisions(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """List what was wanted of a deployment, the latest first."""
    rows = deployment.revisions.select_related("template").defer("manifests")
    page: Page[Revision] = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    shown = list(page)
    before = rows.filter(number__lt=shown[-1].number).first() if page.has_next() else None
    context = {
        **head_of(request, deployment),
        "page": page,
        "revisions": tuple(show_revisions(deployment, shown, before)),
        **_choice(deployment, deployment.revision - 1, deployment.revision),
    }
    return render_page(request, "deployments/revisions.html", context)


@require_safe
@deployment_required
def deployment_revision(request: HttpRequest, deployment: Deployment, number: int) -> HttpResponse:
    """Show one revision: what it changed, and its exact objects."""
    row = revision_numbered(deployment, number)
    earlier = deployment.revisions.select_related("template").filter(number__lt=number).first()
    context = {
        **head_of(request, deployment),
        "shown": show_revision(deployment, row, earlier),
        "earlier": earlier,
        "manifests": show_manifests(row.manifests),
    }
    return render_page(request, "deployments/revision.html", context)


@require_safe
@deployment_required
def download_revision(request: HttpRequest, deployment: Deployment, number: int) -> HttpResponse:
    """Answer the objects of a revision as one file that kubectl takes."""
    del request
    return manifests_file(deployment, revision_numbered(deployment, number))


def manifests_file(deployment: Deployment, row: Revision) -> HttpResponse:
    """Return the answer that is the objects of a revision as a file."""
    answer = HttpResponse(manifests_yaml(row.manifests), content_type="application/yaml")
    answer["Content-Disposition"] = f'attachment; filename="{file_name(deployment, row)}"'
    return answer


@require_safe
@deployment_required
def deployment_comparison(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Show what differs between two revisions, in words and in their objects."""
    try:
        before = _revision(request, deployment, FROM, otherwise=max(deployment.revision - 1, 1))
        after = _revision(request, deployment, TO, otherwise=deployment.revision)
    except NotVisible as error:
        return _choose_others(request, deployment, error)
    found = compare_revisions(before, after)
    context = {
        **head_of(request, deployment),
        "before": show_revision(deployment, before, None),
        "after": show_revision(deployment, after, None),
        "changes": found.words,
        "diffs": show_diffs(found.objects),
        **_choice(deployment, before.number, after.number),
    }
    return render_page(request, "deployments/comparison.html", context)


def _choice(deployment: Deployment, before: int, after: int) -> dict[str, object]:
    """Return what the form that chooses two revisions shows, none where there is only one."""
    numbers = list(deployment.revisions.values_list("number", flat=True))
    return {"numbers": numbers, "chosen": (max(before, 1), after)}


def _revision(
    request: HttpRequest, deployment: Deployment, name: str, *, otherwise: int
) -> Revision:
    """Return the revision that an address names; raises NotVisible where there is none."""
    text = request.GET.get(name, "") or str(otherwise)
    number = whole_number(text)
    if number is None:
        raise no_revision(deployment, text[:_SHOWN_TEXT])
    return revision_numbered(deployment, number)


def _choose_others(request: HttpRequest, deployment: Deployment, error: NotVisible) -> HttpResponse:
    """Answer that there is no such revision, with the form that has those that there are."""
    context = {
        **head_of(request, deployment),
        "refusal": sentence(error.message),
        **_choice(deployment, deployment.revision - 1, deployment.revision),
    }
    status = HTTPStatus.NOT_FOUND
    return render_page(request, "deployments/comparison.html", context, status=status)
