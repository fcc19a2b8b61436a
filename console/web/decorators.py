"""Preconditions of pages, as decorators: who may come in at all."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse

from templates_app.access import can_read

P = ParamSpec("P")


def reader_required(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Send strangers to sign in; who is in no group learns that there is nothing (404)."""

    @login_required
    @wraps(view)
    def checked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not can_read(request.user):
            raise Http404
        return view(request, *args, **kwargs)

    return checked
