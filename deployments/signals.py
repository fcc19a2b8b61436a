"""What this room tells whoever listens; it knows none of them."""

from dataclasses import dataclass

from django.dispatch import Signal


@dataclass(frozen=True, kw_only=True, slots=True)
class ClusterCall:
    """One call of a provider's verb that asked a cluster, and how it went.

    `error` is the family of what went wrong (one word of a few), empty when nothing did.
    """

    cluster: str
    verb: str
    seconds: float
    error: str = ""


# Sent with `call`, a ClusterCall, also when it failed; a listener must neither wait nor raise.
cluster_called = Signal()
