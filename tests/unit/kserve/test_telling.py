"""An InferenceService in the words of the status table, where no recording shows it."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from msgspec import structs

from providers.carrying.outside import OwnedMeta
from providers.contract.protocols import Endpoint
from providers.contract.request import DeploymentRef, Intent
from providers.contract.status import Phase, Status
from providers.kserve.carrier import CARRIER
from providers.kserve.objects import (
    Address,
    Failure,
    InferenceService,
    InferenceServiceSpec,
    InferenceServiceStatus,
    ModelStatus,
    Predictor,
    PredictorDeployment,
    PredictorDeploymentSpec,
)
from providers.kserve.provider import provider
from providers.kserve.refusing import refusal_of
from providers.kserve.telling import wanted_of
from providers.testing.samples import ref_of
from providers.workload.index import ClusterObjects, bundles_by_id
from providers.workload.objects import Condition, Event, ObjectReference
from providers.workload.status import derive_status
from tests.unit.kserve.asking import TARGET, asked
from tests.unit.kserve.recorded import recorded

NAME = "qwen-1a2b3c4d"


def service(
    *,
    least: int | None = 2,
    most: int | None = 4,
    conditions: tuple[Condition, ...] = (),
    annotations: Mapping[str, str] | None = None,
) -> InferenceService:
    return InferenceService(
        metadata=OwnedMeta(name=NAME, namespace="models", annotations={**(annotations or {})}),
        spec=InferenceServiceSpec(predictor=Predictor(min_replicas=least, max_replicas=most)),
        status=InferenceServiceStatus(conditions=list(conditions)),
    )


def deployment(replicas: int) -> PredictorDeployment:
    return PredictorDeployment(spec=PredictorDeploymentSpec(replicas=replicas))


@pytest.mark.parametrize(("set_to", "wanted"), [(1, 2), (2, 2), (3, 3), (9, 4), (0, 0)])
def test_what_is_wanted_is_the_autoscalers_number_within_its_bounds(
    set_to: int, wanted: int
) -> None:
    assert wanted_of(service(), deployment(set_to)) == wanted


def test_before_there_is_a_deployment_the_fewest_are_wanted() -> None:
    assert wanted_of(service(), None) == 2
    assert wanted_of(service(least=None, most=None), None) == 1


def test_what_others_scale_has_its_own_number() -> None:
    annotations = {"serving.kserve.io/autoscalerClass": "external"}
    assert wanted_of(service(annotations=annotations), deployment(9)) == 9


@pytest.mark.parametrize(
    ("word", "wanted"), [("true", 0), ("True", 0), ("TRUE", 0), ("false", 3), ("yes", 3), ("", 3)]
)
def test_a_stop_is_read_as_its_controller_reads_it(word: str, wanted: int) -> None:
    annotations = {"serving.kserve.io/stop": word}
    assert wanted_of(service(annotations=annotations), deployment(3)) == wanted


def test_a_controller_that_breaks_down_over_it_is_told_from_one_that_is_away() -> None:
    found = recorded("controller-down-created")
    [(place, away)] = found.objects.workloads.items()
    held = InferenceService(
        metadata=OwnedMeta(
            name=away.name,
            namespace=away.namespace,
            uid=away.uid,
            creation_timestamp=away.meta.creation_timestamp,
            finalizers=["inferenceservice.finalizers"],
        )
    )
    objects = ClusterObjects(workloads={place: held}, unread=found.objects.unread)
    message = _after_two_looks(objects, found.ref, found.at).message
    assert "it breaks down over what it asks for" in message


def _after_two_looks(objects: ClusterObjects, ref: DeploymentRef, at: datetime) -> Status:

    [(_, bundle)] = bundles_by_id(objects, [ref], shape=CARRIER.shape)
    first = derive_status(bundle, ref, at + timedelta(seconds=40))
    return derive_status(bundle, replace(ref, last_status=first), at + timedelta(seconds=60))


@pytest.mark.parametrize("intent", [Intent.STOPPED, Intent.RUNNING], ids=["by us", "by others"])
def test_an_autoscaler_that_the_controller_is_yet_to_take_away_is_none_that_cannot_act(
    intent: Intent,
) -> None:
    found = recorded("custom-ready", intent=intent)
    [(place, live)] = found.objects.workloads.items()
    told: dict[str, str | None] = {"serving.kserve.io/stop": "true"}
    stopping = structs.replace(live, metadata=OwnedMeta(name=live.name, annotations=told))
    objects = replace(found.objects, workloads={place: stopping})
    assert objects.autoscalers
    status = _after_two_looks(objects, found.ref, found.at)
    assert (status.phase, status.reason) == (Phase.SCALING, "ScalingDown")


@pytest.mark.parametrize(
    ("intent", "revision", "noted"),
    [
        pytest.param(Intent.RUNNING, 1, 1, id="we asked it to run"),
        pytest.param(Intent.STOPPED, 1, 0, id="we stopped it"),
        pytest.param(Intent.RUNNING, 2, 0, id="our start is not written yet"),
    ],
)
def test_a_stop_that_we_did_not_order_is_noted(intent: Intent, revision: int, noted: int) -> None:
    found = recorded("stopped", intent=intent)
    ref = replace(found.ref, revision=revision, applied_revision=1)
    status = _after_two_looks(found.objects, ref, found.at)
    words = "by somebody else's hand: annotation serving.kserve.io/stop was set outside of Slipway"
    told = [note for note in status.notes if words in note.message]
    assert [note.reason for note in told] == ["ChangedOutside"] * noted


def complaint(message: str, reason: str = "InternalError") -> Event:
    about = ObjectReference(kind="InferenceService", name=NAME, namespace="models")
    return Event(involved_object=about, reason=reason, message=message, type="Warning")


UNKNOWN = Condition(type="PredictorReady", status="Unknown")


def test_a_fault_that_only_an_event_tells_is_believed_where_nothing_was_made() -> None:
    found, told = service(conditions=(UNKNOWN,)), [complaint("scheme ftp is not supported")]
    refusal = refusal_of(found, None, told)
    assert refusal is not None
    assert (refusal.code, refusal.message) == ("ReconcileFailed", "scheme ftp is not supported")
    assert refusal_of(found, deployment(1), told) is None


def test_a_write_that_met_another_one_is_no_fault() -> None:
    noise = complaint("fails to update: the object has been modified; please apply your changes")
    assert refusal_of(service(conditions=(UNKNOWN,)), None, [noise]) is None


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        ("RuntimeNotRecognized", "RuntimeMissing"),
        ("NoSupportingRuntime", "ModelFormatUnsupported"),
        ("RuntimeDisabled", "InvalidSpec"),
    ],
)
def test_why_a_model_has_no_runtime_is_told_in_words_of_its_controller(
    reason: str, code: str
) -> None:
    failure = Failure(reason=reason, message="Specified runtime is disabled")
    model = ModelStatus(transition_status="InvalidSpec", last_failure_info=failure)
    found = InferenceService(status=InferenceServiceStatus(model_status=model))
    refusal = refusal_of(found, None, ())
    assert refusal is not None
    assert (refusal.code, refusal.message) == (code, "Specified runtime is disabled")


def test_a_failure_that_is_over_is_not_told_again() -> None:
    over = ModelStatus(
        transition_status="UpToDate", last_failure_info=Failure(reason="NoSupportingRuntime")
    )
    found = InferenceService(status=InferenceServiceStatus(model_status=over))
    assert refusal_of(found, None, ()) is None


def test_the_endpoint_is_the_address_that_it_names() -> None:
    request = asked()
    ref = ref_of(request, None)
    promised = provider.endpoint(request, TARGET)
    assert promised.url == f"http://{request.runtime_name}-predictor.models.svc.cluster.local"
    assert CARRIER.endpoint_of(ref, None, ()) == promised
    assert promised.port == 80
    assert f"service/{request.runtime_name}-predictor 8080:80" in promised.port_forward


def test_the_address_of_a_recording_is_what_was_promised() -> None:
    found = recorded("custom-ready")
    [live] = found.objects.workloads.values()
    told: Endpoint = CARRIER.endpoint_of(found.ref, live, ())
    assert told == CARRIER.endpoint_of(found.ref, None, ())


@pytest.mark.parametrize(
    "told", ["javascript:alert(1)", "http://a\0b", "http://a b", "//a", "http://"]
)
def test_what_is_no_address_is_not_told_as_one(told: str) -> None:
    status = InferenceServiceStatus(address=Address(url=told))
    odd = InferenceService(metadata=OwnedMeta(name=NAME), status=status)
    ref = ref_of(asked(), None)
    assert CARRIER.endpoint_of(ref, odd, ()) == CARRIER.endpoint_of(ref, None, ())
