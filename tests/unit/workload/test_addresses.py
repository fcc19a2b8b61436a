import json
from dataclasses import replace

import msgspec
import pytest

from providers.contract.manifest import Manifest
from providers.kubernetes.provider import provider
from providers.testing.samples import make_request, make_target, ref_of
from providers.workload.addresses import endpoint, endpoint_of
from providers.workload.objects import Service

REQUEST = make_request(provider)
NAME = REQUEST.runtime_name
INSIDE = f"http://{NAME}.models.svc.cluster.local:9000"
FORWARD = f"kubectl -n models port-forward service/{NAME} 9000:9000"


def service(*ingress: Manifest, port: int | None = 9000) -> Service:
    body = {
        "metadata": {"name": NAME},
        "spec": {"ports": [{"port": port}]},
        "status": {"loadBalancer": {"ingress": list(ingress)}},
    }
    return msgspec.json.decode(json.dumps(body), type=Service)


def test_before_the_cluster_is_asked_the_dns_name_and_the_forward_are_known() -> None:
    known = endpoint(REQUEST, make_target(service_port=9000))

    assert (known.url, known.external_url, known.port_forward) == (INSIDE, "", FORWARD)
    assert known.port == 9000


@pytest.mark.parametrize(
    ("ingress", "outside"),
    [
        ({"ip": "203.0.113.7"}, "http://203.0.113.7:9000"),
        ({"hostname": "lb.example"}, "http://lb.example:9000"),
        ({"ip": "2001:db8::1"}, "http://[2001:db8::1]:9000"),
        ({}, ""),
    ],
)
def test_an_outside_address_takes_the_place_of_the_forward(ingress: Manifest, outside: str) -> None:
    found = endpoint_of(ref_of(REQUEST, None), [service(ingress)])

    assert (found.url, found.external_url) == (INSIDE, outside)
    assert found.port_forward == ("" if outside else FORWARD)


def test_without_a_service_the_port_that_is_remembered_counts() -> None:
    found = endpoint_of(replace(ref_of(REQUEST, None), port=9000), [])

    assert (found.url, found.port_forward, found.port) == (INSIDE, FORWARD, 9000)


def test_a_service_of_another_name_is_not_ours() -> None:
    ref = replace(ref_of(REQUEST, None), runtime_name="other", port=8000)

    assert endpoint_of(ref, [service({"ip": "203.0.113.7"})]).external_url == ""


def test_a_service_under_another_name_is_the_one_that_is_told() -> None:
    known = endpoint(REQUEST, make_target(service_port=9000), suffix="-api")
    assert known.url == f"http://{NAME}-api.models.svc.cluster.local:9000"
    assert f"service/{NAME}-api " in known.port_forward
    found = endpoint_of(ref_of(REQUEST, None), [service({"ip": "203.0.113.7"})], suffix="-api")
    assert found.external_url == ""
