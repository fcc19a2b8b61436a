"""What KServe would break down over, or quietly do otherwise, is refused by its field."""

from dataclasses import replace

import pytest

from providers.contract.errors import InvalidRequest
from providers.contract.request import DeployRequest
from providers.kserve.provider import provider
from providers.testing.samples import make_request
from tests.unit.kserve.asking import SCALED, TARGET, asked


def faults_of(request: DeployRequest) -> dict[str, tuple[str, ...]]:
    with pytest.raises(InvalidRequest) as refused:
        provider.validate(request, TARGET)
    return dict(refused.value.fields)


def test_a_plain_request_is_fine() -> None:
    assert provider.validate(asked(), TARGET) == ()


def test_several_nodes_are_refused() -> None:
    fields = faults_of(asked(topology={"kind": "multi-node", "nodes": 2}))
    assert "use standard" in fields["spec.topology.kind"][0]


@pytest.mark.parametrize(("name", "usual"), [("cpu", "1"), ("memory", "2Gi")])
def test_what_kserve_would_limit_by_itself_must_be_given(name: str, usual: str) -> None:
    resources = {"cpu": "1", "memory": "1Gi"}
    del resources[name]
    [text] = faults_of(asked(resources=resources))[f"spec.resources.{name}"]
    assert text.endswith(f"to {usual}")


def test_a_metric_that_would_silently_be_cpu_is_refused_where_it_would_count() -> None:
    metric = {"metric": {"type": "pods", "name": "queue", "target": 5}}
    assert "spec.scaling_defaults.metric.type" in faults_of(asked(SCALED, scaling_defaults=metric))
    assert provider.validate(asked(scaling_defaults=metric), TARGET) == ()


@pytest.mark.parametrize("metric", ["cpu", "memory"])
def test_a_target_that_kserves_webhook_refuses_is_refused_where_it_would_count(
    metric: str,
) -> None:
    most, more = ({"metric": {"type": metric, "target": target}} for target in (100, 101))
    assert provider.validate(asked(SCALED, scaling_defaults=most), TARGET) == ()
    assert provider.validate(asked(scaling_defaults=more), TARGET) == ()
    [text] = faults_of(asked(SCALED, scaling_defaults=more))["spec.scaling_defaults.metric.target"]
    assert text.endswith("101 was given")


def test_a_target_that_is_the_clusters_is_refused_as_such() -> None:
    with pytest.raises(InvalidRequest) as refused:
        provider.validate(asked(SCALED), replace(TARGET, hpa_target=150))
    [text] = refused.value.fields["spec.scaling_defaults.metric.target"]
    assert text.endswith("150 was given from the cluster's settings")


@pytest.mark.parametrize("name", ["INFERENCE_SERVICE_NAME", "PYTHONPATH"])
def test_a_variable_that_kserve_sets_or_refuses_is_refused(name: str) -> None:
    assert list(faults_of(asked(engine={"env": {name: "1"}}))) == [f"spec.engine.env.{name}"]


def test_a_name_from_another_kind_that_does_not_fit_is_refused_by_the_namespace() -> None:
    long = replace(asked(), runtime_name="a" * 49)
    assert "48 at most" in faults_of(long)["target.namespace"][0]


@pytest.mark.parametrize(
    ("namespace", "longest"), [("a", 48), ("a" * 4, 48), ("a" * 5, 47), ("a" * 40, 12)]
)
def test_a_name_leaves_room_for_label_and_host(namespace: str, longest: int) -> None:
    request = make_request(provider, name="x" * 80, namespace=namespace)
    assert len(request.runtime_name) == longest


def test_a_namespace_that_leaves_no_name_is_refused() -> None:
    with pytest.raises(InvalidRequest) as refused:
        make_request(provider, namespace="a" * 41)
    assert list(refused.value.fields) == ["target.namespace"]
