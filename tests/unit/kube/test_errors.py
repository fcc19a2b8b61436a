"""What API servers answered, word by word (recorded from 1.36), and what becomes of it."""

import json

import pytest

from providers.contract.errors import (
    InvalidRequest,
    NotInstalled,
    ProviderError,
    Rejected,
    Unavailable,
)
from providers.kube.answer import Answer
from providers.kube.errors import error_of


def answer(code: int, message: str = "", *, body: bytes | None = None, **more: object) -> Answer:
    status = {"kind": "Status", "status": "Failure", "message": message, "code": code, **more}
    sent = json.dumps(status).encode() if body is None else body
    return Answer(status=code, headers={}, body=sent, host="10.0.0.1:6443")


TYPED = (
    "failed to create typed patch object (team/web; apps/v1, Kind=Deployment): "
    ".spec.replica: field not declared in schema"
)
DUPLICATE = (
    "failed to create typed patch object (team/web; apps/v1, Kind=Deployment): "
    '.spec.template.spec.containers[name="c"].env: duplicate entries for key [name="A"]'
)
CONVERT = (
    "failed to convert new object (team/web; apps/v1, Kind=Deployment): "
    ".spec.replicas: expected numeric (int or float), got string"
)
QUOTA = (
    'pods "q-1" is forbidden: exceeded quota: team, requested: requests.nvidia.com/gpu=1, '
    "used: requests.nvidia.com/gpu=2, limited: requests.nvidia.com/gpu=2"
)
QUOTA_WANTS = 'pods "q-1" is forbidden: failed quota: team: must specify requests.cpu for: c'
RBAC = (
    'pods is forbidden: User "system:serviceaccount:a:b" cannot list resource "pods" in API group '
    '"" in the namespace "default"'
)
WEBHOOK_DOWN = (
    'Internal error occurred: failed calling webhook "v.example.com": failed to call webhook: '
    'Post "https://v.default.svc:443/?timeout=10s": service "v" not found'
)
WEBHOOK_DENIES = 'admission webhook "v.example.com" denied the request: no latest tags'
WEBHOOK_NO_DRY_RUN = 'admission webhook "v.example.com" does not support dry run'
POLICY = (
    "deployments.apps \"web\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'p' "
    "denied request: too many replicas"
)
POD_SECURITY = (
    'pods "web" is forbidden: violates PodSecurity "restricted:latest": '
    "allowPrivilegeEscalation != false"
)
ACCOUNT = (
    'pods "web" is forbidden: error looking up service account team/nobody: '
    'serviceaccount "nobody" not found'
)
TERMINATING = (
    'deployments.apps "web" is forbidden: unable to create new content in namespace team because '
    "it is being terminated"
)
LIMIT_RANGE = 'pods "web" is forbidden: maximum memory usage per Container is 1Gi, but limit is 2Gi'
BAD_JSON = (
    'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: '
    'unknown field "spec.replica"'
)


