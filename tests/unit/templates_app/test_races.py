"""Two people at once: one is right, the other is told so, and nothing breaks."""

from collections.abc import Callable
from threading import Barrier, Thread

import pytest
from django.db import connection

from templates_app import services
from templates_app.entries import parse_model
from templates_app.exceptions import CatalogueError
from templates_app.models import Model, ModelDeploymentTemplate

from .conftest import an_entry

pytestmark = pytest.mark.django_db(transaction=True)


def outcomes(*acts: Callable[[], object]) -> list[str]:
    """Run each act in a thread of its own, all at once; return how each one ended."""
    barrier, ended = Barrier(len(acts)), list[str]()

    def run(act: Callable[[], object]) -> None:
        barrier.wait(timeout=10)
        try:
            act()
            ended.append("done")
        except CatalogueError as refusal:
            ended.append(refusal.code)
        finally:
            connection.close()

    threads = [Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    return sorted(ended)


def test_one_of_many_gets_a_name() -> None:
    entry = parse_model({"id": "qwen", "name": "Qwen"})
    acts = [lambda: services.create_model(entry, by=None)] * 5
    assert outcomes(*acts) == ["done", *["name_taken"] * 4]


def test_one_of_many_gets_a_version(model: Model) -> None:
    acts = [lambda: services.create_template(model, an_entry(), by=None)] * 5
    assert outcomes(*acts) == ["done", *["name_taken"] * 4]


def test_a_template_is_never_changed_after_its_activation(draft: ModelDeploymentTemplate) -> None:
    entry = an_entry(name="other")
    ended = outcomes(
        lambda: services.activate_template(draft, by=None),
        lambda: services.update_template(draft, entry, by=None),
    )
    draft.refresh_from_db()
    assert draft.status == "active"
    assert (draft.name == "other") == (ended == ["done", "done"])


def test_a_template_is_deleted_once(draft: ModelDeploymentTemplate) -> None:
    acts = [lambda: services.delete_template(draft, by=None)] * 3
    assert outcomes(*acts) == ["done", "not_found", "not_found"]
