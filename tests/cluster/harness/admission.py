"""Makes the word `unschedulable` come true: such a pod asks for more accelerators than any node
has.

The stand-in kubelet only sees pods that are bound; refusing one is the scheduler's business, so an
admission policy (MutatingAdmissionPolicy, in force by default since Kubernetes 1.36) changes what
the pod asks for.
"""

from providers.contract.manifest import Manifest
from providers.simulation.simulate import (
    ENVIRONMENT_VARIABLE,
    NAMESPACE_ANNOTATION,
    UNSCHEDULABLE_ACCELERATORS,
    Word,
)
from tests.cluster.harness.api import Api, namespaced

NAME = "slipway-simulate-unschedulable"
COLLECTION = "/apis/admissionregistration.k8s.io/v1"
VERSION = "admissionregistration.k8s.io/v1"
WANTED = Word.UNSCHEDULABLE.value
BY_CONTAINER = (
    "object.spec.containers.exists(c, has(c.env) && "
    f"c.env.exists(e, e.name == '{ENVIRONMENT_VARIABLE}' && has(e.value) && e.value == '{WANTED}'))"
)
BY_NAMESPACE = (
    "has(namespaceObject.metadata.annotations) && "
    f"'{NAMESPACE_ANNOTATION}' in namespaceObject.metadata.annotations && "
    f"namespaceObject.metadata.annotations['{NAMESPACE_ANNOTATION}'] == '{WANTED}' && "
    "!object.spec.containers.exists(c, has(c.env) && "
    f"c.env.exists(e, e.name == '{ENVIRONMENT_VARIABLE}'))"
)
ACCELERATOR = "nvidia.com/gpu"
AMOUNT = f"{{'{ACCELERATOR}': '{UNSCHEDULABLE_ACCELERATORS}'}}"


def install_unschedulable_word(api: Api) -> None:
    """Apply the policy and its binding."""
    api.apply(f"{COLLECTION}/mutatingadmissionpolicies/{NAME}", _policy())
    api.apply(f"{COLLECTION}/mutatingadmissionpolicybindings/{NAME}", _binding())


def is_in_force(api: Api) -> bool:
    """Tell whether the policy has an effect yet, by a dry run; it takes about a second."""
    answer = api.ask("POST", namespaced("default", "pods"), _probe_pod(), dryRun="All")
    containers = (answer.body.get("spec") or {}).get("containers") or [{}]
    return ACCELERATOR in ((containers[0].get("resources") or {}).get("limits") or {})


def _policy() -> Manifest:
    return {
        "apiVersion": VERSION,
        "kind": "MutatingAdmissionPolicy",
        "metadata": {"name": NAME},
        "spec": {
            "failurePolicy": "Ignore",
            "reinvocationPolicy": "Never",
            "matchConstraints": {
                "resourceRules": [
                    {
                        "apiGroups": [""],
                        "apiVersions": ["v1"],
                        "resources": ["pods"],
                        "operations": ["CREATE"],
                    }
                ]
            },
            "mutations": [
                {
                    "patchType": "ApplyConfiguration",
                    "applyConfiguration": {"expression": _mutation()},
                }
            ],
        },
    }


def _mutation() -> str:
    # A match condition would read better, but it does not see the namespace.
    return (
        f"(({BY_CONTAINER}) || ({BY_NAMESPACE})) ? "
        "Object{spec: Object.spec{containers: [Object.spec.containers{"
        "name: object.spec.containers[0].name, resources: Object.spec.containers.resources{"
        f"limits: {AMOUNT}, requests: {AMOUNT}}}}}]}}}} : Object{{}}"
    )


def _binding() -> Manifest:
    return {
        "apiVersion": VERSION,
        "kind": "MutatingAdmissionPolicyBinding",
        "metadata": {"name": NAME},
        "spec": {"policyName": NAME},
    }


def _probe_pod() -> Manifest:
    variable = {"name": ENVIRONMENT_VARIABLE, "value": WANTED}
    container = {"name": "probe", "image": "docker.io/library/none:none", "env": [variable]}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": NAME},
        "spec": {"containers": [container]},
    }
