"""How fast a launch is: alone beside kubectl, and 60 by 20 people at once."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from bench.figures import Figure, median_of, rate_of
from bench.stage import NAMESPACE, PEOPLE, Stage
from deployments.models import Cluster
from deployments.services.refreshing import refresh_cluster
from providers.contract.yaml_text import to_yaml

ROUNDS = 15
CREATES = 60


def alone(stage: Stage) -> Sequence[Figure]:
    """Return the time of a create as a ratio to kubectl's apply of the same manifests."""
    files = [_manifests(stage, number) for number in range(ROUNDS + 1)]
    apply = [partial(stage.kubectl, "apply", "--server-side", "-f", str(file)) for file in files]
    create = [partial(_create, stage, f"alone-{number}") for number in range(ROUNDS + 1)]
    apply[0]()
    create[0]()
    ours, theirs = _interleaved(create[1:], apply[1:])
    how = (
        f"median of {ROUNDS}: POST /deployments {ours * 1000:.0f} ms, "
        f"kubectl apply --server-side {theirs * 1000:.0f} ms"
    )
    return (
        Figure(name="create / kubectl apply", value=ours / theirs, bound=1.5, unit="x", how=how),
    )


def together(stage: Stage) -> Sequence[Figure]:
    """Return the rate of creates by many people at once, and how many were lost or doubled."""
    actions = [
        partial(_create, stage, f"together-{number}", who=number % PEOPLE)
        for number in range(CREATES)
    ]
    rate = rate_of(actions, people=PEOPLE)
    # A create whose time ran out while it applied is finished by the next pass, as for anyone.
    refresh_cluster(Cluster.objects.get(name="default"))
    listed = stage.call("GET", "deployments?search=together&page_size=200")["count"]
    found = stage.kubectl("-n", NAMESPACE, "get", "deployments", "-o", "name").splitlines()
    on_cluster = [name for name in found if "/together-" in name]
    off = abs(listed - CREATES) + abs(len(on_cluster) - CREATES) + CREATES - len(set(on_cluster))
    how = f"{CREATES} POST /deployments by {PEOPLE} people at once, 2 workers x 8 threads"
    return (
        Figure(name="creates a second", value=rate, bound=6, unit="1/s", how=how, at_least=True),
        Figure(
            name="creates lost or doubled",
            value=off,
            bound=0,
            unit="",
            how="records and kubectl get",
        ),
    )


def _create(stage: Stage, name: str, *, who: int = 0) -> None:
    stage.made.append(stage.call("POST", "deployments", stage.order(name), who=who)["id"])


def _manifests(stage: Stage, number: int) -> Path:
    manifests = stage.call("POST", "deployments/preview", stage.order(f"kubectl-{number}"))[
        "manifests"
    ]
    file = stage.folder / f"kubectl-{number}.yaml"
    file.write_text(to_yaml(manifests))
    return file


def _interleaved(
    ours: Sequence[Callable[[], object]], theirs: Sequence[Callable[[], object]]
) -> tuple[float, float]:
    """Return the medians of two series that take turns, so that a noisy moment hits both."""
    pairs = zip(ours, theirs, strict=True)
    times = [(median_of([our]), median_of([their])) for our, their in pairs]
    middle = len(times) // 2
    return sorted(our for our, _ in times)[middle], sorted(their for _, their in times)[middle]
