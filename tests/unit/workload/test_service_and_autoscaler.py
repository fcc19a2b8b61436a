"""The Service's ports and the autoscaler's target: template, then cluster, then default."""

from collections.abc import Mapping
from typing import Any

import pytest

from providers.contract.manifest import Manifest
from providers.engines.launch import Launch
from providers.workload.autoscaler import render_autoscaler
from providers.workload.ports import container_port, service_port
from providers.workload.service import render_service
from tests.golden.build import SPEC, request_of, target_of
from tests.unit.workload.test_pod import LAUNCH


def case_with(*, port: int | None = None, **target: Any) -> Mapping[str, Any]:
    engine = {**SPEC["engine"], **({"port": port} if port else {})}
    return {"spec": {**SPEC, "engine": engine}, "target": target}


def autoscaler(
    scaling: Mapping[str, Any], overrides: Mapping[str, Any], **target: Any
) -> Manifest | None:
    case = {
        "spec": {**SPEC, "scaling_defaults": scaling},
        "overrides": overrides,
        "target": target,
    }
    return render_autoscaler(
        request_of(case),
        target_of(case),
        api_version="apps/v1",
        kind="Deployment",
        implementation="k8s-deployment",
    )


@pytest.mark.parametrize(
    ("case", "in_pod", "in_service"),
    [
        (case_with(), 8000, 8000),
        (case_with(container_port=8080), 8080, 8000),
        (case_with(service_port=80), 8000, 80),
        (case_with(container_port=8080, service_port=80), 8080, 80),
        (case_with(port=9000), 9000, 9000),
        (case_with(port=9000, container_port=8080, service_port=80), 9000, 9000),
    ],
)
def test_the_template_s_port_comes_first_then_the_cluster_s_then_8000(
    case: Mapping[str, Any], in_pod: int, in_service: int
) -> None:
    request, target = request_of(case), target_of(case)
    assert container_port(request, target) == in_pod
    assert service_port(request, target) == in_service


@pytest.mark.parametrize("service_type", ["ClusterIP", "NodePort", "LoadBalancer"])
def test_a_service_has_the_cluster_s_type_and_the_launch_s_port(service_type: str) -> None:
    case = case_with(service_type=service_type, service_port=80)
    launch = Launch(**{**LAUNCH, "port": 8123})
    service = render_service(
        request_of(case), target_of(case), launch, implementation="k8s-deployment"
    )
    assert service["spec"]["type"] == service_type
    assert service["spec"]["ports"] == [
        {"name": "http", "port": 80, "protocol": "TCP", "targetPort": 8123}
    ]
    assert service["metadata"]["labels"]["model.aibrix.ai/port"] == "80"


@pytest.mark.parametrize(
    ("metric", "cluster", "expected"),
    [
        ({"target": 70}, 65, 70),
        ({}, 65, 65),
        ({}, None, 80),
    ],
)
def test_the_template_s_target_comes_first_then_the_cluster_s_then_80(
    metric: Mapping[str, Any], cluster: int | None, expected: int
) -> None:
    scaling = {"metric": {"type": "memory", **metric}, "max_replicas": 3}
    made = autoscaler(scaling, {"enable_auto_scaling": True}, hpa_target=cluster)
    assert made is not None
    assert made["spec"]["metrics"] == [
        {
            "type": "Resource",
            "resource": {
                "name": "memory",
                "target": {"type": "Utilization", "averageUtilization": expected},
            },
        }
    ]


def test_a_pods_metric_is_an_average_over_the_pods() -> None:
    metric = {"type": "pods", "name": "vllm:num_requests_waiting", "target": 5}
    made = autoscaler({"metric": metric, "max_replicas": 3}, {"enable_auto_scaling": True})
    assert made is not None
    assert made["spec"]["metrics"][0]["pods"] == {
        "metric": {"name": "vllm:num_requests_waiting"},
        "target": {"type": "AverageValue", "averageValue": "5"},
    }


def test_it_scales_the_workload_between_min_and_max() -> None:
    made = autoscaler({"min_replicas": 2, "max_replicas": 5}, {"enable_auto_scaling": True})
    assert made is not None
    assert made["spec"]["scaleTargetRef"] == {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "name": "qwen-chat-1a2b3c4d",
    }
    assert (made["spec"]["minReplicas"], made["spec"]["maxReplicas"]) == (2, 5)


@pytest.mark.parametrize(
    "overrides", [{}, {"enable_auto_scaling": True, "min_replicas": 3, "max_replicas": 3}]
)
def test_without_room_to_scale_there_is_no_autoscaler(overrides: Mapping[str, Any]) -> None:
    assert autoscaler({"max_replicas": 5}, overrides) is None
