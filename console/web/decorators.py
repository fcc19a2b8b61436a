"""Preconditions of pages, as decorators: who may come in at all, and to which object."""

import uuid
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django_htmx.http import HttpResponseClientRefresh

from console.web.htmx import is_fragment
from deployments.access import get_visible_cluster, get_visible_or_404, require_launch
from deployments.exceptions import NotAllowed, NotVisible
from deployments.models import Cluster, Deployment
from templates_app.access import can_read, is_admin

P = ParamSpec("P")


def reader_required(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Send strangers to sign in; who is in no group learns that there is nothing (404).

    A page that polls after its session has ended loads anew, so that sign-in is no part of it.
    """

    @login_required
    def checked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not can_read(request.user):
            raise Http404
        return view(request, *args, **kwargs)

    @wraps(view)
    def entered(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if is_fragment(request) and not request.user.is_authenticated:
            return HttpResponseClientRefresh()
        return checked(request, *args, **kwargs)

    return entered


def deployment_required(
    view: Callable[Concatenate[HttpRequest, Deployment, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Give the view the deployment of the address: 404 for what one may not see, 403 to change."""

    @reader_required
    @wraps(view)
    def found(
        request: HttpRequest, /, deployment_id: uuid.UUID, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        try:
            deployment = get_visible_or_404(request.user, deployment_id)
            return view(request, deployment, *args, **kwargs)
        except NotVisible as error:
            raise Http404 from error
        except NotAllowed as error:
            return _forbid(request, error)

    return found


def cluster_required(
    view: Callable[[HttpRequest, Cluster], HttpResponse],
) -> Callable[[HttpRequest, int], HttpResponse]:
    """Give the view the cluster of the address: 404 for what one may not see, 403 to change."""

    @reader_required
    @wraps(view)
    def found(request: HttpRequest, /, cluster_id: int) -> HttpResponse:
        try:
            return view(request, get_visible_cluster(request.user, cluster_id))
        except NotVisible as error:
            raise Http404 from error
        except NotAllowed as error:
            return _forbid(request, error)

    return found


def _forbid(request: HttpRequest, error: NotAllowed) -> HttpResponse:
    status = HTTPStatus.FORBIDDEN
    message = f"{error.message[:1].upper()}{error.message[1:]}."
    facts = {"code": error.code, "message": message}
    page = {**facts, "status": status.value, "phrase": status.phrase}
    return render(request, "error_in_frame.html", page, status=status)


def launcher_required(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Let in who may launch; who may only look is told so (403)."""

    @reader_required
    @wraps(view)
    def checked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            require_launch(request.user)
        except NotAllowed as error:
            return _forbid(request, error)
        return view(request, *args, **kwargs)

    return checked


def admin_required(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Let in admins; for everybody else there is nothing here (404)."""

    @reader_required
    @wraps(view)
    def checked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not is_admin(request.user):
            raise Http404
        return view(request, *args, **kwargs)

    return checked
