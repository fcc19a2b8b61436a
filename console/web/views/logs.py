"""The tab that shows the log of one container, goes on showing it, and hands it out as a file."""

from dataclasses import replace
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh, push_url

from console.log_queries import LIMIT_BYTES, MOST_LINES
from console.web.decorators import deployment_required
from console.web.htmx import is_fragment, render_page, was_asked_by
from console.web.shown.causes import Way, ways_to_change
from console.web.shown.head import head_of
from console.web.shown.logs import LINES, LogPlace, ShownLog, read_place, show_log
from console.web.shown.looking import look_through
from deployments.exceptions import SlipwayError
from deployments.models import Deployment
from deployments.selectors import current_revision
from deployments.services.logs import look_at_log, require_log


@require_safe
@deployment_required
def deployment_logs(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Show the end of a log; whoever follows it asks for what comes after."""
    if deployment.is_closed and is_fragment(request):
        return HttpResponseClientRefresh()
    place = read_place(deployment, request.GET)
    is_tail = is_fragment(request) and was_asked_by(request, "log-tail")
    if not is_tail:
        place = place.at_its_end()
    query = place.onward() if is_tail else place.query
    looked = look_through(deployment, partial(look_at_log, query=query))
    shown = show_log(looked.seen, place) if looked.seen else None
    context = {
        **head_of(request, deployment),
        "looked": looked,
        "shown": shown,
        "cures": _cures(request, deployment, shown) if shown else (),
        "place": place,
        "lengths": LINES,
        "here": request.get_full_path(),
        **_ways(deployment, place),
    }
    fragment = "log_more" if is_tail else "log"
    response = render_page(request, "deployments/logs.html", context, fragment=fragment)
    is_choice = is_fragment(request) and not is_tail and not was_asked_by(request, "log")
    return push_url(response, place.address()) if is_choice else response


@require_safe
@deployment_required
def download_log(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Answer as much of the end of a log as there may be, as a file."""
    place = read_place(deployment, request.GET)
    whole = replace(place.query, tail_lines=MOST_LINES, limit_bytes=LIMIT_BYTES, since=None)
    try:
        log = require_log(deployment, whole)
    except SlipwayError:
        # The tab says why there is none.
        return redirect(place.address())
    text = "".join(
        f"{line.at.isoformat()} {line.text}\n" if line.at else f"{line.text}\n"
        for line in log.lines
    )
    answer = HttpResponse(text, content_type="text/plain; charset=utf-8")
    run = "-previous" if log.previous else ""
    name = f"{log.pod}-{log.container}{run}.log"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _cures(request: HttpRequest, deployment: Deployment, shown: ShownLog) -> tuple[Way, ...]:
    """Return the ways to what cures the cause that a log tells, if it tells one."""
    if shown.cause is None:
        return ()
    revision = current_revision(deployment)
    return tuple(ways_to_change(shown.cause.signature, deployment, revision, request.user))


def _ways(deployment: Deployment, place: LogPlace) -> dict[str, str]:
    """Return the addresses of the same log seen otherwise."""
    file = reverse("deployment-log-file", args=[deployment.pk])
    return {
        "with_times": place.address(times="true"),
        "without_times": place.address(times=""),
        "followed": place.address(follow=""),
        "unfollowed": place.address(follow="off"),
        "file": replace(place, path=file).address(follow="", search="", times="", tail_lines=""),
    }
