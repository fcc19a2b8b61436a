"""The list: few queries whatever its length, no big column, the newest or the neediest first."""

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from deployments.access import deployments_for
from deployments.models import Deployment

Launch = Callable[..., Deployment]


def copy_of(deployment: Deployment, number: int) -> Deployment:
    copied = Deployment.objects.get(pk=deployment.pk)
    copied.pk = uuid.uuid4()
    copied.name = copied.name_key = f"copy {number}"
    copied.runtime_name = f"copy-{number}"
    copied.created_at += timedelta(seconds=number)
    return copied


def read_page(user: User) -> tuple[list[tuple[object, ...]], int]:
    """Read what a row shows; return the rows and how many queries it took."""
    with CaptureQueriesContext(connection) as queries:
        page = deployments_for(user).open().for_list().newest_first()[:50]
        rows: list[tuple[object, ...]] = [
            (d.name, d.model.name, d.cluster.name, d.cluster.last_pass_at, d.message, d.endpoint)
            for d in page
        ]
    return rows, len(queries)


def test_a_page_takes_as_many_queries_with_one_row_as_with_many(
    launch: Launch, viewer: User
) -> None:
    first = launch()
    _, few = read_page(viewer)
    Deployment.objects.bulk_create(copy_of(first, number) for number in range(200))

    rows, many = read_page(viewer)

    assert len(rows) == 50
    assert rows[0][0] == "copy 199"
    assert many <= few
    assert many == 1, "the role is remembered on the person"


@pytest.mark.usefixtures("launch")
def test_a_list_leaves_big_columns_in_the_database(viewer: User) -> None:
    sql = str(deployments_for(viewer).open().for_list().query)

    for column in ("evidence", "notes", "checks", "last_apply", "scaling", "capacity", "metadata"):
        assert f'"{column}"' not in sql


def test_the_neediest_come_first(launch: Launch) -> None:
    for name, rank in (("ready", 5), ("failed", 0), ("moving", 3)):
        Deployment.objects.filter(pk=launch(name=name).pk).update(rank=rank)

    names = [d.name for d in Deployment.objects.open().attention_first()]

    assert names == ["failed", "moving", "ready"]


@pytest.mark.parametrize("text", ["STRASSE", "straße", "qwen3-8b", "strasse-"])
def test_a_search_finds_name_runtime_name_and_model_whatever_the_case(
    launch: Launch, text: str
) -> None:
    deployment = launch(name="Große Straße")
    Deployment.objects.filter(pk=deployment.pk).update(runtime_name="strasse-1a2b3c4d")

    assert Deployment.objects.search(text).count() == 1
    assert Deployment.objects.search("nothing of it").count() == 0
