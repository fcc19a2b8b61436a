"""Which role a call needs, as DRF asks it; the roles themselves are decided in one other place.

Without any role there is nothing to see: that is a 404, as for what does not exist.
"""

from django.http import Http404
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from templates_app import access

_READS = {"GET", "HEAD", "OPTIONS"}


class ReaderOnly(BasePermission):
    """Any role may read; whoever has none is told 404, without credentials 401."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Tell whether the person has a role at all, and one that may do this."""
        if not request.user.is_authenticated:
            return False
        if not access.can_read(request.user):
            raise Http404
        if request.method not in view.allowed_methods:
            return True  # so that the answer is 405, whoever asks
        return request.method in _READS or self.may_write(request, view)

    def may_write(self, request: Request, view: APIView) -> bool:
        """Nobody writes here."""
        del request, view
        return False


class CuratorWrites(ReaderOnly):
    """Readers read, curators write."""

    message = "Only curators and admins may change the catalogue."

    def may_write(self, request: Request, view: APIView) -> bool:
        """Tell whether the person curates."""
        del view
        return access.can_curate(request.user)


class DeployerWrites(ReaderOnly):
    """Readers read, deployers launch; what belongs to whom is asked for each object later."""

    message = "Only deployers, curators and admins may launch and change deployments."

    def may_write(self, request: Request, view: APIView) -> bool:
        """Tell whether the person may launch."""
        del view
        return access.can_launch(request.user)


class AdminOnly(ReaderOnly):
    """Only admins read and write here."""

    message = "Only admins may do this."

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Tell whether the person is an admin."""
        return super().has_permission(request, view) and access.is_admin(request.user)

    def may_write(self, request: Request, view: APIView) -> bool:
        """Tell whether the person is an admin."""
        del view
        return access.is_admin(request.user)
