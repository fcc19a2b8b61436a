"""The requests that the page of a deployment has to copy: what is read there is what runs."""

import json
import re
import shlex
from html import unescape

from django.test import Client

from deployments.models import Deployment


def sample(client: Client, deployment: Deployment, name: str) -> str:
    page = client.get(f"/deployments/{deployment.pk}").content.decode()
    found = re.search(rf'<pre id="{name}"[^>]*>(.*?)</pre>', page, re.DOTALL)
    assert found
    return unescape(found[1])


def test_the_request_is_one_that_a_shell_can_run(viewer: Client, deployment: Deployment) -> None:
    words = shlex.split(sample(viewer, deployment, "request").replace("\\\n", " "))
    assert words[:2] == ["curl", f"{deployment.endpoint['url']}/v1/chat/completions"]
    assert json.loads(words[-1])["model"] == deployment.serving_name


def test_the_same_request_stands_beside_it_in_python(
    viewer: Client, deployment: Deployment
) -> None:
    python = sample(viewer, deployment, "python")
    assert f'base_url="{deployment.endpoint["url"]}/v1"' in python
    assert f'model="{deployment.serving_name}"' in python
