"""Who makes a request, as the services want to know it."""

from typing import cast

from django.contrib.auth.models import User
from rest_framework.request import Request


def person(request: Request) -> User:
    """Return the signed-in person; the permissions have made sure that there is one."""
    return cast("User", request.user)
