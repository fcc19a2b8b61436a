"""The stand-in for KServe's controller leaves what the real one was recorded to leave."""

import pytest

from providers.contract.manifest import Manifest
from providers.simulation.simulate import Word
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.recorded import accelerator_quota, asked, collection, essence, recorded, seen
from tests.cluster.waiting import read_until, wait_for

WAIT_SECONDS = 40.0  # its HPA acts after 15 s
KSERVE = "serving.kserve.io/v1beta1"
KINDS = (
    {"apiVersion": KSERVE, "kind": "InferenceService"},
    {"apiVersion": "apps/v1", "kind": "Deployment"},
    {"apiVersion": "v1", "kind": "Service"},
    {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler"},
)
STATES = {
    "custom-ready": Word.NONE,
    "autoscaler-none-ready": Word.NONE,
    "image-not-found-create": Word.NONE,
    "crashloop-create": Word.OOM,
    "insufficient-gpu-create": Word.NONE,
    "ready-without-pods": Word.NEVER_READY,
    "name-too-long": Word.NONE,
    "runtime-missing": Word.NONE,
    "stopped": Word.NONE,
}


def launch(plane: ControlPlane, namespace: str, case: str, *, word: Word = Word.NONE) -> None:
    for body in asked(recorded("kserve", case), namespace, word=word):
        plane.api.create(collection(body), body)


def left(plane: ControlPlane, namespace: str) -> list[str]:
    return essence(seen(plane.api, namespace, KINDS))


def wanted(case: str) -> list[str]:
    kinds = {kind["kind"] for kind in KINDS}
    return essence([one for one in recorded("kserve", case) if one["kind"] in kinds])


def settled(plane: ControlPlane, namespace: str, case: str) -> list[str]:
    return read_until(lambda: left(plane, namespace), wanted(case), WAIT_SECONDS)


@pytest.mark.parametrize(("case", "word"), STATES.items(), ids=STATES)
def test_it_leaves_what_was_recorded(
    foreign_plane: ControlPlane, foreign_namespace: str, case: str, word: Word
) -> None:
    launch(foreign_plane, foreign_namespace, case, word=word)
    assert settled(foreign_plane, foreign_namespace, case) == wanted(case)


def test_a_refused_pod_is_told_as_was_recorded(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    quota = accelerator_quota(foreign_namespace)
    foreign_plane.api.create(collection(quota), quota)
    launch(foreign_plane, foreign_namespace, "quota-create")
    assert settled(foreign_plane, foreign_namespace, "quota-create") == wanted("quota-create")


def test_stopping_takes_everything_below_and_starting_makes_it_anew(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    case = "autoscaler-none-ready"
    launch(foreign_plane, foreign_namespace, case)
    place = (foreign_plane, foreign_namespace)
    assert settled(*place, case) == wanted(case)

    annotate(*place, {"serving.kserve.io/stop": "true"})
    wait_for(lambda: len(left(*place)) == 1, WAIT_SECONDS, "everything below is gone")

    annotate(*place, {"serving.kserve.io/stop": None})
    assert settled(*place, case) == wanted(case)


def annotate(plane: ControlPlane, namespace: str, annotations: Manifest) -> None:
    (found,) = seen(plane.api, namespace, KINDS[:1])
    path = namespaced(
        namespace, "inferenceservices", found["metadata"]["name"], api=f"apis/{KSERVE}"
    )
    plane.api.merge(path, {"metadata": {"annotations": annotations}})
