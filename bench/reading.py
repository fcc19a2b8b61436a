"""How fast one deployment is read live: alone beside kubectl, and by 20 people at once."""

from collections.abc import Sequence
from functools import partial

from bench.figures import Figure, median_of, rate_of
from bench.stage import NAMESPACE, PEOPLE, Stage

ROUNDS = 30
READS = 200


def alone(stage: Stage) -> Sequence[Figure]:
    """Return the time of a detail read as a ratio to kubectl's get of its objects."""
    deployment = stage.made[0]
    ours = median_of([partial(stage.call, "GET", f"deployments/{deployment}")] * ROUNDS)
    label = f"slipway.dev/id={deployment}"
    kinds = "deployments,services,horizontalpodautoscalers"
    get = partial(stage.kubectl, "-n", NAMESPACE, "get", kinds, "-l", label, "-o", "json")
    theirs = median_of([get] * ROUNDS)
    how = (
        f"median of {ROUNDS}: GET /deployments/ID {ours * 1000:.0f} ms, "
        f"kubectl get {kinds} {theirs * 1000:.0f} ms"
    )
    return (
        Figure(name="detail read / kubectl get", value=ours / theirs, bound=2, unit="x", how=how),
    )


def together(stage: Stage) -> Sequence[Figure]:
    """Return the rate of detail reads by many people at once."""
    made = stage.made
    actions = [
        partial(stage.call, "GET", f"deployments/{made[number % len(made)]}", who=number % PEOPLE)
        for number in range(READS)
    ]
    rate = rate_of(actions, people=PEOPLE)
    how = f"{READS} GET /deployments/ID by {PEOPLE} people at once"
    return (
        Figure(
            name="detail reads a second", value=rate, bound=25, unit="1/s", how=how, at_least=True
        ),
    )
