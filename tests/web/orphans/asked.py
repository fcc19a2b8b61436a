"""The pages of what has no record, as a browser reads and sends them."""

import re
from collections.abc import Callable
from html import unescape

from django.test import Client

from deployments.models import Cluster, Deployment

HOSTILE = '<img src=x onerror="alert(1)">'
Launch = Callable[..., Deployment]


def address(cluster: Cluster, end: str = "") -> str:
    return f"/clusters/{cluster.pk}/orphans{end}"


def text(client: Client, path: str, **query: str | list[str]) -> str:
    answer = client.get(path, query)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def fields(page: str, name: str) -> list[str]:
    """Return the values of the form's fields of a name, as a browser would send them."""
    inputs = re.findall(r"<input[^>]*>", page)
    return [
        value[1]
        for one in inputs
        if re.search(rf'name="{re.escape(name)}"', one)
        and (value := re.search(r'value="([^"]*)"', one))
    ]
