"""Answers come in the one form that each address has, whatever a client would accept."""

from collections.abc import Iterable

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class OneForm(DefaultContentNegotiation):
    """Never refuses an Accept header: a log is text and its refusal JSON, and both are wanted."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the only renderer; where there are several, the one that the request accepts."""
        several = list(renderers)
        if len(several) > 1:
            chosen: tuple[BaseRenderer, str]
            chosen = super().select_renderer(request, several, format_suffix)
            return chosen
        return several[0], several[0].media_type or ""
