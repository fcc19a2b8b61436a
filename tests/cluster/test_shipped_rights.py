"""The roles of deploy/ on a real control plane: enough for everything, and no right to spare."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from providers.observing import engine_pages, metrics
from tests.cluster.errand import SCALING, SPEC, VOLUMES, Errand, as_account, furnish
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import SECONDS, launch_in
from tests.cluster.shipped import Right, account_with, remove_account, rights_in

pytestmark = pytest.mark.usefixtures("cluster_nodes")

CLUSTER_WIDE = rights_in("cluster-wide")
SENSITIVE = rights_in("sensitive")
EVERYTHING = (*CLUSTER_WIDE, *SENSITIVE)
REFUSED = re.compile(r"cannot \w+ resource|forbidden|the right to", re.IGNORECASE)
RunWith = Callable[..., list[str]]


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a busy machine have the time to refuse what a page would rather do without."""
    monkeypatch.setattr(metrics, "USE_SECONDS", SECONDS)
    monkeypatch.setattr(engine_pages, "PAGE_SECONDS", 5.0)


@pytest.fixture
def told_with(control_plane: ControlPlane, namespace: str) -> Iterator[RunWith]:
    """Return what an errand tells that is run by an account with these rights alone."""
    furnish(control_plane.api, namespace)

    def run(everywhere: Sequence[Right], *, inside: Sequence[Right] = ()) -> list[str]:
        kubeconfig = account_with(control_plane, namespace, everywhere, inside=inside)
        return _tell(control_plane, namespace, kubeconfig)

    yield run
    remove_account(control_plane, namespace)
    control_plane.api.delete(f"{VOLUMES}/{namespace}")


def _tell(plane: ControlPlane, namespace: str, kubeconfig: Path) -> list[str]:
    launch = launch_in(plane, namespace, spec=SPEC, overrides=SCALING)
    errand = Errand(launch=as_account(launch, str(kubeconfig)))
    errand.run()
    return errand.told


def refusals(told: Sequence[str]) -> list[str]:
    return [text for text in told if REFUSED.search(text)]


def names(text: str, right: Right) -> bool:
    """Tell whether a sentence names the right, in the cluster's words or in ours."""
    group = f" of {right.group}" if right.group else ""
    return f"cannot {right}" in text or f"the right to {right.verb} {right.resource}{group}" in text


def test_with_the_shipped_rights_nothing_is_refused(told_with: RunWith) -> None:
    told = told_with(CLUSTER_WIDE, inside=SENSITIVE)
    assert refusals(told) == []
    assert "secret hf has token" in told
    assert "the cluster accepts the Pod" in told


@pytest.mark.parametrize("right", EVERYTHING, ids=str)
def test_a_right_that_is_missing_is_named_in_words(told_with: RunWith, right: Right) -> None:
    everywhere = [held for held in CLUSTER_WIDE if held != right]
    inside = [held for held in SENSITIVE if held != right]

    told = told_with(everywhere, inside=inside)

    assert [text for text in refusals(told) if names(text, right)], told


def test_in_one_namespace_alone_only_what_lies_outside_is_refused(told_with: RunWith) -> None:
    told = told_with([], inside=[*rights_in("tenant"), *SENSITIVE])

    outside = ("at the cluster scope", 'in the namespace "kube-system"')
    assert refusals(told) != []
    assert [text for text in refusals(told) if not any(word in text for word in outside)] == []
    assert "the cluster accepts the Pod" in told


def test_the_role_of_one_namespace_is_that_of_the_cluster_without_what_has_none() -> None:
    without = {
        Right("", "nodes", "get"),
        Right("", "nodes", "list"),
        Right("", "namespaces", "list"),
    }
    assert set(rights_in("tenant")) == set(CLUSTER_WIDE) - without
