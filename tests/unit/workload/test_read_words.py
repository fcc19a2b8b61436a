"""Foreign words, read: the scheduler's and the API server's sentences as tables."""

import pytest

from providers.workload.status import read_refusal
from providers.workload.status.scheduling import read_scheduler, without_preemption
from providers.workload.status.wording import count_of, duration, short


@pytest.mark.parametrize(
    ("message", "reason", "resource"),
    [
        (
            "0/3 nodes are available: 3 Insufficient nvidia.com/gpu.",
            "InsufficientAccelerator",
            "nvidia.com/gpu",
        ),
        (
            "0/1 nodes are available: 1 Insufficient amd.com/gpu",
            "InsufficientAccelerator",
            "amd.com/gpu",
        ),
        (
            (
                "0/4 nodes are available: 1 Insufficient nvidia.com/gpu, 3 node(s) didn't match "
                "Pod's node affinity/selector."
            ),
            "InsufficientAccelerator",
            "nvidia.com/gpu",
        ),
        (
            "0/2 nodes are available: 2 Insufficient cpu, 2 Insufficient nvidia.com/gpu.",
            "InsufficientAccelerator",
            "nvidia.com/gpu",
        ),
        (
            "0/2 nodes are available: 1 Insufficient cpu, 2 Insufficient memory.",
            "InsufficientCpu",
            "cpu",
        ),
        ("0/2 nodes are available: 2 Insufficient memory.", "InsufficientMemory", "memory"),
        (
            "0/2 nodes are available: 2 node(s) had taint {gpu: }, that the pod didn't tolerate.",
            "UntoleratedTaint",
            "",
        ),
        (
            (
                "0/5 nodes are available: 2 node(s) didn't match Pod's node affinity/selector, 3 "
                "node(s) had untolerated taint {team: ml}."
            ),
            "UntoleratedTaint",
            "",
        ),
        (
            (
                "0/5 nodes are available: 1 node(s) had untolerated taint {a: b}, 4 node(s) "
                "didn't match Pod's node affinity/selector. preemption: 0/5 nodes are available: 5 "
                "Preemption is not helpful for scheduling."
            ),
            "NodeSelectorMismatch",
            "",
        ),
        (
            (
                "0/3 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/"
                "control-plane: }, 2 node(s) had volume node affinity conflict."
            ),
            "VolumeUnbound",
            "",
        ),
        ('persistentvolumeclaim "models" not found', "VolumeUnbound", ""),
        ("0/2 nodes are available: 2 Too many pods.", "Unschedulable", ""),
        ("0/1 nodes are available: 1 node(s) were unschedulable.", "Unschedulable", ""),
        ("", "Unschedulable", ""),
    ],
)
def test_the_scheduler_s_sentence_is_read(message: str, reason: str, resource: str) -> None:
    lack = read_scheduler(message)
    assert (lack.reason, lack.resource) == (reason, resource)


def test_what_the_scheduler_might_have_done_is_not_told() -> None:
    told = "0/3 nodes are available: 3 Insufficient nvidia.com/gpu"
    more = ". no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not"
    for suffix in ("", ".", more, ". preemption: 0/3 nodes are available: 3 No victims found."):
        assert without_preemption(told + suffix) == told


def test_what_the_scheduler_says_twice_is_told_once() -> None:
    told = '0/4 nodes are available: persistentvolumeclaim "models" not found'
    assert without_preemption(f"{told}. not found") == told


def test_preemption_words_decide_nothing() -> None:
    told = "0/2 nodes are available: 2 Too many pods. preemption: 2 Insufficient nvidia.com/gpu."
    assert read_scheduler(told).reason == "Unschedulable"


@pytest.mark.parametrize(
    ("words", "reason", "told"),
    [
        (
            (
                'pods "q" is forbidden: exceeded quota: team, requested: pods=1,requests.cpu=4, '
                "used: pods=9,requests.cpu=30, limited: pods=10,requests.cpu=32"
            ),
            "QuotaExceeded",
            (
                "quota team is exceeded: pods asks for 1, 9 of 10 used, requests.cpu asks for 4, "
                "30 of 32 used"
            ),
        ),
        (
            (
                'pods "q" is forbidden: error looking up service account a/m: '
                'serviceaccount "m" not found'
            ),
            "ServiceAccountMissing",
            "service account m does not exist",
        ),
        (
            'admission webhook "validate.example.com" denied the request: no',
            "AdmissionDenied",
            "denied the request: no",
        ),
        (
            'pods "q" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true',
            "AdmissionDenied",
            'the cluster refuses to make pods: violates PodSecurity "restricted:latest"',
        ),
        ('failed calling webhook "x": timeout', "WebhookUnavailable", "failed calling webhook"),
        ("", "AdmissionDenied", "the cluster refuses to make pods"),
    ],
)
def test_a_refusal_is_read(words: str, reason: str, told: str) -> None:
    refusal = read_refusal(words)
    assert refusal.reason == reason
    assert told in refusal.message


def test_a_refused_pod_s_random_name_is_not_repeated() -> None:
    assert "svpzr" not in read_refusal('pods "q-svpzr" is forbidden: no').message


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, "an unknown time"),
        (0, "0 s"),
        (119.9, "119 s"),
        (120, "2 min"),
        (900, "15 min"),
        (7200, "2 h"),
        (172_800, "2 d"),
    ],
)
def test_a_duration_is_told_in_one_unit(seconds: float | None, text: str) -> None:
    assert duration(seconds) == text


def test_counts_and_long_words_are_told_shortly() -> None:
    assert (count_of(1, "pod"), count_of(0, "pod")) == ("1 pod", "0 pods")
    assert short("a\n  b\tc") == "a b c"
    assert len(short("x" * 5000)) == 300


def test_foreign_words_lose_what_would_change_those_beside_them() -> None:
    assert short("a\0b \x1b[31mred\u202e end\u2066") == "a b [31mred end"
    assert short("“größer” → 日本 \U0001f600") == "“größer” → 日本 \U0001f600"
