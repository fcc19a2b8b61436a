import pytest

from providers.contract.drifting import DriftKind
from providers.contract.manifest import Manifest, key_of
from providers.workload.drifting.co_managers import co_managers_of, stray_autoscaler
from providers.workload.drifting.comparing import Difference
from providers.workload.drifting.expressing import overrides_for, place_of
from providers.workload.drifting.holders import entries_of
from providers.workload.drifting.paths import Path, text_of
from providers.workload.drifting.words import who_is

from .drifted import CONTAINER, MANIFEST, entry, live_of

IMAGE: Path = (*CONTAINER, "image")
PREDICTOR: Path = ("spec", "predictor")
SPEC: Manifest = {"f:spec": {"f:paused": {}}}


def held_by(*entries: Manifest) -> Manifest:
    live = live_of()
    live["metadata"]["managedFields"] += entries
    return live


@pytest.mark.parametrize(
    ("manager", "more", "who"),
    [
        ("kubectl-edit", {}, "somebody with kubectl edit"),
        ("kubectl-set", {}, "somebody with kubectl set"),
        ("kubectl-rollout", {}, "somebody with kubectl rollout"),
        ("kubectl-client-side-apply", {}, "somebody with kubectl apply"),
        ("kubectl", {"operation": "Apply"}, "somebody with kubectl apply"),
        ("kubectl", {"subresource": "scale"}, "somebody with kubectl scale"),
        ("kubectl", {}, "somebody with kubectl"),
        ("argocd-controller", {"operation": "Apply"}, "Argo CD"),
        ("helm", {}, "Helm"),
        ("kube-controller-manager", {"subresource": "scale"}, "an autoscaler"),
        ("kube-controller-manager", {}, "a controller of the cluster"),
        ("team-operator", {}, "team-operator"),
        ("", {}, "unknown manager"),
    ],
)
def test_a_manager_is_told_in_words(manager: str, more: dict[str, str], who: str) -> None:
    *_, last = entries_of({"metadata": {"managedFields": [entry(manager, SPEC, **more)]}})

    assert who_is(last) == who


def test_without_an_entry_the_manager_is_unknown() -> None:
    assert who_is(None) == "unknown manager"


def test_nobody_else_manages_what_only_slipway_and_the_cluster_have_written() -> None:
    by_the_cluster = entry("kube-controller-manager", {"f:metadata": {"f:annotations": {}}})
    scaled = entry("kube-controller-manager", SPEC, subresource="scale")

    assert co_managers_of(held_by(by_the_cluster, scaled)) == ()


def test_a_tool_that_writes_again_is_told_from_a_person_who_did_once() -> None:
    live = held_by(entry("argocd-controller", SPEC), entry("kubectl-edit", SPEC))

    told = {one.name: one.writes_again for one in co_managers_of(live)}

    assert told == {"Argo CD": True, "somebody with kubectl edit": False}


def test_who_holds_only_labels_of_their_own_has_no_hand_in_it() -> None:
    labelled = entry("kubectl-label", {"f:metadata": {"f:labels": {"f:team": {}}}})

    assert co_managers_of(held_by(labelled)) == ()


@pytest.mark.parametrize(
    ("part", "key", "value", "named"),
    [
        (
            "annotations",
            "argocd.argoproj.io/tracking-id",
            "app:x",
            "Argo CD manages Deployment web",
        ),
        ("labels", "argocd.argoproj.io/instance", "app", "Argo CD manages Deployment web"),
        ("labels", "kustomize.toolkit.fluxcd.io/name", "apps", "Flux manages Deployment web"),
        ("labels", "helm.toolkit.fluxcd.io/name", "apps", "HelmRelease"),
        ("annotations", "meta.helm.sh/release-name", "shop", "the Helm release shop"),
        ("labels", "app.kubernetes.io/managed-by", "Helm", "labelled as managed by Helm"),
    ],
)
def test_the_marks_that_tools_leave_tell_of_them(
    part: str, key: str, value: str, named: str
) -> None:
    live = live_of()
    live["metadata"][part][key] = value

    (found,) = co_managers_of(live)

    assert named in found.sentence


def test_a_tool_is_told_once_however_many_traces_it_left() -> None:
    live = held_by(entry("argocd-controller", SPEC), entry("argocd-controller", SPEC))
    live["metadata"]["labels"]["argocd.argoproj.io/instance"] = "app"

    assert len(co_managers_of(live)) == 1


def test_an_autoscaler_of_somebody_else_is_named_with_what_it_sets() -> None:
    autoscaler = key_of({**MANIFEST, "kind": "HorizontalPodAutoscaler"})

    found = stray_autoscaler(autoscaler, key_of(MANIFEST))

    assert found.writes_again
    assert "sets the number of replicas of Deployment web" in found.sentence


@pytest.mark.parametrize(
    ("path", "theirs", "overrides"),
    [
        (("spec", "replicas"), 3, {"min_replicas": 3}),
        (("spec", "replicas"), 0, {"min_replicas": 0}),
        (("spec", "replicas"), 5000, {}),
        (("spec", "minReplicas"), 2, {"min_replicas": 2}),
        (("spec", "minReplicas"), 0, {}),
        (("spec", "maxReplicas"), 9, {"max_replicas": 9}),
        ((*PREDICTOR, "minReplicas"), 2, {"min_replicas": 2}),
        ((*PREDICTOR, "minReplicas"), 0, {}),
        ((*PREDICTOR, "maxReplicas"), 5, {"max_replicas": 5, "enable_auto_scaling": True}),
        (("spec", "paused"), True, {}),
        (IMAGE, "mock:2", {}),
    ],
)
def test_only_numbers_of_replicas_are_taken_over_as_overrides(
    path: Path, theirs: object, overrides: dict[str, object]
) -> None:
    found = Difference(path=path, kind=DriftKind.CHANGED, ours=1, theirs=theirs)

    assert overrides_for(found) == overrides


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (IMAGE, "engine.image (and engine.version) of the template"),
        ((*CONTAINER, "env", (("name", "A"),), "value"), "engine.env of the template"),
        (("spec", "template", "spec", "tolerations"), "the accelerator map of the cluster"),
        ((*PREDICTOR, "containers", (("name", "main"),), "image"), "engine.image (and engine"),
        ((*PREDICTOR, "volumes"), "model_source.cache or resources.shm_size of the template"),
        (("spec", "strategy", "type"), "rollout.strategy of the template"),
        (("spec", "minReadySeconds"), ""),
    ],
)
def test_what_no_override_expresses_names_where_it_is_made(path: Path, place: str) -> None:
    assert place_of(path).startswith(place)
    assert bool(place_of(path)) is bool(place)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (("spec", "replicas"), "spec.replicas"),
        (("metadata", "labels", "slipway.dev/id"), "metadata.labels[slipway.dev/id]"),
        (IMAGE, "spec.template.spec.containers[name=engine].image"),
        (
            ("spec", "ports", (("port", 80), ("protocol", "TCP"))),
            "spec.ports[port=80,protocol=TCP]",
        ),
    ],
)
def test_a_path_reads_as_people_write_it(path: Path, text: str) -> None:
    assert text_of(path) == text
