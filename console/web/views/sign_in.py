"""The door of the console: signing in and out."""

from collections.abc import Mapping
from http import HTTPStatus

from django.conf import settings
from django.contrib.auth import authenticate, login, logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from console.web.sign_in_limit import forget_attempts, may_try
from templates_app.access import can_read

WRONG = "User name or password is wrong."
EMPTY = {"username": "Type your user name.", "password": "Type your password."}
PAUSED = "Too many attempts. Wait {minutes} minutes, then try again."


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Show the form; with the right password, go on to where the person was heading."""
    # Who is signed in but may see nothing gets the form: to come in as somebody else.
    if can_read(request.user):
        return redirect(_destination(request))
    return _try_to_sign_in(request) if request.method == "POST" else _page(request)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session."""
    logout(request)
    return redirect(settings.LOGOUT_REDIRECT_URL)


def _try_to_sign_in(request: HttpRequest) -> HttpResponse:
    # PostgreSQL takes no NUL, and no user's name has one.
    username = request.POST.get("username", "")[:150].replace("\0", "")
    if faults := {name: told for name, told in EMPTY.items() if not request.POST.get(name)}:
        return _page(request, faults=faults, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    if not may_try(request, username):
        problem = PAUSED.format(minutes=-(-settings.SIGN_IN_PAUSE // 60))
        response = _page(request, problem, status=HTTPStatus.TOO_MANY_REQUESTS)
        response.headers["Retry-After"] = str(settings.SIGN_IN_PAUSE)
        return response
    password = request.POST.get("password", "")
    user = authenticate(request, username=username, password=password)
    if user is None:
        return _page(request, WRONG, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    forget_attempts(request, username)
    login(request, user)
    return redirect(_destination(request))


def _page(
    request: HttpRequest,
    problem: str = "",
    *,
    faults: Mapping[str, str] | None = None,
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    context = {
        "problem": problem,
        "faults": faults or {},
        "username": request.POST.get("username", ""),
        "next": _wanted(request),
    }
    return render(request, "registration/login.html", context, status=status)


def _wanted(request: HttpRequest) -> str:
    return request.POST.get("next", request.GET.get("next", ""))


def _destination(request: HttpRequest) -> str:
    wanted = _wanted(request)
    is_ours = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if is_ours else resolve_url(settings.LOGIN_REDIRECT_URL)
