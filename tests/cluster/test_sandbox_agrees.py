"""The simulated cluster does not lie: what we send and read is answered as by a real API server."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import replace

import pytest

from providers.contract.manifest import Manifest
from providers.sandbox.cluster import VirtualCluster
from providers.simulation.simulate import ENVIRONMENT_VARIABLE
from tests.cluster.both import APPLY, Ask, Both, nameless
from tests.cluster.cast import USUAL_NODES
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane

FORCE = {"fieldManager": "slipway", "force": "true"}
OFFER = {"fieldManager": "slipway-scale", "force": "false"}
DRY = {**FORCE, "dryRun": "All", "fieldValidation": "Strict"}
DEPLOYMENTS = namespaced("{ns}", "deployments", api="apis/apps/v1")
PODS, SERVICES = namespaced("{ns}", "pods"), namespaced("{ns}", "services")
AUTOSCALERS = namespaced("{ns}", "horizontalpodautoscalers", api="apis/autoscaling/v2")
REPLICA_SETS = namespaced("{ns}", "replicasets", api="apis/apps/v1")
LABELS_OF_SLICES = ("slipway.dev/id", "kubernetes.io/service-name")
SURGE = {"maxSurge": 1, "maxUnavailable": 0}


@pytest.fixture
def both(control_plane: ControlPlane, cluster_nodes: object, namespace: str) -> Both:
    sandbox = VirtualCluster()
    for node in USUAL_NODES:
        metadata = {"name": node.name, "labels": dict(node.labels)}
        status = {"allocatable": dict(node.capacity)}
        sandbox.create({"kind": "Node", "metadata": metadata, "status": status})
    sandbox.create({"kind": "Namespace", "metadata": {"name": namespace}})
    sandbox.advance(60)
    return Both(control_plane.api, sandbox, namespace)


def deployment(name: str = "d", **spec: object) -> Manifest:
    container = {
        "name": "c",
        "image": "docker.io/vllm/vllm-openai:v0.11.0",
        "env": [{"name": "A", "value": "1"}],
        "ports": [{"containerPort": 8000, "protocol": "TCP"}],
        "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}},
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "labels": {"app": name}},
        "spec": {
            "selector": {"matchLabels": {"app": name}},
            "strategy": {"type": "RollingUpdate", "rollingUpdate": SURGE},
            "template": {
                "metadata": {"labels": {"app": name}},
                "spec": {"containers": [container], "terminationGracePeriodSeconds": 2},
            },
            **spec,
        },
    }


def rolling(name: str = "d", **bounds: object) -> Manifest:
    return deployment(name, strategy={"type": "RollingUpdate", "rollingUpdate": bounds})


def with_container(name: str = "d", **fields: object) -> Manifest:
    body = deployment(name)
    body["spec"]["template"]["spec"]["containers"][0] |= fields
    return body


def autoscaler(least: int = 2, most: int = 4, name: str = "d", of: str = "d") -> Manifest:
    target = {"type": "Utilization", "averageUtilization": 80}
    return {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": name},
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": of},
            "minReplicas": least,
            "maxReplicas": most,
            "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": target}}],
        },
    }


def service(name: str = "d", **spec: object) -> Manifest:
    port = {"name": "http", "port": 80, "protocol": "TCP", "targetPort": 8000}
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": name, "labels": {"slipway.dev/id": "1"}},
        "spec": {"selector": {"app": "d"}, "ports": [port], **spec},
    }


def pod(name: str = "p", resources: Manifest | None = None, **spec: object) -> Manifest:
    container = {"name": "c", "image": "docker.io/x/y:1", "resources": resources or {}}
    body = {"containers": [container], "automountServiceAccountToken": False, **spec}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": body}


def quota(**hard: str) -> Manifest:
    lines = {name.replace("__", "/").replace("_", "."): amount for name, amount in hard.items()}
    return {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "team"},
        "spec": {"hard": lines},
    }


def stub(replicas: int | None) -> Manifest:
    spec = {} if replicas is None else {"replicas": replicas}
    named = {"apiVersion": "apps/v1", "kind": "Deployment"}
    return {**named, "metadata": {"name": "d"}, "spec": spec}


def applying(body: Manifest, **query: str) -> Ask:
    paths = {"Deployment": DEPLOYMENTS, "Service": SERVICES}
    path = f"{paths.get(body['kind'], AUTOSCALERS)}/{body['metadata']['name']}"
    return Ask(method="PATCH", path=path, body=body, content_type=APPLY, query=query or FORCE)


def merging(body: Manifest, manager: str = "kubectl-edit") -> Ask:
    path, merge = f"{DEPLOYMENTS}/d", "application/merge-patch+json"
    query = {"fieldManager": manager}
    return Ask(method="PATCH", path=path, body=body, content_type=merge, query=query)


def posting(path: str, body: Manifest, **query: str) -> Ask:
    return Ask(method="POST", path=path, body=body, query=query)


def getting(path: str, **query: str) -> Ask:
    return Ask(method="GET", path=path, query=query)


def deleting(path: str, **options: object) -> Ask:
    return Ask(
        method="DELETE", path=path, body={"kind": "DeleteOptions", "apiVersion": "v1"} | options
    )


# Each is asked beside a Deployment `d` of two replicas that `slipway` has applied.
REFUSALS = {
    "missing namespace": replace(
        applying(deployment()), path=f"{DEPLOYMENTS.replace('{ns}', 'no-such-ns')}/d"
    ),
    "number held by another": applying(stub(5), **OFFER),
    "created in a missing namespace": posting(
        namespaced("no-such-ns", "pods"), pod(), dryRun="All"
    ),
    "pod of a missing account": posting(PODS, pod(serviceAccountName="nobody"), dryRun="All"),
    "missing object": getting(f"{DEPLOYMENTS}/nope"),
    "missing node": getting("/api/v1/nodes/nope"),
    "missing namespace read": getting("/api/v1/namespaces/nope"),
    "unknown kind": getting("/apis/apps/v1/nopes"),
    "deleted though missing": deleting(f"{DEPLOYMENTS}/nope"),
    "log of a missing pod": getting(f"{PODS}/nope/log"),
}


# Of these we read no word but the reason.
IN_OTHER_WORDS = {
    "stub of what is not there": replace(
        applying({**stub(1), "metadata": {"name": "zz"}}, **OFFER), path=f"{DEPLOYMENTS}/zz"
    ),
    "bound as text that is no percentage": applying(rolling(maxSurge="1")),
    "bounds that let nothing move": applying(rolling(maxSurge=0, maxUnavailable="0%")),
    "deleted by another uid": deleting(f"{DEPLOYMENTS}/d", preconditions={"uid": "x"}),
    "patched as it was long ago": merging({"metadata": {"resourceVersion": "1"}, "spec": {}}),
}


@pytest.mark.parametrize("title", IN_OTHER_WORDS)
def test_both_refuse_for_the_same_reason(both: Both, title: str) -> None:
    both.ask(applying(deployment(replicas=2)))
    ask = IN_OTHER_WORDS[title]
    path, body = both.placed(ask)
    real = both.real.ask(ask.method, path, body, ask.content_type, **ask.query)
    mine = both.ask_sandbox(ask)
    assert (mine.status, mine.body["reason"]) == (real.status, real.body["reason"])
    assert mine.status >= 400


@pytest.mark.parametrize("title", REFUSALS)
def test_both_refuse_alike(both: Both, title: str) -> None:
    both.ask(applying(deployment(replicas=2)))
    both.ask(REFUSALS[title])


def replicas_and_holders(body: Manifest) -> object:
    entries = body["metadata"].get("managedFields") or ()
    holders = [
        (entry["manager"], entry["operation"], entry.get("subresource"))
        for entry in entries
        if "f:replicas" in entry["fieldsV1"].get("f:spec", {})
    ]
    return body["spec"]["replicas"], sorted(map(str, holders))


def slipways_fields(body: Manifest) -> object:
    """Return which members of the spec slipway holds; the sandbox holds lists as a whole."""
    entries = body["metadata"]["managedFields"]
    ours = [entry["fieldsV1"] for entry in entries if entry["manager"] == "slipway"]
    return [sorted(fields["f:spec"]) for fields in ours]


def without_identity(body: Manifest) -> Manifest:
    kept = {"name", "labels", "generation", "finalizers"}
    metadata = {name: value for name, value in body["metadata"].items() if name in kept}
    return {"kind": body["kind"], "metadata": metadata, "spec": body["spec"]}


@pytest.mark.parametrize(
    "body",
    [deployment(replicas=2), rolling(maxSurge=0), service(), autoscaler()],
    ids=("Deployment", "one bound", "Service", "HorizontalPodAutoscaler"),
)
def test_what_is_applied_gets_the_same_defaults_and_owners(both: Both, body: Manifest) -> None:
    def shows(found: Manifest) -> object:
        shown: Manifest = deepcopy(without_identity(found))
        for name in ("clusterIP", "clusterIPs"):  # an address that nobody of ours asks for
            shown["spec"].pop(name, None)
        return shown, slipways_fields(found)

    both.ask(applying(body, **DRY), shows)
    both.ask(applying(body), shows)
    both.ask(applying(body), shows)


def test_a_dry_run_stores_nothing(both: Both) -> None:
    both.ask(applying(deployment(), **DRY))
    both.ask(getting(f"{DEPLOYMENTS}/d"))


def test_an_apply_that_changes_nothing_keeps_the_version(both: Both) -> None:
    both.ask(applying(service()))

    def version_moves(ask: Ask) -> bool:
        first = both.ask(ask)["metadata"]["resourceVersion"]
        return bool(both.ask(ask)["metadata"]["resourceVersion"] != first)

    assert not version_moves(applying(service()))


HAND_OVERS: dict[str, Sequence[Ask]] = {
    "fixed to autoscaled": (
        applying(deployment(replicas=3)),
        applying(stub(3), **OFFER),
        applying(deployment()),
    ),
    "autoscaled to fixed": (
        applying(deployment()),
        applying(stub(3), **OFFER),
        applying(deployment(replicas=3), fieldManager="slipway", force="false"),
        applying(stub(None), **OFFER),
        applying(deployment(replicas=2)),
    ),
    "left out by its only holder": (applying(deployment(replicas=3)), applying(deployment())),
    "edited by hand and taken back": (
        applying(deployment(replicas=3)),
        merging({"spec": {"replicas": 5}}),
        merging({"spec": {"replicas": 5, "minReadySeconds": 3}}),
        applying(deployment(replicas=3)),
        merging({"spec": {"minReadySeconds": None}}, "slipway"),
    ),
    "taken by force": (
        applying(deployment(replicas=3)),
        applying(stub(5), fieldManager="slipway-scale", force="true"),
        applying(deployment(replicas=3)),
    ),
}


@pytest.mark.parametrize("title", HAND_OVERS)
def test_the_number_of_replicas_changes_hands_alike(both: Both, title: str) -> None:
    for step in HAND_OVERS[title]:
        both.ask(step, None if step.path.endswith("scale") else replicas_and_holders)
        both.ask(getting(f"{DEPLOYMENTS}/d"), replicas_and_holders)


def test_what_an_apply_leaves_out_goes_and_the_rest_stays(both: Both) -> None:
    full = with_container(env=[{"name": "A", "value": "1"}, {"name": "B", "value": "2"}])
    full["spec"]["template"]["spec"]["nodeSelector"] = {"a": "b"}
    full["metadata"]["annotations"] = {"x": "y"}
    slim = with_container(env=[{"name": "B", "value": "3"}], ports=[])
    slim["spec"]["template"]["spec"]["containers"][0].pop("ports")
    both.ask(applying(full))

    def shows(body: Manifest) -> object:
        kept = (body["metadata"].get("annotations") or {}).get("x")
        return kept, body["spec"]["template"]["spec"], slipways_fields(body)

    both.ask(applying(slim), shows)


def names(body: Manifest) -> object:
    return [item["metadata"]["name"] for item in body["items"]]


def test_lists_are_paged_and_selected_alike(both: Both) -> None:
    for number, kind in enumerate(("red", "red", "blue", "green")):
        body = service(f"s{number}")
        body["metadata"]["labels"] = {"colour": kind} if kind != "green" else {}
        both.ask(applying(body))
    for selector in (
        "colour=red",
        "colour!=red",
        "colour=red,colour!=blue",
        "colour in (red,blue)",
    ):
        both.ask(getting(SERVICES, labelSelector=selector), names)
    for fields in ("metadata.name=s1", "metadata.name!=s1,metadata.name!=s2"):
        both.ask(getting(SERVICES, fieldSelector=fields), names)

    def page(body: Manifest) -> object:
        return names(body), body["kind"]

    both.ask(getting(SERVICES, limit="3"), page)
    first = both.ask_sandbox(getting(SERVICES, limit="3")).body["metadata"]["continue"]
    rest = both.ask_sandbox(getting(SERVICES, limit="3", **{"continue": first}))
    assert names(rest.body) == ["s3"]
    forgotten = getting(SERVICES, limit="3", **{"continue": "forgotten"})
    assert both.ask_sandbox(forgotten).status == 410


def conditions(*fields: str) -> Callable[[Manifest], object]:
    def shows(body: Manifest) -> object:
        status = {k: v for k, v in body["status"].items() if k != "conditions"}
        told = [
            {name: entry.get(name) for name in ("type", "status", "reason", *fields)}
            for entry in body["status"].get("conditions") or ()
            if entry["type"] != "Available"  # which nobody of ours reads
        ]
        return status, sorted(told, key=lambda entry: str(entry["type"]))

    return shows


def test_a_rollout_ends_in_the_same_status(both: Both) -> None:
    both.ask(applying(deployment(replicas=2)))
    both.agree_at_last(getting(f"{DEPLOYMENTS}/d"), conditions("message"))
    changed = with_container(env=[{"name": "A", "value": "2"}])
    both.ask(applying({**changed, "spec": changed["spec"] | {"replicas": 2}}))
    both.agree_at_last(getting(f"{DEPLOYMENTS}/d"), conditions("message"))

    def sets(body: Manifest) -> object:
        found = [
            (
                item["spec"]["replicas"],
                item["metadata"]["annotations"]["deployment.kubernetes.io/revision"],
                item["status"]["replicas"],
                item["status"].get("readyReplicas", 0),
                sorted(item["metadata"]["labels"]),
                item["metadata"]["ownerReferences"],
            )
            for item in body["items"]
        ]
        return sorted(found, key=str)

    both.agree_at_last(getting(REPLICA_SETS), sets)


def test_what_is_deleted_in_the_foreground_goes_last(both: Both) -> None:
    made = both.ask(applying(deployment(replicas=1)))
    both.agree_at_last(getting(f"{DEPLOYMENTS}/d"), conditions())
    assert made["metadata"]["uid"]

    def ends(body: Manifest) -> object:
        metadata = body["metadata"]
        grace = metadata.get("deletionGracePeriodSeconds")
        return metadata.get("finalizers"), grace, "deletionTimestamp" in metadata

    both.ask(deleting(f"{DEPLOYMENTS}/d", propagationPolicy="Foreground"), ends)
    for path in (DEPLOYMENTS, REPLICA_SETS, PODS):
        both.agree_at_last(getting(path), names)
    both.ask(getting(f"{DEPLOYMENTS}/d"))


def test_what_a_deployment_owns_goes_with_it(both: Both) -> None:
    uid = both.real.ask("GET", "/api/v1/namespaces/default").body["metadata"]["uid"]
    orphan = service()
    owner = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "gone", "uid": uid}
    orphan["metadata"]["ownerReferences"] = [owner]
    both.real.ask("PATCH", f"{SERVICES}/d".replace("{ns}", both.namespace), orphan, APPLY, **FORCE)
    both.ask_sandbox(applying(orphan))
    both.agree_at_last(getting(SERVICES), names)


def told(body: Manifest) -> object:
    wanted = {"FailedCreate", "FailedScheduling", "Failed", "BackOff"}
    found = {
        (
            item["reason"],
            nameless(item["message"].partition(" preemption: ")[0]),
            item["type"],
            item["eventTime"] is None,
            item.get("count") is None,
            item["involvedObject"]["kind"],
        )
        for item in body["items"]
        if item["reason"] in wanted and "(combined" not in item["message"]
    }
    return sorted(map(list, found), key=str)


def test_a_quota_refuses_pods_in_the_same_words(both: Both) -> None:
    hard = quota(requests_nvidia_com__gpu="2", pods="10")
    both.ask(posting(namespaced("{ns}", "resourcequotas"), hard))
    wide = {"cpu": "100m", "nvidia.com/gpu": "3"}
    gpus = {"nvidia.com/gpu": "3"}
    both.agree_at_last(
        getting(namespaced("{ns}", "resourcequotas", "team")), lambda body: body["status"]
    )
    # The API server hears of a quota by a watch, too.
    for tried in (pod(), pod(resources={"requests": wide, "limits": gpus})):
        both.agree_at_last(posting(PODS, tried, dryRun="All"), lambda body: body["kind"])
    one = {"nvidia.com/gpu": "1"}
    resources = {"requests": {"cpu": "100m", **one}, "limits": one}
    body = with_container(resources=resources)
    body["spec"]["replicas"] = 3
    both.ask(applying(body))

    def failure(found: Manifest) -> object:
        every = found["status"].get("conditions") or ()
        told_of = [c for c in every if c["type"] == "ReplicaFailure"]
        return [(c["status"], c["reason"], c["message"]) for c in told_of]

    both.agree_at_last(getting(f"{DEPLOYMENTS}/d"), failure)
    both.agree_at_last(
        getting(namespaced("{ns}", "events"), fieldSelector="reason=FailedCreate"), told
    )
    both.agree_at_last(
        getting(namespaced("{ns}", "resourcequotas", "team")), lambda found: found["status"]
    )


@pytest.mark.parametrize(
    "spec",
    [
        pod(resources={"limits": {"nvidia.com/gpu": "9"}}),
        pod(nodeSelector={"zone": "nowhere"}),
        pod(resources={"requests": {"cpu": "999", "memory": "9000Gi"}}),
    ],
    ids=["no accelerator", "no such node", "no room"],
)
def test_the_scheduler_refuses_in_the_same_words(both: Both, spec: Manifest) -> None:
    both.ask(posting(PODS, spec))

    def scheduled(body: Manifest) -> object:
        told_of = body["status"].get("conditions") or ()
        return [(c["type"], c["status"], c["reason"], c["message"]) for c in told_of]

    both.agree_at_last(getting(f"{PODS}/p"), scheduled)
    both.agree_at_last(getting(namespaced("{ns}", "events")), told)


@pytest.mark.parametrize("word", ["", "image-not-found", "never-ready", "unschedulable"])
def test_a_simulated_pod_looks_the_same(both: Both, word: str) -> None:
    body = pod()
    body["spec"]["containers"][0]["env"] = [{"name": ENVIRONMENT_VARIABLE, "value": word}]
    both.ask(posting(PODS, body))

    def status(found: Manifest) -> object:
        state = found["status"]
        told_of = [(c["type"], c["status"], c.get("reason")) for c in state.get("conditions") or ()]
        containers = [
            {name: entry[name] for name in ("name", "ready", "started", "restartCount", "image")}
            | {"state": list(entry["state"])}
            for entry in state.get("containerStatuses") or ()
        ]
        return state["phase"], sorted(told_of), containers, "nodeName" in found["spec"]

    both.agree_at_last(getting(f"{PODS}/p"), status)


def test_logs_are_read_and_refused_alike(both: Both) -> None:
    both.ask(posting(PODS, pod()))
    both.agree_at_last(getting(f"{PODS}/p"), lambda body: body["status"]["phase"])
    both.ask(getting(f"{PODS}/p/log", container="nope"))
    both.ask(getting(f"{PODS}/p/log", container="c", previous="true"))


def test_an_autoscaler_enforces_its_bounds_and_says_that_it_sees_no_metric(both: Both) -> None:
    both.ask(applying(deployment(replicas=1)))
    both.ask(applying(autoscaler(2, 4)))
    both.sandbox.advance(40)
    both.agree_at_last(getting(f"{DEPLOYMENTS}/d"), replicas_and_holders)

    def active(body: Manifest) -> object:
        told_of = [c for c in body["status"]["conditions"] if c["type"] == "ScalingActive"]
        shown = [(c["status"], c["reason"], c["message"]) for c in told_of]
        return shown, body["status"]["desiredReplicas"], body["status"]["currentReplicas"]

    agreed = both.agree_at_last(getting(f"{AUTOSCALERS}/d"), active)
    assert "FailedGetResourceMetric" in str(agreed)


def test_a_service_has_its_pods_behind_it(both: Both) -> None:
    both.ask(applying(deployment(replicas=2)))
    both.ask(applying(service()))
    slices = namespaced("{ns}", "endpointslices", api="apis/discovery.k8s.io/v1")

    def shows(body: Manifest) -> object:
        return [
            (
                {name: item["metadata"]["labels"].get(name) for name in LABELS_OF_SLICES},
                [
                    (e["conditions"]["ready"], e["targetRef"]["kind"])
                    for e in item["endpoints"] or ()
                ],
                [owner["kind"] for owner in item["metadata"]["ownerReferences"]],
            )
            for item in body["items"]
        ]

    both.agree_at_last(getting(slices, labelSelector="slipway.dev/id=1"), shows)


def test_discovery_names_what_is_served(both: Both) -> None:
    def shows(body: Manifest) -> object:
        served = {entry["name"]: entry["kind"] for entry in body["resources"]}
        return [served[name] for name in ("deployments", "replicasets")]

    both.ask(getting("/apis/apps/v1"), shows)
    both.ask(getting("/version"), lambda body: body["gitVersion"])
    missing = getting("/apis/nope.example/v1")
    assert both.real.ask("GET", missing.path).status == both.ask_sandbox(missing).status == 404


def test_an_autoscaler_says_in_the_same_words_that_zero_replicas_are_left_alone(
    both: Both,
) -> None:
    both.ask(applying(deployment(replicas=0)))
    both.ask(applying(autoscaler(2, 4)))
    both.sandbox.advance(40)

    def told_of(body: Manifest) -> object:
        told = body["status"].get("conditions") or ()
        active = [c for c in told if c["type"] == "ScalingActive"]
        shown = [(c["status"], c["reason"], c["message"]) for c in active]
        return shown, body["status"]["desiredReplicas"]

    assert "ScalingDisabled" in str(both.agree_at_last(getting(f"{AUTOSCALERS}/d"), told_of))


def test_everything_that_happens_is_told_by_the_same_components(both: Both) -> None:
    both.ask(applying(deployment(replicas=2)))
    both.agree_at_last(getting(f"{DEPLOYMENTS}/d"), conditions())
    both.ask(applying(deployment(replicas=1)))
    both.agree_at_last(getting(PODS), lambda body: len(body["items"]))

    def shows(body: Manifest) -> object:
        found = {
            (
                item["involvedObject"]["kind"],
                item["involvedObject"].get("fieldPath"),
                item["reason"],
                item["type"],
                item["source"].get("component"),
                item["reportingComponent"],
                item["eventTime"] is None,
                item["firstTimestamp"] is None,
            )
            for item in body["items"]
        }
        return sorted(map(list, found), key=str)

    both.agree_at_last(getting(namespaced("{ns}", "events")), shows)


def test_what_a_live_deployment_owns_goes_before_it(both: Both) -> None:
    body = deployment(replicas=1)
    real = both.real.apply(f"{DEPLOYMENTS}/d".replace("{ns}", both.namespace), body)
    mine = both.ask_sandbox(applying(body)).body
    owned = both.namespace
    for uid, ask in ((real["metadata"]["uid"], "real"), (mine["metadata"]["uid"], "mine")):
        owner = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d", "uid": uid}
        for manifest in (service(), autoscaler(1, 2)):
            manifest["metadata"]["ownerReferences"] = [owner]
            applied = applying(manifest)
            if ask == "mine":
                assert both.ask_sandbox(applied).status == 201
            else:
                both.real.apply(applied.path.replace("{ns}", owned), manifest)
    both.ask(deleting(f"{DEPLOYMENTS}/d", propagationPolicy="Foreground"))
    for path in (SERVICES, AUTOSCALERS, PODS, REPLICA_SETS, DEPLOYMENTS):
        assert both.agree_at_last(getting(path), names)
    both.ask(getting(f"{DEPLOYMENTS}/d"))


def test_a_namespace_is_made_and_removed_alike(both: Both) -> None:
    body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": f"{both.namespace}-x"}}
    path = f"/api/v1/namespaces/{both.namespace}-x"

    both.ask(posting("/api/v1/namespaces", body), lambda found: found["status"])
    again = posting("/api/v1/namespaces", body)
    refused = both.real.ask(again.method, again.path, body)
    assert (both.ask_sandbox(again).status, refused.status) == (409, 409)
    both.ask(deleting(path))
    both.agree_at_last(getting(path), lambda found: found["status"]["phase"])


def test_bounds_that_come_to_nothing_still_let_one_pod_go(both: Both) -> None:
    def step(value: str) -> Manifest:
        body = rolling(maxSurge=0, maxUnavailable="25%")
        body["spec"]["template"]["spec"]["containers"][0]["env"][0]["value"] = value
        return body

    both.ask(applying(step("1")))
    both.agree_at_last(getting(f"{DEPLOYMENTS}/d"), conditions("message"))
    both.ask(applying(step("2")))
    both.agree_at_last(getting(f"{DEPLOYMENTS}/d"), conditions("message"))
    live = both.ask_sandbox(getting(f"{DEPLOYMENTS}/d")).body
    assert live["status"]["updatedReplicas"] == live["status"]["readyReplicas"] == 1


def test_to_bind_a_pod_is_no_change_of_what_was_asked_for(both: Both) -> None:
    def bound(body: Manifest) -> object:
        return [
            (bool(item["spec"].get("nodeName")), item["metadata"]["generation"])
            for item in body["items"]
        ]

    both.ask(applying(deployment(replicas=2)))
    both.agree_at_last(getting(f"{DEPLOYMENTS}/d"), conditions())
    both.agree_at_last(getting(PODS), bound)
    assert bound(both.ask_sandbox(getting(PODS)).body) == [(True, 1), (True, 1)]
