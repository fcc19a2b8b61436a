"""What a deletion takes and leaves, told beforehand."""

from collections.abc import Callable

from django.contrib.auth.models import User

from deployments.models import Deployment
from deployments.services.deleting import delete_deployment
from deployments.services.foretelling import Foretold, foretell_deletion
from providers.contract.errors import Rejected, Unavailable
from providers.testing.memory.cluster import MemoryCluster

Launch = Callable[..., Deployment]


def kinds(told: Foretold) -> list[str]:
    return [one.object.kind for one in told.going.objects]


def staying(told: Foretold) -> list[tuple[str, str]]:
    return [(one.kind, one.name) for one in told.staying]


def test_what_is_there_goes_and_the_place_stays(launch: Launch, memory: MemoryCluster) -> None:
    deployment = launch()
    launch(name="other")

    told = foretell_deletion(deployment)

    assert told.is_live
    assert kinds(told) == ["MemoryWorkload", "MemoryService"]
    assert staying(told) == [("Namespace", "models")]


def test_model_files_and_the_key_that_was_read_stay(launch: Launch) -> None:
    deployment = launch()
    revision = deployment.revisions.get()
    source = {
        "type": "huggingface",
        "uri": "Qwen/Qwen3-8B",
        "auth_secret_ref": {"name": "hf-token", "key": "token"},
        "cache": {"claim": "models-cache", "mount_path": "/models"},
    }
    type(revision)._base_manager.filter(pk=revision.pk).update(source=source)

    assert staying(foretell_deletion(deployment)) == [
        ("PersistentVolumeClaim", "models-cache"),
        ("Secret", "hf-token"),
        ("Namespace", "models"),
    ]


def test_where_nobody_can_be_asked_it_is_what_was_applied_last_with_why(
    launch: Launch, memory: MemoryCluster
) -> None:
    deployment = launch()
    memory.objects.clear()
    for fault in (Unavailable("no answer"), Rejected("may not look", code="Forbidden")):
        memory.faults["*"] = fault
        told = foretell_deletion(deployment)
        assert (told.is_live, told.cause) == (False, fault.message)
        assert kinds(told) == ["MemoryWorkload", "MemoryService"]


def test_of_what_is_closed_nothing_goes_and_nobody_is_asked(
    launch: Launch, owner: User, memory: MemoryCluster
) -> None:
    deployment = delete_deployment(launch(), user=owner)
    memory.calls.clear()

    assert kinds(foretell_deletion(deployment)) == []
    assert memory.calls == []
