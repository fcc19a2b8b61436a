"""The pages of the admin for the catalogue, as a browser sends them."""

from html import unescape
from typing import TYPE_CHECKING

from django.test import Client

from templates_app.models import ModelDeploymentTemplate

if TYPE_CHECKING:
    # Only the stubs know the name of what a test client answers.
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer


MODELS = "/admin/templates_app/model/"
VERSIONS = "/admin/templates_app/modelversion/"
TEMPLATES = "/admin/templates_app/modeldeploymenttemplate/"
SPEC = """\
engine: {type: mock, image: docker.io/aibrix/vllm-mock:nightly}
model_source: {type: huggingface, uri: mock/mock}
accelerator: {type: cpu}
"""


def text_of(answer: "Answer") -> str:
    return unescape(answer.content.decode())


def a_document(**fields: str) -> dict[str, str]:
    return {"model": "qwen", "name": "mock", "version": "1.0.0", "spec_text": SPEC} | fields


def change_page(template: ModelDeploymentTemplate) -> str:
    return f"{TEMPLATES}{template.pk}/change/"


def do(client: Client, action: str, *chosen: ModelDeploymentTemplate, **more: str) -> "Answer":
    keys = [str(template.pk) for template in chosen]
    fields = {"action": action, "_selected_action": keys, **more}
    return client.post(TEMPLATES, fields, follow=True)
