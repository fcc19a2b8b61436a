"""A provider from outside in the console: offered, used, broken, and taken away again."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import Group, User
from django.test import Client

from console.environment import KubernetesEnvironment
from deployments.exceptions import InvalidOrder
from deployments.figures import count_by_kind
from deployments.models import Cluster, Deployment
from deployments.services.launching import create_deployment
from deployments.services.orders import read_order
from deployments.services.refreshing import refresh_cluster
from providers import registry
from providers.sandbox.cluster import VirtualCluster
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.server import serving
from providers.testing.samples import spec_with
from templates_app.entries import parse_model, parse_template
from templates_app.models import ModelDeploymentTemplate
from templates_app.services import activate_template, create_model, create_template
from tests.outside_provider.installed import forget_package

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("named")]
KIND = "acme-replicas"


@dataclass(frozen=True, kw_only=True)
class Harbour:
    """A simulated cluster, its row, and a deployer before the console."""

    simulated: VirtualCluster
    row: Cluster
    template: ModelDeploymentTemplate
    olga: User
    client: Client

    def launch(self, name: str, kind: str, **overrides: object) -> Deployment:
        body = {
            "name": name,
            "template": {"template_id": str(self.template.pk)},
            "implementation": {"kind": kind},
            "target": {"cluster": self.row.name},
            "overrides": overrides,
        }
        return create_deployment(read_order(body), user=self.olga)

    def settle(self) -> None:
        """Let the cluster do what it was asked, and read it as a pass does."""
        self.simulated.advance(120)
        self.row.refresh_from_db()
        refresh_cluster(self.row)

    def page(self, path: str) -> str:
        answer = self.client.get(path)
        assert answer.status_code == 200, answer.content
        return str(answer.content.decode())


@pytest.fixture
def harbour(db: None, settings: LazySettings, tmp_path: Path) -> Iterator[Harbour]:
    settings.K8S = KubernetesEnvironment()
    simulated = VirtualCluster()
    for kind, name in (("Node", "cpu-1"), ("Namespace", "models")):
        simulated.create({"kind": kind, "metadata": {"name": name}})
    olga = User.objects.create_user("olga")
    olga.groups.add(Group.objects.get_or_create(name="deployer")[0])
    client = Client()
    client.force_login(olga)
    with serving(simulated, token="a-token-of-tests") as server:
        path = write_kubeconfig(tmp_path / "kubeconfig", url=server.url, namespace="models")
        row = Cluster.objects.create(
            name="harbour", default_namespace="models", kubeconfig=str(path)
        )
        yield Harbour(simulated=simulated, row=row, template=_template(), olga=olga, client=client)


def _template() -> ModelDeploymentTemplate:
    model = create_model(parse_model({"id": "qwen3", "name": "Qwen3"}), by=None)
    entry = parse_template(name="mock", version="1.0.0", spec=spec_with())
    return activate_template(create_template(model, entry, by=None), by=None)


def test_it_registers_beside_the_consoles_own() -> None:
    assert list(registry.providers()) == ["k8s-deployment", KIND]
    assert registry.broken() == {}


def test_the_launch_flow_offers_it(harbour: Harbour) -> None:
    page = harbour.page(f"/launch/place?model=qwen3&template={harbour.template.pk}")
    assert "Acme ReplicaSet" in page
    assert f'value="{KIND}"' in page


def test_only_what_it_can_do_is_offered_at_launch_at_a_change_and_for_scaling(
    harbour: Harbour,
) -> None:
    made = harbour.launch("theirs", KIND)
    harbour.settle()
    place = f"place=harbour/models&kind={KIND}"
    forms = (
        f"/launch/overrides?model=qwen3&template={harbour.template.pk}&{place}",
        f"/deployments/{made.pk}/change",
    )
    for page in map(harbour.page, forms):
        offered = re.findall(r'<option value="(auto|surge|replace|recreate)"', page)
        assert offered == ["auto", "recreate"]
        assert 'name="enable_auto_scaling"' not in page
        assert 'name="max_replicas"' not in page
    scale = harbour.page(f"/deployments/{made.pk}").partition('id="scale"')[2]
    assert 'name="min_replicas"' in scale
    assert 'name="enable_auto_scaling"' not in scale


def test_what_it_cannot_do_is_refused_by_its_field(harbour: Harbour) -> None:
    with pytest.raises(InvalidOrder) as refused:
        harbour.launch("theirs", KIND, rollout="surge")
    assert refused.value.fields == {
        "overrides.rollout": (f"{KIND} cannot do surge; use one of auto, recreate",)
    }


def test_what_it_carries_becomes_ready_beside_a_neighbour(harbour: Harbour) -> None:
    theirs, ours = harbour.launch("theirs", KIND), harbour.launch("ours", "k8s-deployment")
    harbour.settle()
    phases = Deployment.objects.in_bulk([theirs.pk, ours.pk])
    assert {one.phase for one in phases.values()} == {"Ready"}
    assert "ReplicaSet" in harbour.page(f"/deployments/{theirs.pk}/resources")


def test_the_same_is_launched_on_it_from_a_deployment_of_another_kind(harbour: Harbour) -> None:
    ours = harbour.launch("ours", "k8s-deployment")
    page = harbour.page(f"/deployments/{ours.pk}/elsewhere")
    assert "It makes ReplicaSet, Service." in page
    way = re.search(rf'href="(/launch/overrides[^"]*kind={KIND}[^"]*)"', page)
    assert way is not None
    there = unescape(way[1]).replace("/overrides", "/review", 1)
    review = harbour.page(f"{there}&name=the+same")
    assert "Slipway creates <b>2 objects</b>" in review
    assert "ReplicaSet" in review


def _take_away(settings: LazySettings) -> None:
    settings.SLIPWAY_PROVIDERS = ["providers.kubernetes"]


def _break(settings: LazySettings) -> None:
    settings.SLIPWAY_PROVIDERS = ["providers.kubernetes", "acme_replicas.apps"]


@pytest.mark.parametrize("spoil", [_take_away, _break], ids=["taken away", "broken"])
def test_without_it_its_deployments_say_so_and_the_others_go_on(
    harbour: Harbour, settings: LazySettings, spoil: Callable[[LazySettings], None]
) -> None:
    theirs, ours = harbour.launch("theirs", KIND), harbour.launch("ours", "k8s-deployment")
    harbour.settle()
    spoil(settings)
    registry.forget()
    forget_package()
    harbour.simulated.create({"kind": "Namespace", "metadata": {"name": "later"}})
    harbour.settle()

    for tab in ("", "/resources", "/events", "/logs", "/metrics", "/history", "/manifests"):
        harbour.page(f"/deployments/{theirs.pk}{tab}")
    assert "Launch on Kubernetes Deployment" in harbour.page(f"/deployments/{theirs.pk}/elsewhere")
    page = harbour.page(f"/deployments/{theirs.pk}")
    assert f"implementation {KIND} is not installed in this console" in page
    assert "theirs" in harbour.page("/deployments")
    assert count_by_kind()[KIND] == 1
    assert "is not installed in this console" not in harbour.page(f"/deployments/{ours.pk}")
    assert "Acme" not in harbour.page(f"/launch/place?model=qwen3&template={harbour.template.pk}")


@pytest.mark.parametrize(
    "verb", ["render", "validate", "effects", "get", "list", "get_several", "resources"]
)
def test_a_verb_that_fails_spoils_neither_pages_nor_the_pass(
    harbour: Harbour, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    theirs, ours = harbour.launch("theirs", KIND), harbour.launch("ours", "k8s-deployment")

    def fail(*_args: object, **_kwargs: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(registry.get(KIND)), verb, fail)
    harbour.settle()
    ours.refresh_from_db()
    assert ours.phase == "Ready"
    for tab in ("", "/resources", "/events", "/history", "/manifests", "/change"):
        harbour.page(f"/deployments/{theirs.pk}{tab}")


@pytest.mark.parametrize(
    ("verb", "garbage"),
    [
        ("render", [42]),
        ("get", {"phase": "Ready"}),
        ("list", ["Ready"]),
        ("get_several", {"id": "Ready"}),
        ("get_several", 42),
        ("resources", None),
        ("events", ()),
    ],
)
def test_a_verb_that_answers_garbage_spoils_neither_pages_nor_the_pass(
    harbour: Harbour, monkeypatch: pytest.MonkeyPatch, verb: str, garbage: object
) -> None:
    theirs, ours = harbour.launch("theirs", KIND), harbour.launch("ours", "k8s-deployment")
    monkeypatch.setattr(type(registry.get(KIND)), verb, lambda *_args, **_kwargs: garbage)
    harbour.settle()
    ours.refresh_from_db()
    assert ours.phase == "Ready"
    for tab in ("", "/resources", "/events", "/history", "/manifests", "/change"):
        harbour.page(f"/deployments/{theirs.pk}{tab}")
    harbour.page("/deployments")


def test_what_garbage_it_answered_is_told_on_the_page(
    harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = harbour.launch("theirs", KIND)
    monkeypatch.setattr(type(registry.get(KIND)), "get", lambda *_args, **_kwargs: 42)
    page = harbour.page(f"/deployments/{theirs.pk}")
    assert f"implementation {KIND} failed at get (it answered int, not Observation)" in page
