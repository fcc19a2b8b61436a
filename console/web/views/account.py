"""A person's own account: name and role, password, API tokens."""

import uuid
from http import HTTPStatus

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from console.web.decorators import reader_required
from console.web.forms.account import OwnPasswordForm
from console.web.origin import origin_of
from console.web.shown.roles import ROLES_IN_WORDS
from console.web.sign_in_limit import forget_attempts, may_try
from deployments.exceptions import TokenMissing, TooManyTokens
from deployments.services.tokens import (
    find_token,
    issue_token,
    next_expiry,
    revoke_token,
    tokens_of,
)
from templates_app.access import role_of

PASSWORDS = ("old_password", "new_password1", "new_password2")
MADE_ALREADY = (
    "That token is made already, and shown only once. If you have not kept it, revoke it and make "
    "another."
)
# Which forms of a session have made a token, and how many of them are remembered.
_SENT, _ONCE_LENGTH, _REMEMBERED = "tokens_made", 32, 20
PAUSED = "Too many attempts. Wait {minutes} minutes, then try again."


@require_safe
@never_cache
@reader_required
def account(request: HttpRequest) -> HttpResponse:
    """Show who one is here, what one may do, and the tokens that still work."""
    role = role_of(request.user)
    context = {
        "role": ROLES_IN_WORDS[role] if role else None,
        "tokens": tokens_of(_person(request)),
        "expiry": next_expiry(timezone.now()),
        "once": uuid.uuid4().hex,
    }
    return render(request, "account/show.html", context)


@sensitive_post_parameters(*PASSWORDS)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@reader_required
def change_password(request: HttpRequest) -> HttpResponse:
    """Change one's own password, who knows the old one; other sessions end."""
    user, posted = _person(request), request.POST if request.method == "POST" else None
    form = OwnPasswordForm(user, posted)
    if posted is None:
        return render(request, "account/password.html", {"form": form})
    # A session that was left open must not be a place to guess the password.
    if not may_try(request, user.username):
        return _paused(request)
    if not form.is_valid():
        context, status = {"form": form}, HTTPStatus.UNPROCESSABLE_ENTITY
        return render(request, "account/password.html", context, status=status)
    forget_attempts(request, user.username)
    update_session_auth_hash(request, form.save())
    messages.success(request, "Your password is changed. Your other sessions have ended.")
    return redirect("account")


@never_cache
@require_POST
@reader_required
def create_token(request: HttpRequest) -> HttpResponse:
    """Make a token and show it: in the answer itself, because it is kept nowhere.

    The same form sent again, as a reload does, makes no second one.
    """
    user, once = _person(request), request.POST.get("once", "")[:_ONCE_LENGTH]
    sent = request.session.get(_SENT, [])
    if once in sent:
        messages.info(request, MADE_ALREADY)
        return redirect("account")
    try:
        token = issue_token(user, by=user, origin=origin_of(request))
    except TooManyTokens as refusal:
        messages.error(request, f"Not made: {refusal.message}.")
        return redirect("account")
    if once:
        request.session[_SENT] = [*sent, once][-_REMEMBERED:]
    context = {"token": token, "expiry": next_expiry(timezone.now())}
    return render(request, "account/token.html", context, status=HTTPStatus.CREATED)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@reader_required
def revoke(request: HttpRequest, key: str) -> HttpResponse:
    """Ask whether to end a token; when it was asked, end it."""
    user = _person(request)
    try:
        token = find_token(user, key)
        if request.method != "POST":
            return render(request, "account/revoke.html", {"token": token})
        revoke_token(user, key=key, origin=origin_of(request))
    except TokenMissing as error:
        raise Http404 from error
    messages.success(request, f"The token {key}… is revoked and works no more.")
    return redirect("account")


def _paused(request: HttpRequest) -> HttpResponse:
    messages.error(request, PAUSED.format(minutes=-(-settings.SIGN_IN_PAUSE // 60)))
    response = redirect("account")
    response.headers["Retry-After"] = str(settings.SIGN_IN_PAUSE)
    return response


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Http404
    return request.user
