"""Which runtime serves a model, by what the namespace and the cluster have: KServe's own order."""

from typing import Any

import msgspec
import pytest

from providers.contract.checks import Check, Result
from providers.contract.manifest import Manifest
from providers.contract.template import ServingRuntime
from providers.kserve.runtimes import Format, Runtime, RuntimeSpec, judge
from providers.kube.lists import Read
from providers.workload.objects import ObjectMeta

VLLM = Format(name="vLLM", version="1", auto_select=True)
UNPICKED = Format(name="vLLM", version="1")
SKLEARN = Format(name="sklearn", version="1", auto_select=True)
NOTHING: Read[Runtime] = Read()
CLOSED: Read[Runtime] = Read(forbidden="servingruntimes is forbidden: may not list")
UNKNOWN_KIND: Read[Runtime] = Read(missing=True)


def some(name: str, *formats: Format, disabled: bool = False) -> Runtime:
    spec = RuntimeSpec(supported_model_formats=list(formats), disabled=disabled)
    return Runtime(metadata=ObjectMeta(name=name), spec=spec)


def of(*runtimes: Runtime) -> Read[Runtime]:
    return Read(items=runtimes)


def wanted(**parts: str) -> ServingRuntime:
    return ServingRuntime.model_validate({"format": "vLLM", **parts})


SERVER = {"name": "server"}
P, F, U = Result.PASS, Result.FAIL, Result.UNKNOWN
CASES: list[tuple[dict[str, str], Read[Runtime], Read[Runtime], Result, str]] = [
    (SERVER, of(some("server", VLLM)), NOTHING, P, "RuntimeFound"),
    (SERVER, NOTHING, of(some("server", VLLM)), P, "RuntimeFound"),
    (SERVER, of(some("server", UNPICKED)), NOTHING, P, "RuntimeFound"),
    (SERVER, UNKNOWN_KIND, of(some("server", VLLM)), P, "RuntimeFound"),
    (SERVER, of(some("server", VLLM)), CLOSED, P, "RuntimeFound"),
    ({**SERVER, "version": "1"}, of(some("server", VLLM)), NOTHING, P, "RuntimeFound"),
    ({**SERVER, "version": "2"}, of(some("server", VLLM)), NOTHING, F, "ModelFormatUnsupported"),
    (SERVER, of(some("server", SKLEARN)), NOTHING, F, "ModelFormatUnsupported"),
    # The one of the namespace hides the one of the cluster.
    (SERVER, of(some("server", SKLEARN)), of(some("server", VLLM)), F, "ModelFormatUnsupported"),
    (SERVER, of(some("server", VLLM, disabled=True)), NOTHING, F, "RuntimeDisabled"),
    (SERVER, of(some("other", VLLM)), NOTHING, F, "RuntimeMissing"),
    (SERVER, NOTHING, UNKNOWN_KIND, F, "RuntimeMissing"),
    (SERVER, CLOSED, of(some("server", VLLM)), U, "RuntimeUnknown"),
    (SERVER, NOTHING, CLOSED, U, "RuntimeUnknown"),
    (SERVER, UNKNOWN_KIND, UNKNOWN_KIND, U, "RuntimeUnknown"),
    ({}, of(some("server", VLLM)), NOTHING, P, "RuntimeFound"),
    ({}, CLOSED, of(some("server", VLLM)), P, "RuntimeFound"),
    ({}, of(some("server", UNPICKED)), NOTHING, F, "ModelFormatUnsupported"),
    ({}, of(some("server", VLLM, disabled=True)), NOTHING, F, "ModelFormatUnsupported"),
    ({}, of(some("server", UNPICKED)), CLOSED, U, "RuntimeUnknown"),
]


@pytest.mark.parametrize(("parts", "own", "shared", "result", "code"), CASES)
def test_a_runtime_is_judged_as_kserve_would_find_it(
    parts: dict[str, Any],
    own: Read[Runtime],
    shared: Read[Runtime],
    result: Result,
    code: str,
) -> None:
    check = judge(wanted(**parts), own, shared)
    assert (check.result, check.code) == (result, code)


def test_what_may_not_be_listed_is_told_in_the_words_of_the_cluster() -> None:
    assert "may not list" in judge(wanted(**SERVER), CLOSED, NOTHING).message


def test_a_missing_one_is_told_with_those_that_are_there() -> None:
    message = judge(wanted(**SERVER), of(some("b")), of(some("a"))).message
    assert message.endswith("there are a, b")


def test_a_format_that_is_not_taken_is_told_with_those_that_are() -> None:
    check = judge(wanted(version="2", **SERVER), of(some("server", SKLEARN, VLLM)), NOTHING)
    assert check.message == "serving runtime server takes sklearn 1, vLLM 1, not vLLM 2"
    assert check.field == "spec.serving_runtime.format"


@pytest.mark.parametrize(
    ("more", "result"),
    [({}, P), ({"multiModel": False}, P), ({"multiModel": True}, F), ({"workerSpec": {}}, F)],
)
def test_one_for_many_models_or_many_pods_serves_only_where_it_is_named(
    more: Manifest, result: Result
) -> None:
    formats = [{"name": "vLLM", "autoSelect": True}]
    found = listed({"supportedModelFormats": formats, **more})
    assert judge(wanted(), of(found), NOTHING).result is result
    assert judge(wanted(**SERVER), of(found), NOTHING).result is P


def listed(spec: Manifest) -> Runtime:
    """Return a runtime as a cluster would list it."""
    told = msgspec.json.encode({"metadata": {"name": "server"}, "spec": spec})
    return msgspec.json.decode(told, type=Runtime)


def told_by(container: Manifest, *, port: int = 8080) -> Check:
    """Return what is told of a runtime with such a container."""
    found = listed({"supportedModelFormats": [{"name": "vLLM"}], "containers": [container]})
    return judge(wanted(**SERVER), of(found), NOTHING, port=port)


@pytest.mark.parametrize(
    ("ports", "port", "code"),
    [
        ([8080], 8080, "RuntimeFound"),
        ([9000, 8080], 8080, "RuntimeFound"),
        ([9000], 9000, "RuntimeFound"),
        ([], 3000, "RuntimeFound"),
        ([9000], 8080, "RuntimePort"),
    ],
)
def test_a_runtime_that_listens_elsewhere_is_told(ports: list[int], port: int, code: str) -> None:
    container = {"name": "kserve-container", "ports": [{"containerPort": one} for one in ports]}
    assert told_by(container, port=port).code == code


@pytest.mark.parametrize(
    ("hook", "code"),
    [
        ({"exec": {"command": ["sleep"]}}, "RuntimeUnfit"),
        ({"sleep": {"seconds": 9}}, "RuntimeFound"),
    ],
)
def test_a_hook_that_cannot_stand_beside_ours_is_told(hook: Manifest, code: str) -> None:
    container = {"name": "kserve-container", "lifecycle": {"preStop": hook}}
    assert told_by(container).code == code
