"""The stand-in for AIBrix's controllers changes StormServices as the real ones were recorded to."""

import json
import uuid

from tests.cluster.harness.api import Api, namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.recorded import asked, collection, recorded, seen
from tests.cluster.test_storm_stand_in import KINDS, STORM
from tests.cluster.waiting import wait_for

WAIT_SECONDS = 90.0


def launch(api: Api, namespace: str, case: str) -> str:
    # Under a name and an id of its own: one selector in two namespaces counts the RoleSets of both.
    (told,) = asked(recorded("stormservice", case), namespace)
    text = json.dumps(told).replace(told["metadata"]["name"], f"storm-{uuid.uuid4().hex[:8]}")
    body = json.loads(text)
    api.create(collection(body), body)
    path = namespaced(namespace, "stormservices", body["metadata"]["name"], api=f"apis/{STORM}")
    wait_for(lambda: is_rolled_out(api, path), WAIT_SECONDS, "it is Ready")
    return path


def is_rolled_out(api: Api, path: str) -> bool:
    found = api.get(path)
    status = found.get("status") or {}
    told = [one["type"] for one in status.get("conditions") or ()]
    is_observed = status.get("observedGeneration") == found["metadata"]["generation"]
    return is_observed and told == ["Ready"]


def uids(api: Api, namespace: str, kind: str) -> set[str]:
    kinds = [one for one in KINDS if one["kind"] == kind]
    found = seen(api, namespace, kinds)
    return {one["metadata"]["uid"] for one in found if not one["metadata"].get("deletionTimestamp")}


def change_image(api: Api, path: str, strategy: str) -> None:
    body = api.get(path)["spec"]["template"]
    for role in body["spec"]["roles"]:
        role["template"]["spec"]["containers"][0]["image"] = "docker.io/vllm/vllm-openai:v0.11.1"
    api.merge(path, {"spec": {"template": body, "updateStrategy": {"type": strategy}}})


def test_a_rolling_update_replaces_whole_role_sets(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    api, namespace = foreign_plane.api, foreign_namespace
    path = launch(api, namespace, "standard-ready")
    before = uids(api, namespace, "RoleSet")
    change_image(api, path, "RollingUpdate")
    wait_for(
        lambda: len(after := uids(api, namespace, "RoleSet")) == 2 and not after & before,
        WAIT_SECONDS,
        "both RoleSets are others",
    )


def test_an_update_in_place_keeps_the_role_set_and_replaces_the_pods(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    api, namespace = foreign_plane.api, foreign_namespace
    path = launch(api, namespace, "disaggregated-ready")
    sets, pods = uids(api, namespace, "RoleSet"), uids(api, namespace, "Pod")
    change_image(api, path, "InPlaceUpdate")
    wait_for(
        lambda: len(after := uids(api, namespace, "Pod")) == len(pods) and not after & pods,
        WAIT_SECONDS,
        "every pod is another",
    )
    assert uids(api, namespace, "RoleSet") == sets


def test_a_role_scaled_in_place_keeps_its_pods(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    api, namespace = foreign_plane.api, foreign_namespace
    path = launch(api, namespace, "disaggregated-ready")
    pods = uids(api, namespace, "Pod")
    template = api.get(path)["spec"]["template"]
    template["spec"]["roles"][1]["replicas"] += 1
    api.merge(path, {"spec": {"template": template, "updateStrategy": {"type": "InPlaceUpdate"}}})
    wait_for(
        lambda: len(uids(api, namespace, "Pod")) == len(pods) + 1, WAIT_SECONDS, "one pod more"
    )
    assert pods < uids(api, namespace, "Pod")
