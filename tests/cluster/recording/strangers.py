"""What others do to a namespace: rights that are withheld, policies, webhooks, quotas."""

from collections.abc import Collection

from providers.contract.manifest import Manifest
from tests.cluster.harness.api import Api, namespaced
from tests.cluster.launching import eventually
from tests.cluster.recording.stage import Stage

RBAC = "rbac.authorization.k8s.io/v1"
ADMISSION = "/apis/admissionregistration.k8s.io/v1"
READ = ["get", "list"]
# What a look at one deployment reads in its namespace.
READABLE = {
    "pods": "",
    "pods/log": "",
    "services": "",
    "events": "",
    "deployments": "apps",
    "replicasets": "apps",
    "endpointslices": "discovery.k8s.io",
    "horizontalpodautoscalers": "autoscaling",
}


def withhold(stage: Stage, hidden: Collection[str]) -> None:
    """Let the console read with an account that may not read these kinds."""
    name, plane = stage.namespace, stage.plane
    stage.make("serviceaccounts", {"metadata": {"name": name}})
    rules = [
        {"apiGroups": [group], "resources": [plural], "verbs": READ}
        for plural, group in READABLE.items()
        if plural not in hidden
    ]
    shared = [{"apiGroups": [""], "resources": ["namespaces", "nodes"], "verbs": READ}]
    subject = {"kind": "ServiceAccount", "name": name, "namespace": name}
    group = f"/apis/{RBAC}"
    for prefix, collections, own in (
        (f"{group}/namespaces/{name}", ("Role", "roles", "rolebindings"), rules),
        (group, ("ClusterRole", "clusterroles", "clusterrolebindings"), shared),
    ):
        kind, roles, bindings = collections
        plane.api.create(f"{prefix}/{roles}", {"metadata": {"name": name}, "rules": own})
        reference = {"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": name}
        body = {"metadata": {"name": name}, "roleRef": reference, "subjects": [subject]}
        plane.api.create(f"{prefix}/{bindings}", body)
    reader = Api(plane.url, plane.ca, plane.service_account_token(name, name))
    seen = next(plural for plural in READABLE if plural not in {*hidden, "pods/log"})
    path = namespaced(name, seen, api=_api_of(READABLE[seen]))
    eventually("the rights hold", lambda: reader.ask("GET", path).status == 200)
    stage.door.speak_as(reader)


def deny(stage: Stage, plural: str, *, group: str = "", message: str) -> None:
    """Let a policy of the cluster deny every write of a kind in the namespace."""
    api, name = stage.plane.api, stage.namespace
    rule = {
        "apiGroups": [group],
        "apiVersions": ["v1"],
        "operations": ["CREATE", "UPDATE"],
        "resources": [plural],
    }
    chosen = {"matchLabels": {"kubernetes.io/metadata.name": name}}
    spec: Manifest = {
        "failurePolicy": "Fail",
        "matchConstraints": {"resourceRules": [rule], "namespaceSelector": chosen},
        "validations": [{"expression": "false", "message": message}],
    }
    api.create(
        f"{ADMISSION}/validatingadmissionpolicies", {"metadata": {"name": name}, "spec": spec}
    )
    binding = {"policyName": name, "validationActions": ["Deny"]}
    api.create(
        f"{ADMISSION}/validatingadmissionpolicybindings",
        {"metadata": {"name": name}, "spec": binding},
    )
    stage.after.callback(api.delete, f"{ADMISSION}/validatingadmissionpolicies/{name}")
    stage.after.callback(api.delete, f"{ADMISSION}/validatingadmissionpolicybindings/{name}")
    _wait_until_refused(stage, plural, group)


def break_webhook(stage: Stage, plural: str, *, group: str = "") -> None:
    """Let a webhook that nobody answers stand before every write of a kind in the namespace."""
    api, name = stage.plane.api, stage.namespace
    hook = {
        "name": "policy.example.com",
        "admissionReviewVersions": ["v1"],
        "sideEffects": "None",
        "failurePolicy": "Fail",
        "timeoutSeconds": 2,
        "clientConfig": {
            "service": {"namespace": "policy", "name": "webhook", "port": 443},
        },
        "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": name}},
        "rules": [
            {
                "apiGroups": [group],
                "apiVersions": ["v1"],
                "operations": ["CREATE", "UPDATE"],
                "resources": [plural],
            }
        ],
    }
    collection = f"{ADMISSION}/validatingwebhookconfigurations"
    api.create(collection, {"metadata": {"name": name}, "webhooks": [hook]})
    stage.after.callback(api.delete, f"{collection}/{name}")
    _wait_until_refused(stage, plural, group)


def _wait_until_refused(stage: Stage, plural: str, group: str) -> None:
    """Wait until a rehearsed write is refused for the policy and not for what it lacks."""
    path = namespaced(stage.namespace, plural, api=_api_of(group))
    body = {"metadata": {"name": "probe"}, "spec": _least(plural)}
    eventually(
        "the policy holds",
        lambda: stage.plane.api.ask("POST", path, body, dryRun="All").status >= 400,
    )


def _api_of(group: str) -> str:
    return f"apis/{group}/v1" if group else "api/v1"


def _least(plural: str) -> Manifest:
    pod: Manifest = {"containers": [{"name": "c", "image": "docker.io/library/none:none"}]}
    if plural == "pods":
        return {**pod, "automountServiceAccountToken": False}
    labels = {"app": "probe"}
    template = {"metadata": {"labels": labels}, "spec": pod}
    return {"selector": {"matchLabels": labels}, "template": template}