@pytest.mark.parametrize(
    ("given", "kind", "code"),
    [
        (answer(500, TYPED), InvalidRequest, "invalid"),
        (answer(500, DUPLICATE), InvalidRequest, "invalid"),
        (answer(500, CONVERT), InvalidRequest, "invalid"),
        (answer(400, BAD_JSON, reason="BadRequest"), InvalidRequest, "invalid"),
        (answer(500, WEBHOOK_DOWN), Unavailable, "WebhookUnavailable"),
        (answer(400, WEBHOOK_DENIES), Rejected, "AdmissionDenied"),
        (answer(403, WEBHOOK_DENIES), Rejected, "AdmissionDenied"),
        (answer(400, WEBHOOK_NO_DRY_RUN), Rejected, "DryRunUnsupported"),
        (answer(422, POLICY, reason="Invalid"), Rejected, "AdmissionDenied"),
        (answer(403, POD_SECURITY), Rejected, "AdmissionDenied"),
        (answer(403, LIMIT_RANGE), Rejected, "AdmissionDenied"),
        (answer(403, QUOTA), Rejected, "QuotaExceeded"),
        (answer(403, QUOTA_WANTS), Rejected, "QuotaExceeded"),
        (answer(403, ACCOUNT), Rejected, "ServiceAccountMissing"),
        (answer(403, TERMINATING), Rejected, "NamespaceTerminating"),
        (answer(403, RBAC), Rejected, "Forbidden"),
        (answer(401, "Unauthorized"), Rejected, "CredentialsRefused"),
        (answer(404, body=b"404 page not found\n"), NotInstalled, "ProviderNotInstalled"),
        (
            answer(404, 'namespaces "team" not found', details={"name": "team"}),
            Rejected,
            "NamespaceMissing",
        ),
        (
            answer(404, 'deployments.apps "web" not found', details={"name": "web"}),
            Rejected,
            "NotFound",
        ),
        (answer(409, "the object has been modified"), Unavailable, "Conflict"),
        (answer(410, "the provided continue parameter is too old"), Unavailable, "Expired"),
        (answer(429, "too many requests"), Unavailable, "ClusterUnreachable"),
        (answer(500, "etcdserver: request timed out"), Unavailable, "ClusterUnreachable"),
        (answer(503, body=b"upstream connect error"), Unavailable, "ClusterUnreachable"),
        (answer(504, "Timeout: request did not complete"), Unavailable, "ClusterUnreachable"),
    ],
)
def test_an_answer_becomes_one_of_the_four_errors(
    given: Answer, kind: type[ProviderError], code: str
) -> None:
    error = error_of(given, doing="applying Deployment web")

    assert type(error) is kind
    assert error.code == code
    assert error.message.startswith("applying Deployment web")


def test_refused_credentials_say_who_must_do_what() -> None:
    error = error_of(answer(401, "Unauthorized"), doing="reading pods")

    assert "refuses the console's credentials (Unauthorized)" in error.message
    assert "must renew the kubeconfig" in error.message


def test_every_cause_of_a_422_is_told_at_its_field() -> None:
    causes = [
        {"field": "spec.replicas", "message": "must be 0 or more"},
        {"field": "spec.selector", "message": "field is immutable"},
        {"field": "spec.replicas", "message": "must be even"},
    ]
    given = answer(422, "Deployment is invalid", reason="Invalid", details={"causes": causes})

    error = error_of(given, doing="applying Deployment web")

    assert isinstance(error, InvalidRequest)
    assert error.fields == {
        "spec.replicas": ("must be 0 or more", "must be even"),
        "spec.selector": ("field is immutable",),
    }


@pytest.mark.parametrize(
    ("code", "message", "field"),
    [
        (500, TYPED, "spec.replica"),
        (500, DUPLICATE, 'spec.template.spec.containers[name="c"].env'),
        (500, CONVERT, "spec.replicas"),
        (400, BAD_JSON, "spec.replica"),
    ],
)
def test_the_field_is_found_in_the_text_where_no_cause_names_it(
    code: int, message: str, field: str
) -> None:
    error = error_of(answer(code, message), doing="applying")

    assert isinstance(error, InvalidRequest)
    assert list(error.fields) == [field]


def test_a_rejection_keeps_the_clusters_own_words() -> None:
    assert QUOTA in error_of(answer(403, QUOTA), doing="trying Pod q").message


def test_a_503_says_how_long_to_wait() -> None:
    given = Answer(status=503, headers={"Retry-After": "7"}, body=b"", host="a:1")

    error = error_of(given, doing="reading pods")

    assert isinstance(error, Unavailable)
    assert error.retry_after == 7.0


def test_a_body_that_is_no_text_breaks_nothing() -> None:
    error = error_of(answer(500, body=b"\xff\xfe\x00"), doing="reading pods")

    assert isinstance(error, Unavailable)


def test_a_403_without_a_reason_is_still_said_to_be_forbidden() -> None:
    error = error_of(answer(403, "not today"), doing="reading pods")
    assert str(error) == "reading pods is forbidden: not today"
