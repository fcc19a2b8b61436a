"""What tests of drift do on the control plane: change by kubectl, compare, put back."""

import os
import subprocess

from providers.contract.drifting import Drift, DriftedField, PutBack
from providers.contract.manifest import Manifest
from providers.kube.clock import deadline_in
from providers.kubernetes.provider import provider
from providers.testing.samples import spec_with
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import SECONDS, Launch, launch_in

AUTOSCALED = {"enable_auto_scaling": True, "min_replicas": 2, "max_replicas": 4}
CONTAINER = "spec.template.spec.containers[name=engine]"
SPEC = spec_with(engine={"env": {"COLOUR": "red"}}, resources={"cpu": "1000m", "memory": "1024Mi"})


def running(plane: ControlPlane, namespace: str, **overrides: object) -> Launch:
    launch = launch_in(plane, namespace, spec=SPEC, overrides=overrides)
    launch.create()
    launch.wait_until_ready(launch.request.scaling.min_replicas)
    return launch


def kubectl(plane: ControlPlane, launch: Launch, *arguments: str, **env: str) -> None:
    where = (f"--kubeconfig={plane.kubeconfig}", "-n", launch.request.namespace)
    done = subprocess.run(
        [plane.kubectl, *where, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, **env},
    )
    assert done.returncode == 0, done.stderr


def named(launch: Launch) -> str:
    return f"deployment/{launch.request.runtime_name}"


def manifests_of(launch: Launch) -> tuple[Manifest, ...]:
    return provider.render(launch.request, launch.target)


def drift_of(launch: Launch) -> Drift:
    return provider.drift(
        manifests_of(launch), launch.ref, launch.target, deadline=deadline_in(SECONDS)
    )


def only(launch: Launch) -> DriftedField:
    (found,) = drift_of(launch).fields
    return found


def put_back(launch: Launch) -> PutBack:
    return provider.put_back(
        manifests_of(launch),
        launch.ref,
        launch.target,
        seen={field.fingerprint for field in drift_of(launch).fields},
        deadline=deadline_in(SECONDS),
    )


def is_clean(launch: Launch) -> bool:
    return not drift_of(launch).fields
