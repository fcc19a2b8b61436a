"""Whose a token is: knox's own look-up, which must not fall over what is no text."""

from typing import Any

from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication as KnoxAuthentication
from rest_framework.exceptions import AuthenticationFailed


class TokenAuthentication(KnoxAuthentication):  # type: ignore[misc]  # knox has no types
    """`Authorization: Token …`; bytes that are no UTF-8 are a wrong token like any other."""

    def authenticate_credentials(self, token: bytes) -> tuple[Any, Any]:
        """Return the user and the token's row; raises AuthenticationFailed."""
        try:
            found: tuple[Any, Any] = super().authenticate_credentials(token)
        except UnicodeDecodeError as error:
            raise AuthenticationFailed from error
        return found


class TokenScheme(KnoxTokenScheme):  # type: ignore[no-untyped-call]  # has no types
    """How the schema describes it."""

    target_class = "console.api.authentication.TokenAuthentication"
