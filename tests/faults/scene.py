"""Launches through the product's own services, and what each of its surfaces says afterwards."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape
from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from django.utils.html import strip_tags
from prometheus_client.parser import text_string_to_metric_families

from console.web.templatetags.slipway import sentence
from deployments.models import Cluster, Deployment
from deployments.services.launching import create_deployment
from deployments.services.orders import read_order
from deployments.services.refreshing import refresh_cluster
from providers.contract.status import Phase
from providers.testing.samples import spec_with
from templates_app import services
from templates_app.entries import parse_model, parse_template
from tests.faults.place import Place
from tests.faults.table import Trouble

TRIES = 300
LOOKS = 30
METRICS_TOKEN = "a-token-of-some-length"


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """What one surface says of a deployment."""

    phase: str
    reason: str
    message: str = ""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One cluster that may fail and another that stays well, seen by one person."""

    place: Place
    cluster: Cluster
    other: Cluster
    user: User
    client: Client

    def launch(
        self, trouble: Trouble | None = None, *, cluster: Cluster | None = None
    ) -> Deployment:
        """Launch a healthy deployment, or one that is to come into trouble."""
        name = trouble.name if trouble else f"healthy on {(cluster or self.cluster).name}"
        doomed = trouble is not None and trouble.in_doomed_namespace
        order = {
            "name": name,
            "template": {"template_id": _template(name, _spec(trouble))},
            "target": {
                "cluster": (cluster or self.cluster).name,
                "namespace": self.place.doomed if doomed else self.place.namespace,
            },
            "overrides": dict(trouble.overrides) if trouble else {},
        }
        return create_deployment(read_order(order), user=self.user)

    def until(self, deployment: Deployment, phase: Phase, reason: str, *, step: float) -> None:
        """Pass over the clusters until every surface says so of a deployment; fails with all."""
        wanted = (phase.value, reason)
        for _ in range(TRIES):
            self.refresh()
            deployment.refresh_from_db()
            if (deployment.phase, deployment.reason) == wanted:
                told = self.told_of(deployment)
                if all((one.phase, one.reason) == wanted for one in told.values()):
                    return
            self.place.let_pass(step)
        seen = {name: (one.phase, one.reason) for name, one in self.told_of(deployment).items()}
        raise AssertionError(f"never {wanted}, but {seen}: {deployment.message}")

    def refresh(self) -> None:
        """Pass over both clusters; none of them may be in trouble."""
        for cluster in Cluster.objects.filter(pk__in=[self.cluster.pk, self.other.pk]):
            report = refresh_cluster(cluster)
            assert (report.error, report.problems) == ("", ())

    def told_of(self, deployment: Deployment) -> Mapping[str, Verdict]:
        """Return what the record, the list, the API and the page say, in this order."""
        deployment.refresh_from_db()
        [listed] = self._api(f"deployments?search={deployment.runtime_name}")["deployments"]
        one = self._api(f"deployments/{deployment.pk}")
        detail = one["status_detail"]
        deployment.refresh_from_db()
        kept = _kept(deployment)
        return {
            "record": kept,
            "row of the API": _read(listed, "status"),
            "answer of the API": _read(one, "status"),
            "detail of the API": _read(detail, "phase"),
            "page": self._shown(f"/deployments/{deployment.pk}", kept),
            "list": self._shown("/deployments", kept),
        }

    def agreed(self, deployment: Deployment) -> Mapping[str, Verdict]:
        """Return what every surface says once all say the same.

        A container may end again between two of the looks, and is then counted once more.
        """
        told = self.told_of(deployment)
        for _ in range(LOOKS):
            if len(set(told.values())) == 1:
                break
            self.place.let_pass(1.0)
            told = self.told_of(deployment)
        return told

    def counted(self, deployment: Deployment) -> float:
        """Return how many deployments with its verdict the metrics count."""
        labels = {
            "cluster": deployment.cluster.name,
            "phase": deployment.phase,
            "reason": deployment.reason,
        }
        return self.metric("slipway_deployments", labels)

    def metric(self, name: str, labels: Mapping[str, str]) -> float:
        """Return one number of `/metrics`, 0 where there is none."""
        answer = self.client.get("/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"})
        assert answer.status_code == 200
        for family in text_string_to_metric_families(answer.content.decode()):
            for sample in family.samples:
                if sample.name == name and sample.labels == dict(labels):
                    return float(sample.value)
        return 0.0

    def page(self, path: str) -> str:
        """Return the words of a page, without its marks."""
        answer = self.client.get(path)
        assert answer.status_code == 200
        return " ".join(unescape(strip_tags(answer.content.decode())).split())

    def _api(self, path: str) -> Mapping[str, Any]:
        answer = self.client.get(f"/api/v1/{path}")
        assert answer.status_code == 200, answer.content
        body: Mapping[str, Any] = answer.json()
        return body

    def _shown(self, path: str, kept: Verdict) -> Verdict:
        """Return the verdict if a page shows it, an empty one if not."""
        words = self.page(path)
        said = f"{kept.phase} {kept.reason} {sentence(kept.message)}"
        return (
            kept if " ".join(said.split()) in words else Verdict(phase="", reason="", message=words)
        )


def _kept(deployment: Deployment) -> Verdict:
    return Verdict(phase=deployment.phase, reason=deployment.reason, message=deployment.message)


def _read(answer: Mapping[str, Any], phase: str) -> Verdict:
    return Verdict(
        phase=str(answer[phase]), reason=str(answer["reason"]), message=str(answer["message"])
    )


def _spec(trouble: Trouble | None) -> dict[str, object]:
    if trouble is None:
        return spec_with()
    engine: dict[str, object] = {"ready_timeout_seconds": trouble.budget}
    if trouble.word:
        engine["env"] = {"SLIPWAY_SIMULATE": trouble.word}
    return spec_with(engine=engine, **trouble.spec)


def _template(name: str, spec: dict[str, object]) -> str:
    key = name.replace(" ", "-")
    model = services.create_model(parse_model({"id": key, "name": name}), by=None)
    entry = parse_template(name="mock", version="1.0.0", spec=spec)
    template = services.activate_template(services.create_template(model, entry, by=None), by=None)
    return str(template.pk)
