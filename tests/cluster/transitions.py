"""Eight ways in which a running deployment changes, each counted from its beginning to its end.

Shared by the test that proves that no replica is dropped and by the figures that tell it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from tests.cluster.census import Census
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import Launch, eventually, launch_in

AUTOSCALED: Mapping[str, object] = {
    "enable_auto_scaling": True,
    "min_replicas": 2,
    "max_replicas": 5,
}
FIXED: Mapping[str, object] = {"enable_auto_scaling": False}
# An autoscaler looks every 15 s.
PASS_SECONDS = 40.0


@dataclass(frozen=True, kw_only=True)
class Transition:
    """One change: what runs before it, the change itself, and how many replicas it ends with.

    `stops` tells that it goes through 0 on purpose. `made` is how many pods it makes, None where
    that depends on how far another change had come.
    """

    name: str
    start: Mapping[str, object]
    before: int
    after: int
    change: Callable[[Launch], None]
    made: int | None = 0
    stops: bool = False

    @property
    def floor(self) -> int:
        """Return the number of replicas that must never be fallen short of."""
        return 0 if self.stops else min(self.before, self.after)


@dataclass(frozen=True, kw_only=True)
class Counted:
    """What was seen of a transition; `made` are the pods that were not there before it."""

    transition: Transition
    census: Census
    made: int

    @property
    def line(self) -> str:
        """Return one row of the table: name, bound, and what was seen."""
        census, steps = self.census, " > ".join(str(number) for number in self.census.steps)
        return (
            f"{self.transition.name:<29} {self.transition.floor:>5} {census.fewest_wanted:>6} "
            f"{census.fewest_ready:>6} {self.made:>5} {len(census.samples):>8} "
            f"{census.samples_a_second:>5.0f}  {steps}"
        )


HEADING = (
    f"{'transition':<29} {'floor':>5} {'wanted':>6} {'ready':>6} {'made':>5} {'samples':>8} "
    f"{'/s':>5}  replicas as stored"
)


def table_of(counted: Sequence[Counted]) -> list[str]:
    """Return the lines of the table: fewest replicas wanted and ready, pods made, samples."""
    return [HEADING, *(found.line for found in counted)]


def count_transition(plane: ControlPlane, namespace: str, transition: Transition) -> Counted:
    """Make what runs before, change it under a census, and wait for the end of it."""
    launch = launch_in(plane, namespace, overrides=transition.start)
    launch.create()
    launch.wait_until_ready(launch.request.scaling.min_replicas)
    if transition.before != launch.request.scaling.min_replicas:
        scale_outside(launch, transition.before)
    with Census(launch=launch) as census:
        there = set(census.names)
        transition.change(launch)
        settle(launch, transition.after)
        census.linger()
    return Counted(transition=transition, census=census, made=len(census.names - there))


def scale_outside(launch: Launch, replicas: int) -> None:
    """Scale as an autoscaler or a person does: through the scale subresource."""
    body = {"spec": {"replicas": replicas}}
    launch.api.merge(f"{launch.deployment_path}/scale", body, fieldManager="somebody")
    launch.wait_until_ready(replicas)


def settle(launch: Launch, replicas: int) -> None:
    """Wait until that many replicas are wanted, which may take an autoscaler's pass, and ready."""
    eventually(
        f"{replicas} replicas are wanted",
        lambda: launch.api.get(launch.deployment_path)["spec"]["replicas"] == replicas,
        PASS_SECONDS,
    )
    launch.wait_until_ready(replicas)


def _rescale(overrides: Mapping[str, object], **more: object) -> Callable[[Launch], None]:
    return lambda launch: _update(launch, **{**overrides, **more})


def _update(launch: Launch, **overrides: object) -> None:
    launch.update(launch.rescaled(**overrides))


def _change_template(launch: Launch) -> None:
    launch.update(launch.with_env(COLOUR="blue"))


def _roll_back(launch: Launch) -> None:
    """Return to the first revision's template right after the second one was written."""
    first = launch.request
    launch.update(launch.with_env(COLOUR="blue"))
    launch.update(replace(first, revision=first.revision + 2))


def _stop_and_start(launch: Launch) -> None:
    ran = launch.get().status.desired_replicas
    launch.update(launch.rescaled(**FIXED, min_replicas=0))
    eventually("stopped", lambda: launch.get().status.reason == "ScaledToZero")
    launch.update(replace(launch.rescaled(**AUTOSCALED), resume_at=ran))


TRANSITIONS = (
    Transition(
        name="fixed to autoscaled",
        start={"min_replicas": 3},
        before=3,
        after=3,
        change=_rescale(AUTOSCALED),
    ),
    Transition(
        name="autoscaled to fixed",
        start=AUTOSCALED,
        before=4,
        after=3,
        change=_rescale(FIXED, min_replicas=3),
    ),
    Transition(
        name="higher minimum",
        start=AUTOSCALED,
        before=2,
        after=3,
        change=_rescale(AUTOSCALED, min_replicas=3),
        made=1,
    ),
    Transition(
        name="lower maximum",
        start=AUTOSCALED,
        before=4,
        after=3,
        change=_rescale(AUTOSCALED, max_replicas=3),
    ),
    Transition(
        name="another template, autoscaled",
        start=AUTOSCALED,
        before=4,
        after=4,
        change=_change_template,
        made=4,
    ),
    Transition(
        name="rollback, autoscaled",
        start=AUTOSCALED,
        before=4,
        after=4,
        change=_roll_back,
        made=None,
    ),
    Transition(
        name="stop and start, autoscaled",
        start=AUTOSCALED,
        before=4,
        after=4,
        change=_stop_and_start,
        made=4,
        stops=True,
    ),
    Transition(
        name="fixed to another number",
        start={"min_replicas": 2},
        before=2,
        after=4,
        change=_rescale(FIXED, min_replicas=4),
        made=2,
    ),
)
