"""The list of deployments as a browser reads it."""

import re
from collections.abc import Callable

from django.test import Client

from deployments.models import Deployment

Launch = Callable[..., Deployment]


def shown(client: Client, path: str = "/deployments") -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def names_in(page: str) -> list[str]:
    return re.findall(r'id="open-[^"]+">([^<]*)</a>', page)
