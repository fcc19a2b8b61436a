"""Launching, reading and deleting over the API, on the cluster in memory."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from rest_framework.renderers import JSONRenderer

from console.api.serializers.deployments import DeploymentAnswer, DeploymentRow
from deployments.models import Cluster, Deployment
from providers.contract.errors import Rejected, Unavailable
from providers.testing.memory.cluster import MemoryCluster
from templates_app.models import ModelDeploymentTemplate
from tests.api.conftest import Person

FIELDS = {
    "id",
    "name",
    "deployment_id",
    "base_model",
    "base_model_id",
    "serving_name",
    "replicas",
    "gpus_per_replica",
    "gpu_type",
    "region",
    "created_by",
    "created_at",
    "updated_at",
    "status",
    "template_id",
    "template_version",
    "implementation_kind",
    "cluster",
    "namespace",
    "endpoint",
    "revision",
    "overrides",
    "checks",
    "status_detail",
}


def test_a_launch_answers_everything_that_was_promised(
    owner: Person, order: dict[str, Any], template: ModelDeploymentTemplate
) -> None:
    status, made = owner.post("deployments", order)
    assert status == 201
    assert set(made) >= FIELDS
    assert made["deployment_id"].startswith("gsm8k-math-sample-")
    assert (made["template_id"], made["template_version"]) == (str(template.pk), "1.0.0")
    assert (made["created_by"], made["replicas"], made["gpu_type"]) == ("olga", "1", "cpu")
    assert (made["namespace"], made["cluster"], made["revision"]) == ("models", "harbour", 1)
    times = {"closed_at", "deletion_asked_at", "observed_at"}
    assert [key for key, value in made.items() if value is None and key not in times] == []


def test_a_launched_model_is_read_live_and_removed(
    owner: Person, order: dict[str, Any], runtime: MemoryCluster
) -> None:
    made = owner.post("deployments", order)[1]
    path = f"deployments/{made['id']}"
    _, read = owner.get(path)
    assert (read["status"], read["status_detail"]["reason"]) == ("Ready", "Available")
    assert read["status_detail"]["message"] == "1 of 1 replicas ready"
    assert read["status_detail"]["stale"] is False
    status, gone = owner.delete(path)
    assert (status, gone["status"]) == (200, "Deleted")
    assert not runtime.objects
    assert owner.get("deployments")[1]["count"] == 0
    status, closed = owner.get(path)
    assert (status, closed["status"]) == (200, "Deleted")
    assert closed["closed_at"]
    assert owner.delete(path)[0] == 200


def test_a_deletion_that_waits_is_202_and_is_closed_by_a_later_read(
    owner: Person, order: dict[str, Any], runtime: MemoryCluster
) -> None:
    made = owner.post("deployments", order)[1]
    for stored in runtime.objects.values():
        stored.held_by = ("example.com/keep",)
    status, answer = owner.delete(f"deployments/{made['id']}", {"reason": "no longer needed"})
    assert (status, answer["status"]) == (202, "Deleting")
    runtime.objects.clear()
    assert owner.get(f"deployments/{made['id']}")[1]["closed_at"]


def test_the_list_is_snapshots_and_asks_the_cluster_nothing(
    owner: Person, order: dict[str, Any], runtime: MemoryCluster
) -> None:
    owner.post("deployments", order)
    before = list(runtime.calls)
    _, answer = owner.get("deployments")
    assert [row["name"] for row in answer["deployments"]] == ["gsm8k-math-sample"]
    assert runtime.calls == before


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ({"search": "MATH"}, 1),
        ({"search": "nothing"}, 0),
        ({"status": "Ready"}, 1),
        ({"status": "Failed"}, 0),
        ({"model_id": "qwen3-06b"}, 1),
        ({"cluster": "harbour", "namespace": "models"}, 1),
        ({"cluster": "elsewhere"}, 0),
        ({"implementation_kind": "memory"}, 1),
        ({"created_by": "me"}, 1),
        ({"created_by": "mona"}, 0),
    ],
)
def test_the_list_is_narrowed(
    owner: Person, order: dict[str, Any], query: dict[str, str], count: int
) -> None:
    made = owner.post("deployments", order)[1]
    owner.get(f"deployments/{made['id']}")
    assert owner.get("deployments", **query)[1]["count"] == count


def test_an_unknown_status_in_a_filter_is_named(owner: Person) -> None:
    status, answer = owner.get("deployments", status="Hot")
    assert (status, list(answer["fields"])) == (400, ["status"])


def test_a_row_of_the_list_says_what_the_serializer_says_of_its_record(
    owner: Person, order: dict[str, Any]
) -> None:
    order["overrides"] = {"min_replicas": 1, "max_replicas": 3, "enable_auto_scaling": True}
    made = owner.post("deployments", order)[1]
    owner.get(f"deployments/{made['id']}")
    record = Deployment.objects.select_related("cluster", "model").get()
    written = json.loads(JSONRenderer().render(DeploymentRow(record).data))
    assert owner.get("deployments")[1]["deployments"] == [written]
    assert written["replicas"] == "1[3]"


def test_one_deployment_is_answered_as_the_serializer_describes_it(
    owner: Person, order: dict[str, Any], runtime: MemoryCluster
) -> None:
    made = owner.post("deployments", order)[1]
    runtime.ready[made["deployment_id"]] = 1
    answer = owner.get(f"deployments/{made['id']}")[1]
    record = Deployment.objects.select_related("cluster", "model").get()
    context = {"status": answer["status_detail"]}
    described = DeploymentAnswer(record, context=context).data
    assert answer == json.loads(JSONRenderer().render(described))


@pytest.mark.parametrize("rows", [1, 200])
def test_a_list_takes_as_many_queries_whatever_its_length(
    owner: Person,
    order: dict[str, Any],
    rows: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    made = owner.post("deployments", order)[1]
    sample = Deployment.objects.get(pk=made["id"])
    copies = [_copy(sample, number) for number in range(rows - 1)]
    Deployment.objects.bulk_create(copies)
    owner.get("deployments")
    with django_assert_num_queries(4):
        assert owner.get("deployments", page_size=200)[1]["count"] == rows


def _copy(sample: Deployment, number: int) -> Deployment:
    values = {column.attname: getattr(sample, column.attname) for column in sample._meta.fields}
    values |= {"name": f"copy {number}", "name_key": f"copy {number}"}
    values |= {"runtime_name": f"copy-{number}", "created_at": timezone.now() - timedelta(hours=1)}
    del values["id"]
    return Deployment(**values)


@pytest.mark.parametrize(
    ("change", "status", "field"),
    [
        ({"name": ""}, 400, "name"),
        ({"name": None}, 400, "name"),
        ({"name": 5}, 400, "name"),
        ({"name": "x" * 201}, 400, "name"),
        ({"name": "a\nb"}, 400, "name"),
        ({"name": "a\x00"}, 400, "name"),
        ({"template": {"template_id": "nonsense"}}, 400, "template.template_id"),
        ({"template": {"model_id": "other"}}, 400, "template.model_id"),
        ({"template": "x"}, 400, "template"),
        ({"implementation": {"kind": "unknown"}}, 400, "implementation.kind"),
        ({"implementation": {"kind": 1}}, 400, "implementation.kind"),
        ({"overrides": {"min_replicas": -1}}, 400, "overrides.min_replicas"),
        ({"overrides": {"min_replicas": 1.5}}, 400, "overrides.min_replicas"),
        ({"overrides": {"min_replicas": 10**12}}, 400, "overrides.min_replicas"),
        ({"overrides": {"min_replicas": 5}}, 400, "overrides.min_replicas"),
        ({"overrides": {"enable_auto_scaling": True}}, 400, "overrides.max_replicas"),
        (
            {"overrides": {"min_replicas": 3, "max_replicas": 2, "enable_auto_scaling": True}},
            400,
            "overrides.max_replicas",
        ),
        ({"overrides": {"image": "x"}}, 400, "overrides.image"),
        ({"overrides": {"engine_args": {"seed": 1}}}, 400, "overrides.engine_args.seed"),
        (
            {"overrides": {"engine_args": {"max_model_len": 99999}}},
            400,
            "overrides.engine_args.max_model_len",
        ),
        ({"overrides": {"model_version": "nope"}}, 400, "overrides.model_version"),
        ({"overrides": []}, 400, "overrides"),
        ({"target": {"cluster": "elsewhere"}}, 400, "target.cluster"),
        ({"target": {"namespace": "kube-system"}}, 400, "target.namespace"),
        ({"target": {"namespace": "Models!"}}, 400, "target.namespace"),
        ({"colour": "red"}, 400, "colour"),
        ({"launch": "forged"}, 400, "launch"),
    ],
)
def test_bad_input_is_refused_by_field_and_nothing_is_stored(
    owner: Person,
    order: dict[str, Any],
    runtime: MemoryCluster,
    change: dict[str, Any],
    status: int,
    field: str,
) -> None:
    merged = {**order, **change}
    if isinstance(change.get("template"), dict):
        merged["template"] = {**order["template"], **change["template"]}
    got, answer = owner.post("deployments", merged)
    assert (got, list(answer["fields"])) == (status, [field])
    assert field in answer["message"]
    assert not Deployment.objects.exists()
    assert not runtime.objects


def test_a_region_chooses_the_cluster_and_a_target_outside_it_is_refused(
    owner: Person, order: dict[str, Any], cluster: Cluster
) -> None:
    Cluster.objects.filter(pk=cluster.pk).update(region="EU")
    outside = {**order, "overrides": {"region": "US"}, "target": {"cluster": "harbour"}}
    status, answer = owner.post("deployments", outside)
    assert (status, list(answer["fields"])) == (400, ["target.cluster"])
    status, made = owner.post("deployments", {**order, "overrides": {"region": "EU"}})
    assert (status, made["cluster"], made["region"]) == (201, "harbour", "EU")


def test_a_draft_cannot_be_launched(
    owner: Person, order: dict[str, Any], make_template: Any
) -> None:
    draft = make_template(version="2", active=False)
    order["template"]["template_id"] = str(draft.pk)
    status, answer = owner.post("deployments", order)
    assert (status, answer["code"]) == (409, "template_inactive")


def test_a_name_is_taken_whatever_its_case_until_it_is_free_again(
    owner: Person, member: Person, order: dict[str, Any]
) -> None:
    made = owner.post("deployments", order)[1]
    status, answer = member.post("deployments", {**order, "name": "GSM8K-Math-Sample"})
    assert (status, answer["code"], list(answer["fields"])) == (409, "name_taken", ["name"])
    owner.delete(f"deployments/{made['id']}")
    assert member.post("deployments", order)[0] == 201


def test_who_did_not_launch_it_may_not_remove_it_but_an_admin_may(
    owner: Person, member: Person, admin: Person, order: dict[str, Any]
) -> None:
    made = owner.post("deployments", order)[1]
    status, answer = member.delete(f"deployments/{made['id']}")
    assert (status, answer["code"]) == (403, "forbidden")
    assert admin.delete(f"deployments/{made['id']}")[0] == 200


def test_the_clusters_refusal_is_422_in_its_own_words_and_leaves_nothing(
    owner: Person, order: dict[str, Any], runtime: MemoryCluster
) -> None:
    runtime.refusals["MemoryService"] = Rejected("quota says no", code="QuotaExceeded")
    status, answer = owner.post("deployments", order)
    assert (status, answer["code"]) == (422, "QuotaExceeded")
    assert "quota says no" in answer["message"]
    assert not runtime.objects
    assert not Deployment.objects.open().exists()


def test_a_missing_namespace_is_422_by_field(
    owner: Person, order: dict[str, Any], runtime: MemoryCluster
) -> None:
    runtime.namespaces.clear()
    status, answer = owner.post("deployments", order)
    assert (status, list(answer["fields"])) == (422, ["target.namespace"])
    assert not Deployment.objects.exists()


def test_a_silent_cluster_is_503_and_nothing_is_stored(
    owner: Person, order: dict[str, Any], runtime: MemoryCluster
) -> None:
    runtime.faults["*"] = Unavailable("10.0.0.1:6443 does not answer", retry_after=7)
    status, answer = owner.post("deployments", order)
    assert status == 503
    assert "does not answer" in answer["message"]
    assert not Deployment.objects.exists()


def test_a_cluster_that_falls_silent_after_the_checks_is_finished_later(
    owner: Person, order: dict[str, Any], runtime: MemoryCluster
) -> None:
    runtime.faults["create"] = Unavailable("gone silent")
    status, made = owner.post("deployments", order)
    assert (status, made["status"]) == (201, "Deploying")
    assert made["status_detail"]["reason"] == "ApplyPending"


def test_a_silent_cluster_leaves_the_last_snapshot_marked_stale(
    owner: Person, order: dict[str, Any], runtime: MemoryCluster
) -> None:
    made = owner.post("deployments", order)[1]
    owner.get(f"deployments/{made['id']}")
    runtime.faults["get"] = Unavailable("gone silent")
    status, read = owner.get(f"deployments/{made['id']}")
    assert (status, read["status"]) == (200, "Ready")
    assert read["status_detail"]["stale"] is True
    assert "gone silent" in read["status_detail"]["stale_because"]


def test_a_preview_tells_everything_and_stores_nothing(
    owner: Person, order: dict[str, Any], runtime: MemoryCluster
) -> None:
    status, preview = owner.post("deployments/preview", order)
    assert status == 200
    assert [m["kind"] for m in preview["manifests"]] == ["MemoryWorkload", "MemoryService"]
    assert preview["runtime_name"] == preview["manifests"][0]["metadata"]["name"]
    assert {check["result"] for check in preview["checks"]} <= {"pass", "warn", "unknown"}
    assert not Deployment.objects.exists()
    assert not runtime.objects


def test_what_the_cluster_would_refuse_is_a_failed_check_in_a_preview(
    owner: Person, order: dict[str, Any], runtime: MemoryCluster
) -> None:
    runtime.namespaces.clear()
    status, preview = owner.post("deployments/preview", order)
    failed = [check for check in preview["checks"] if check["result"] == "fail"]
    assert (status, [check["field"] for check in failed]) == (200, ["target.namespace"])


def test_a_preview_of_a_silent_cluster_has_one_unknown_check(
    owner: Person, order: dict[str, Any], runtime: MemoryCluster
) -> None:
    runtime.faults["*"] = Unavailable("gone silent")
    status, preview = owner.post("deployments/preview", order)
    assert status == 200
    unknown = [check for check in preview["checks"] if check["result"] == "unknown"]
    assert len(unknown) == 1
    assert "gone silent" in unknown[0]["message"]


def test_what_was_previewed_is_what_is_launched_and_only_once(
    owner: Person, order: dict[str, Any]
) -> None:
    preview = owner.post("deployments/preview", order)[1]
    reviewed = {**order, "launch": preview["launch"]}
    status, made = owner.post("deployments", reviewed)
    assert (status, made["deployment_id"]) == (201, preview["runtime_name"])
    manifests = owner.get(f"deployments/{made['id']}/manifests")[1]["manifests"]
    assert manifests == preview["manifests"]
    status, again = owner.post("deployments", reviewed)
    assert (status, again["id"]) == (201, made["id"])


def test_a_launch_that_is_no_longer_what_was_reviewed_is_409(
    owner: Person, order: dict[str, Any]
) -> None:
    preview = owner.post("deployments/preview", order)[1]
    changed = {**order, "launch": preview["launch"], "overrides": {"min_replicas": 3}}
    status, answer = owner.post("deployments", changed)
    assert (status, answer["code"]) == (409, "launch_changed")
    assert any("replicas" in change["path"] for change in answer["changes"])
    assert not Deployment.objects.exists()


def test_the_same_idempotency_key_launches_once(owner: Person, order: dict[str, Any]) -> None:
    status, first = owner.post("deployments", order, **{"Idempotency-Key": "k1"})
    again_status, again = owner.post("deployments", order, **{"Idempotency-Key": "k1"})
    assert (status, again_status) == (201, 201)
    assert again == first
    assert Deployment.objects.count() == 1


def test_a_key_with_another_body_is_409_and_a_refusal_frees_it(
    owner: Person, order: dict[str, Any]
) -> None:
    key = {"Idempotency-Key": "k1"}
    assert owner.post("deployments", {**order, "name": ""}, **key)[0] == 400
    assert owner.post("deployments", order, **key)[0] == 201
    status, answer = owner.post("deployments", {**order, "name": "other"}, **key)
    assert (status, answer["code"]) == (409, "key_reused")


def test_two_people_may_use_the_same_key(
    owner: Person, member: Person, order: dict[str, Any]
) -> None:
    key = {"Idempotency-Key": "k1"}
    assert owner.post("deployments", order, **key)[0] == 201
    assert member.post("deployments", {**order, "name": "other"}, **key)[0] == 201


def test_the_flat_fields_of_older_clients_still_launch(
    owner: Person, order: dict[str, Any]
) -> None:
    flat = {
        "name": "flat",
        "base_model": "qwen3-06b",
        "accelerator_type": "cpu",
        "min_replicas": 2,
        "implementation": {"kind": "memory"},
    }
    status, made = owner.post("deployments", flat)
    assert (status, made["replicas"], made["base_model_id"]) == (201, "2", "qwen3-06b")


def test_an_implementation_without_any_template_is_400(
    owner: Person, order: dict[str, Any]
) -> None:
    body = {"name": "x", "implementation": {"kind": "memory"}, "overrides": {"min_replicas": 1}}
    status, answer = owner.post("deployments", body)
    assert (status, "template" in answer["message"]) == (400, True)


def test_manifests_are_a_download_too(owner: Person, order: dict[str, Any]) -> None:
    made = owner.post("deployments", order)[1]
    response = owner.client.get(f"/api/v1/deployments/{made['id']}/manifests?as=yaml")
    assert response.headers["Content-Type"] == "application/yaml"
    assert made["deployment_id"] in response.headers["Content-Disposition"]
    assert response.content.count(b"kind: Memory") == 2
    status, answer = owner.get(f"deployments/{made['id']}/manifests", **{"as": "xml"})
    assert (status, list(answer["fields"])) == (400, ["as"])


@pytest.mark.parametrize("path", ["deployments/nonsense", "deployments/%00", "deployments/1"])
def test_what_is_no_id_is_not_found(owner: Person, path: str) -> None:
    assert owner.get(path)[0] == 404
    assert owner.delete(path)[0] == 404
