"""Whose a token is: knox's own look-up, which may neither fall over bytes nor sweep."""

from typing import Any

from django.utils import timezone
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication as KnoxAuthentication
from knox.models import AuthToken
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

    def _cleanup_token(self, auth_token: AuthToken) -> bool:
        """Tell whether a token has expired; the background sweeps them, no request need."""
        return auth_token.expiry is not None and auth_token.expiry < timezone.now()


class TokenScheme(KnoxTokenScheme):  # type: ignore[no-untyped-call]  # has no types
    """How the schema describes it."""

    target_class = "console.api.authentication.TokenAuthentication"
