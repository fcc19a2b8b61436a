"""The OpenAPI document is valid, complete, and made without a warning."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import URLPattern
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema
from rest_framework.test import APIClient

from console.api.urls import urlpatterns

UNDOCUMENTED = {"", "schema"}


@pytest.fixture(scope="module")
def schema() -> Iterator[dict[str, Any]]:
    GENERATOR_STATS.reset()
    yield SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    GENERATOR_STATS.reset()


def test_it_is_made_without_warnings(schema: dict[str, Any]) -> None:
    assert schema["paths"]
    assert not GENERATOR_STATS._warn_cache
    assert not GENERATOR_STATS._error_cache


def test_it_is_valid(schema: dict[str, Any]) -> None:
    validate_schema(schema)  # type: ignore[no-untyped-call]


def test_it_has_every_address(schema: dict[str, Any]) -> None:
    documented = {path.removeprefix("/api/") for path in schema["paths"]}
    for pattern in urlpatterns:
        assert isinstance(pattern, URLPattern)
        route = str(pattern.pattern).replace("<str:", "{").replace(">", "}")
        assert route in documented | UNDOCUMENTED


def test_every_operation_has_a_name_of_its_own(schema: dict[str, Any]) -> None:
    names = [op["operationId"] for path in schema["paths"].values() for op in path.values()]
    assert len(names) == len(set(names))


@pytest.mark.django_db
def test_it_is_served() -> None:
    response = APIClient().get("/api/schema")
    assert response.status_code in {200, 401}
