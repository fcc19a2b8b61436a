"""The pod template, from a launch made by hand."""

from collections.abc import Mapping
from typing import Any, cast

import pytest

from providers.contract.manifest import Manifest
from providers.contract.template import SecretRef
from providers.engines.launch import EnvVar, Launch, Probe
from providers.workload.container import SCRATCH
from providers.workload.pod import render_pod_template
from providers.workload.volumes import SHARED_MEMORY
from tests.golden.build import SPEC, TARGET, request_of, target_of

LAUNCH: Mapping[str, Any] = {
    "command": (),
    "args": ("--model=Qwen/Qwen3-8B",),
    "env": (),
    "port": 8000,
    "startup": Probe(path="/health", period_seconds=10, timeout_seconds=5, failure_threshold=90),
    "readiness": Probe(path="/health", period_seconds=10, timeout_seconds=6, failure_threshold=3),
    "liveness": Probe(path="/health", period_seconds=30, timeout_seconds=25, failure_threshold=4),
    "grace_seconds": 60,
}


def pod(
    *, spec: Mapping[str, Any] | None = None, target: Mapping[str, Any] | None = None, **launch: Any
) -> Manifest:
    case = {"spec": {**SPEC, **(spec or {})}, "target": {**TARGET, **(target or {})}}
    template = render_pod_template(
        request_of(case),
        target_of(case),
        Launch(**{**LAUNCH, **launch}),
        implementation="k8s-deployment",
    )
    return cast("Manifest", template["spec"])


def engine(**given: Any) -> Manifest:
    return cast("Manifest", pod(**given)["containers"][0])


def source(**more: Any) -> Mapping[str, Any]:
    return {"model_source": {"type": "huggingface", "uri": "Qwen/Qwen3-8B", **more}}


def test_probes_are_the_engine_s_on_the_named_port() -> None:
    container = engine()
    assert container["livenessProbe"] == {
        "httpGet": {"path": "/health", "port": "http"},
        "periodSeconds": 30,
        "timeoutSeconds": 25,
        "failureThreshold": 4,
    }
    assert container["startupProbe"]["failureThreshold"] == 90
    assert container["readinessProbe"]["timeoutSeconds"] == 6


