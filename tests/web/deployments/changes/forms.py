"""The form of a change and its review, as a browser reads and sends them."""

import re
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.test import Client

from deployments.models import Deployment
from deployments.services.change_orders import read_change
from deployments.services.changing import change_deployment


def form(deployment: Deployment, **query: object) -> str:
    return f"/deployments/{deployment.pk}/change?{urlencode(query)}"


def review(deployment: Deployment, **query: object) -> str:
    return f"/deployments/{deployment.pk}/change/review?{urlencode(query)}"


def page_of(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.content.decode()
    return answer.content.decode()


def plain(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def value_of(page: str, name: str) -> str:
    found = re.search(rf'<input class="input"[^>]* name="{re.escape(name)}" value="([^"]*)"', page)
    assert found, name
    return found[1]


def token_of(page: str) -> str:
    found = re.search(r'name="change" value="([^"]+)"', page)
    assert found
    return found[1]


def action_of(page: str) -> str:
    found = re.search(r'id="change-form" method="post" action="([^"]+)"', page)
    assert found
    return found[1].replace("&amp;", "&")


def confirm(client: Client, page: str, **body: Any) -> Any:
    return client.post(action_of(page), {"change": token_of(page), **body})


def again(deployment: Deployment) -> Deployment:
    return Deployment.objects.get(pk=deployment.pk)


def change_by(person: User, deployment: Deployment, **body: object) -> None:
    change_deployment(read_change(body), deployment=deployment, user=person)
