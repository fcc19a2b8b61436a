"""KServe's webhook writes other words than were sent: that is no drift, and no second write."""

from collections.abc import Iterator

import pytest

from providers.contract.drifting import Drift
from providers.contract.manifest import Manifest
from providers.kserve.provider import provider
from providers.kube.clock import deadline_in
from providers.testing.samples import MOCK_SPEC, make_request, ref_of, spec_with
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import target_for
from tests.cluster.waiting import wait_for

ADMISSION = "admissionregistration.k8s.io/v1"
MODE = "serving.kserve.io/deploymentMode"
SECONDS = 90.0
# As KServe's own does since v0.17: the newer word for raw mode, and what a model leaves open.
RAW_MODE = (
    "[JSONPatch{op: 'replace', path: '/metadata/annotations/serving.kserve.io~1deploymentMode', "
    "value: 'Standard'}]"
)
OF_A_MODEL = ", ".join(
    f"JSONPatch{{op: 'add', path: '{path}', value: '{value}'}}"
    for path, value in (
        ("/metadata/annotations/modelFormat", "mock"),
        ("/spec/predictor/model/name", ""),
        ("/spec/predictor/model/protocolVersion", "v2"),
    )
)
PATCH = f"has(object.spec.predictor.model) ? {RAW_MODE} + [{OF_A_MODEL}] : {RAW_MODE}"
BY_FORMAT = spec_with(engine={"image": ""}, serving_runtime={"format": "mock"})


def policy(name: str, namespace: str) -> tuple[Manifest, Manifest]:
    """Return a policy that does for one namespace what KServe's webhook does, and its binding."""
    rule = {
        "apiGroups": ["serving.kserve.io"],
        "apiVersions": ["v1beta1"],
        "operations": ["CREATE", "UPDATE"],
        "resources": ["inferenceservices"],
    }
    spec = {
        "failurePolicy": "Fail",
        "reinvocationPolicy": "Never",
        "matchConstraints": {
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": namespace}},
            "resourceRules": [rule],
        },
        "mutations": [{"patchType": "JSONPatch", "jsonPatch": {"expression": PATCH}}],
    }
    head = {"apiVersion": ADMISSION, "metadata": {"name": name}}
    return (
        {**head, "kind": "MutatingAdmissionPolicy", "spec": spec},
        {**head, "kind": "MutatingAdmissionPolicyBinding", "spec": {"policyName": name}},
    )


@pytest.fixture
def webhook(foreign_plane: ControlPlane, foreign_namespace: str) -> Iterator[None]:
    name = f"kserve-{foreign_namespace}"
    bodies = dict(
        zip(
            (
                f"/apis/{ADMISSION}/mutatingadmissionpolicies/{name}",
                f"/apis/{ADMISSION}/mutatingadmissionpolicybindings/{name}",
            ),
            policy(name, foreign_namespace),
            strict=True,
        )
    )
    for path, body in bodies.items():
        foreign_plane.api.apply(path, body)
    wait_for(lambda: is_in_force(foreign_plane, foreign_namespace), SECONDS, "the policy acts")
    yield
    for path in reversed(bodies):
        foreign_plane.api.delete(path)


def is_in_force(plane: ControlPlane, namespace: str) -> bool:
    target = target_for(plane, namespace)
    [body] = provider.render(make_request(provider, namespace=namespace), target)
    path = namespaced(namespace, "inferenceservices", api="apis/serving.kserve.io/v1beta1")
    answer = plane.api.ask("POST", path, body, dryRun="All")
    # Neither is there while the kind is not served yet.
    told = (answer.body.get("metadata") or {}).get("annotations") or {}
    return told.get(MODE) == "Standard"


@pytest.mark.usefixtures("webhook")
@pytest.mark.parametrize("spec", [MOCK_SPEC, BY_FORMAT], ids=["container", "model"])
def test_what_it_writes_is_no_drift_and_is_not_written_again(
    foreign_plane: ControlPlane, foreign_namespace: str, spec: Manifest
) -> None:
    target = target_for(foreign_plane, foreign_namespace)
    request = make_request(provider, namespace=foreign_namespace, spec=spec)
    applied = provider.create(request, target, deadline=deadline_in(60))
    path = namespaced(
        foreign_namespace,
        "inferenceservices",
        request.runtime_name,
        api="apis/serving.kserve.io/v1beta1",
    )
    live = foreign_plane.api.get(path)
    assert live["metadata"]["annotations"][MODE] == "Standard"
    has_model = "model" in live["spec"]["predictor"]
    assert ("modelFormat" in live["metadata"]["annotations"]) is has_model

    ref, manifests = ref_of(request, applied), provider.render(request, target)
    assert provider.drift(manifests, ref, target, deadline=deadline_in(60)) == Drift()
    provider.update(request, ref, target, deadline=deadline_in(60))
    assert foreign_plane.api.get(path)["metadata"]["generation"] == live["metadata"]["generation"]
    assert foreign_plane.api.get(path)["metadata"]["annotations"] == live["metadata"]["annotations"]
