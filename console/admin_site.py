"""Django's admin, entered by role instead of a flag on the user, through our own sign-in."""

from urllib.parse import urlencode

from django.contrib.admin import AdminSite
from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.urls import reverse

from templates_app.access import can_curate


class SlipwayAdminSite(AdminSite):
    """The place where curators and admins work; to everybody else there is nothing here."""

    site_title = "Slipway"
    site_header = "Slipway curation"
    index_title = "Curation"

    def has_permission(self, request: HttpRequest) -> bool:
        """Let in who may curate, whatever `is_staff` says."""
        return can_curate(request.user)

    # The base class shows a form of its own; ours is elsewhere.
    def login(self, request: HttpRequest, extra_context: object = None) -> HttpResponseRedirect:
        """Send nobodies to the console's sign-in, which slows down guessing."""
        del extra_context
        if request.user.is_authenticated and not self.has_permission(request):
            raise Http404
        wanted = request.GET.get("next", reverse("admin:index"))
        return HttpResponseRedirect(f"{reverse('login')}?{urlencode({'next': wanted})}")

    def password_change(  # type: ignore[override]  # the stubs promise a page
        self, request: HttpRequest, extra_context: object = None
    ) -> HttpResponseRedirect:
        """Send people to the console's own page, which slows down guessing here as well."""
        del request, extra_context
        return HttpResponseRedirect(reverse("password"))