def test_the_grace_period_covers_the_engine_and_the_pause_before_it_is_told() -> None:
    rendered = pod(grace_seconds=60)
    pause = rendered["containers"][0]["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert rendered["terminationGracePeriodSeconds"] == 60 + pause


def test_an_image_keeps_its_entrypoint_unless_a_command_is_given() -> None:
    assert "command" not in engine()
    assert engine(command=("vllm", "serve"))["command"] == ["vllm", "serve"]


def test_service_links_and_account_tokens_are_off() -> None:
    assert pod()["enableServiceLinks"] is False
    assert pod()["automountServiceAccountToken"] is False


def test_rights_are_dropped() -> None:
    rendered = pod()
    assert rendered["securityContext"] == {"seccompProfile": {"type": "RuntimeDefault"}}
    assert rendered["containers"][0]["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
    }


@pytest.mark.parametrize(
    ("shm_size", "shares_memory", "expected"),
    [
        (None, False, None),
        (None, True, "1Gi"),
        ("256Mi", False, "1Gi"),
        ("1024Mi", False, "1024Mi"),
        ("8Gi", True, "8Gi"),
    ],
)
def test_shared_memory_is_large_enough_or_the_container_s_own(
    shm_size: str | None,
    *,
    shares_memory: bool,
    expected: str | None,
) -> None:
    resources = {"shm_size": shm_size} if shm_size else {}
    rendered = pod(spec={"resources": resources}, shares_memory=shares_memory)
    sizes = {
        mount["mountPath"]: volume["emptyDir"].get("sizeLimit")
        for volume in rendered["volumes"]
        for mount in rendered["containers"][0]["volumeMounts"]
        if mount["name"] == volume["name"]
    }
    assert sizes.get(SHARED_MEMORY) == expected


def test_folders_that_look_alike_get_volumes_of_their_own() -> None:
    rendered = pod(writable_paths=(SCRATCH, "/a.b", "/a-b", f"{SCRATCH}/", "/" + "x" * 300))
    names = [volume["name"] for volume in rendered["volumes"]]
    paths = [mount["mountPath"] for mount in rendered["containers"][0]["volumeMounts"]]
    assert paths == [SCRATCH, "/a.b", "/a-b", "/" + "x" * 300]
    assert len(set(names)) == 4
    assert max(len(name) for name in names) <= 63


def test_nothing_is_mounted_over_the_cache_claim() -> None:
    cache = {"claim": "models", "mount_path": "/models/"}
    paths = (SCRATCH, "/models", "/models/hub", "/models2")
    rendered = pod(spec=source(cache=cache), writable_paths=paths)
    mounted = [mount["mountPath"] for mount in rendered["containers"][0]["volumeMounts"]]
    assert mounted == ["/models", SCRATCH, "/models2"]
    assert rendered["volumes"][0] == {
        "name": "model-cache",
        "persistentVolumeClaim": {"claimName": "models"},
    }


def test_the_template_s_variables_win_over_the_cluster_s() -> None:
    proxies = {"HTTPS_PROXY": "http://proxy.example:3128", "NO_PROXY": ".svc"}
    mine = (EnvVar(name="HTTPS_PROXY", value="http://mine.example:3128"),)
    assert engine(target={"pod_env": proxies}, env=mine)["env"] == [
        {"name": "NO_PROXY", "value": ".svc"},
        {"name": "HTTPS_PROXY", "value": "http://mine.example:3128"},
    ]


def test_a_variable_that_the_engine_gives_twice_stands_once_with_its_last_value() -> None:
    twice = (EnvVar(name="A", value="1"), EnvVar(name="A", value="2"))
    assert engine(env=twice)["env"] == [{"name": "A", "value": "2"}]


def test_a_secret_is_a_reference() -> None:
    token = EnvVar(name="HF_TOKEN", secret=SecretRef(name="hf-reader", key="hf"))
    assert engine(env=(token,))["env"] == [
        {"name": "HF_TOKEN", "valueFrom": {"secretKeyRef": {"name": "hf-reader", "key": "hf"}}}
    ]


def test_an_empty_value_is_kept() -> None:
    assert engine(env=(EnvVar(name="CUDA_VISIBLE_DEVICES"),))["env"] == [
        {"name": "CUDA_VISIBLE_DEVICES", "value": ""}
    ]


def test_an_account_that_the_image_does_not_know_gets_a_home_and_a_name() -> None:
    rendered = pod(target={"run_as_user": 2000})
    assert rendered["securityContext"]["runAsUser"] == 2000
    assert rendered["securityContext"]["runAsNonRoot"] is True
    assert rendered["containers"][0]["env"] == [
        {"name": "HOME", "value": SCRATCH},
        {"name": "USER", "value": "slipway"},
    ]


def test_a_home_that_somebody_chose_is_kept() -> None:
    by_engine = engine(target={"run_as_user": 2000}, env=(EnvVar(name="HOME", value="/cache"),))
    by_cluster = engine(target={"run_as_user": 2000, "pod_env": {"HOME": "/scratch"}})
    assert {"name": "HOME", "value": "/cache"} in by_engine["env"]
    assert {"name": "HOME", "value": "/scratch"} in by_cluster["env"]
    assert {"name": "HOME", "value": SCRATCH} not in [*by_engine["env"], *by_cluster["env"]]


def test_root_on_purpose_is_root() -> None:
    rendered = pod(target={"run_as_user": 0})
    assert rendered["securityContext"]["runAsUser"] == 0
    assert rendered["securityContext"]["runAsNonRoot"] is False
    assert "env" not in rendered["containers"][0]


def test_a_claim_becomes_writable_for_the_cluster_s_account() -> None:
    cache = {"claim": "models", "mount_path": "/models"}
    security = pod(spec=source(cache=cache), target={"run_as_user": 2000})["securityContext"]
    assert security["fsGroup"] == 2000
    assert security["fsGroupChangePolicy"] == "OnRootMismatch"


def test_accelerators_stand_in_requests_and_limits_and_nothing_else_is_limited() -> None:
    spec = {
        "accelerator": {"type": "h100", "count": 2},
        "resources": {"cpu": "4", "memory": "32Gi", "ephemeral_storage": "40Gi"},
    }
    assert engine(spec=spec)["resources"] == {
        "requests": {
            "cpu": "4",
            "memory": "32Gi",
            "ephemeral-storage": "40Gi",
            "nvidia.com/gpu": "2",
        },
        "limits": {"nvidia.com/gpu": "2"},
    }


def test_without_accelerators_and_requests_there_are_no_resources() -> None:
    assert "resources" not in engine(spec={"accelerator": {"type": "Cpu"}})


def test_a_mapping_places_the_pod() -> None:
    mapping = {
        "resource": "amd.com/gpu",
        "node_selector": {"pool": "amd"},
        "tolerations": [{"key": "amd.com/gpu", "operator": "Exists"}],
        "runtime_class": "amd",
    }
    spec = {"accelerator": {"type": "mi300x"}}
    rendered = pod(spec=spec, target={"accelerators": {"MI300X": mapping}})
    assert rendered["nodeSelector"] == {"pool": "amd"}
    assert rendered["tolerations"] == [{"key": "amd.com/gpu", "operator": "Exists"}]
    assert rendered["runtimeClassName"] == "amd"
    assert rendered["containers"][0]["resources"]["limits"] == {"amd.com/gpu": "1"}


def test_the_cluster_s_accounts_are_used_and_left_out_when_there_are_none() -> None:
    rendered = pod(target={"service_account": "models", "image_pull_secrets": ["a", "b"]})
    assert rendered["serviceAccountName"] == "models"
    assert rendered["imagePullSecrets"] == [{"name": "a"}, {"name": "b"}]
    assert not {"serviceAccountName", "imagePullSecrets", "nodeSelector"} & pod().keys()
