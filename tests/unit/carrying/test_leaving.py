"""What a deletion waits for: named with the finalizers of others, never with its own."""

from providers.carrying.leaving import remaining
from providers.kube.resources import DEPLOYMENTS
from providers.workload.objects import Item
from providers.workload.objects.meta import ObjectMeta


def test_only_the_finalizers_of_others_hold_a_deletion() -> None:
    finalizers: list[str | None] = ["foregroundDeletion", "example.com/keep"]
    item = Item(metadata=ObjectMeta(name="web", namespace="team", finalizers=finalizers))
    left = remaining(DEPLOYMENTS, item)
    assert (str(left.object), left.finalizers) == (
        "Deployment web",
        {"example.com/keep": "for whoever runs example.com to take off"},
    )
