"""The same on another implementation: what it would make, what carries over, and the way there."""

import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape

import pytest
from django.test import Client
from pytest_django import Settings

from deployments.models import Cluster, Deployment
from providers import registry
from providers.kubernetes.provider import KubernetesProvider
from providers.testing.samples import spec_with
from templates_app import services
from templates_app.entries import parse_template
from templates_app.models import ModelDeploymentTemplate

MEMORY, KUBERNETES = "providers.testing.memory", "providers.kubernetes"


@pytest.fixture(autouse=True)
def _two_kinds(_only_memory: None, settings: Settings) -> None:
    settings.SLIPWAY_PROVIDERS = [MEMORY, KUBERNETES]
    registry.forget()


def page_of(client: Client, deployment: Deployment) -> str:
    answer = client.get(f"/deployments/{deployment.pk}/elsewhere")
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def way_of(page: str) -> str:
    found = re.search(r'href="(/launch/overrides[^"]*kind=k8s-deployment[^"]*)"', page)
    assert found is not None
    return found[1]


def activate(template: ModelDeploymentTemplate, name: str, **parts: object) -> None:
    entry = parse_template(name=name, version="1.0.0", spec=spec_with(**parts))
    made = services.create_template(template.model, entry, by=None)
    services.activate_template(made, by=None)


def test_the_way_keeps_model_template_overrides_and_place(
    owner: Client, deployment: Deployment
) -> None:
    page = page_of(owner, deployment)
    assert "By the same template." in page
    assert "It makes Deployment, Service." in page
    assert "Every override carries over." in page
    way = way_of(page)
    for kept in (f"template={deployment.template_id}", "min_replicas=2", "harbour%2Fmodels"):
        assert kept in way
    assert owner.get(way).status_code == 200


def test_it_is_a_page_of_the_deployments(owner: Client, deployment: Deployment) -> None:
    assert 'href="/deployments" aria-current="page"' in page_of(owner, deployment)


def test_a_template_that_excludes_it_gives_way_to_one_that_does_not(
    owner: Client, template: ModelDeploymentTemplate, launch: Callable[..., Deployment]
) -> None:
    spec = {**template.spec, "compatibility": {"implementation_kinds": ["memory"]}}
    ModelDeploymentTemplate.objects.filter(pk=template.pk).update(spec=spec)
    deployment = launch(min_replicas=2)
    assert "No active template of Qwen3 0.6B allows another implementation." in page_of(
        owner, deployment
    )
    activate(template, "other", overridable={"min_replicas": {"max": 1}})
    page = page_of(owner, deployment)
    assert "By the template other 1.0.0" in " ".join(re.sub("<[^>]+>", "", page).split())
    assert "min_replicas=2" not in way_of(page), "that template allows no more than one"
    assert "<code>min_replicas</code>" in page


def test_what_is_not_installed_there_is_told(owner: Client, deployment: Deployment) -> None:
    Cluster.objects.update(kinds={"k8s-deployment": False})
    Cluster.objects.create(name="quay", default_namespace="models")
    page = page_of(owner, deployment)
    assert "It is not installed on harbour; choose another place" in page
    assert "Launch on Kubernetes Deployment" in page


def test_what_is_installed_nowhere_leads_nowhere(owner: Client, deployment: Deployment) -> None:
    Cluster.objects.update(kinds={"k8s-deployment": False})
    page = page_of(owner, deployment)
    assert "It is installed on no cluster; whoever runs clusters here can install it." in page
    assert "Launch on Kubernetes Deployment" not in page


def test_autoscaling_that_a_kind_has_not_is_named_and_left_out(
    owner: Client, launch: Callable[..., Deployment], monkeypatch: pytest.MonkeyPatch
) -> None:
    deployment = launch(enable_auto_scaling=True, max_replicas=3)
    can = replace(KubernetesProvider.capabilities, autoscaling=False)
    monkeypatch.setattr(KubernetesProvider, "capabilities", can)
    page = page_of(owner, deployment)
    assert "Kubernetes Deployment cannot scale by itself" in page
    assert "enable_auto_scaling" not in way_of(page)


def test_a_kind_that_fails_to_render_says_so_and_the_page_stands(
    owner: Client, deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(KubernetesProvider, "render", fail)
    assert "failed at render (ZeroDivisionError)" in page_of(owner, deployment)


def test_the_link_is_there_only_where_there_is_another(
    owner: Client, viewer: Client, deployment: Deployment, settings: Settings
) -> None:
    link, address = "On another implementation", f"/deployments/{deployment.pk}"
    assert link in owner.get(address).content.decode()
    assert link not in viewer.get(address).content.decode()
    assert "Launch on" not in page_of(viewer, deployment)
    settings.SLIPWAY_PROVIDERS = [MEMORY]
    registry.forget()
    assert link not in owner.get(address).content.decode()
