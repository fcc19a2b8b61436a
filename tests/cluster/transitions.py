"""Eight ways in which a running deployment changes, each counted from its beginning to its end.

Shared by the tests that prove that no replica is dropped and by the figures that tell it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tests.cluster.census import Census, Place
from tests.cluster.driving import Driver
from tests.cluster.launching import eventually

AUTOSCALED: Mapping[str, object] = {
    "enable_auto_scaling": True,
    "min_replicas": 2,
    "max_replicas": 5,
}
FIXED: Mapping[str, object] = {"enable_auto_scaling": False}
# An autoscaler looks every 15 s.
PASS_SECONDS = 90.0


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
    change: Callable[[Driver], None]
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
    door: str
    census: Census
    made: int

    @property
    def dropped(self) -> int:
        """Return by how many replicas, wanted or ready, it fell short at any moment."""
        fewest = min(self.census.fewest_wanted, self.census.fewest_ready)
        return max(0, self.transition.floor - fewest)

    @property
    def line(self) -> str:
        """Return one row of the table: name, door, bound, and what was seen."""
        census, steps = self.census, " > ".join(str(number) for number in self.census.steps)
        return _row(
            self.transition.name,
            self.door,
            self.transition.floor,
            census.fewest_wanted,
            census.fewest_ready,
            self.made,
            len(census.samples),
            round(census.samples_a_second),
            steps,
        )


WIDTHS = (29, 9, 5, 6, 5, 4, 7, 3)
HEADS = ("transition", "by", "floor", "wanted", "ready", "made", "samples", "/s", "stored")


def _row(*cells: object) -> str:
    """Return the cells below one another's, the last one as wide as it is."""
    *fixed, last = cells
    columns = zip(fixed, WIDTHS, strict=True)
    return " ".join([*(f"{cell!s:<{width}}" for cell, width in columns), str(last)])


def table_of(counted: Sequence[Counted]) -> list[str]:
    """Return the lines of the table: fewest replicas wanted and ready, pods made, samples."""
    return [_row(*HEADS), *(found.line for found in counted)]


def count_transition(driver: Driver, transition: Transition) -> Counted:
    """Change what was just launched under a census, and wait for the end of it."""
    least = transition.start["min_replicas"]
    assert isinstance(least, int)
    driver.wait_until_ready(least)
    if transition.before != least:
        scale_outside(driver.place, transition.before)
        driver.wait_until_ready(transition.before)
    with Census(place=driver.place) as census:
        there = set(census.names)
        transition.change(driver)
        _wait_for(driver, transition.after)
        census.linger()
    made = len(census.names - there)
    return Counted(transition=transition, door=driver.door, census=census, made=made)


def scale_outside(place: Place, replicas: int) -> None:
    """Scale as an autoscaler or a person does: through the scale subresource."""
    body = {"spec": {"replicas": replicas}}
    place.api.merge(f"{place.deployment_path}/scale", body, fieldManager="somebody")


def _wait_for(driver: Driver, replicas: int) -> None:
    """Wait until that many replicas are wanted, which may take an autoscaler's pass, and ready."""
    place = driver.place
    eventually(
        f"{replicas} replicas are wanted",
        lambda: place.api.get(place.deployment_path)["spec"]["replicas"] == replicas,
        PASS_SECONDS,
    )
    driver.wait_until_ready(replicas)


def _rescale(overrides: Mapping[str, object], **more: object) -> Callable[[Driver], None]:
    return lambda driver: driver.rescale({**overrides, **more})


def _roll_back(driver: Driver) -> None:
    """Return to the first revision's pods right after the second one was written."""
    driver.change_template()
    driver.roll_back()


def _stop_and_start(driver: Driver) -> None:
    driver.stop()
    driver.wait_until_stopped()
    driver.start()


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
        change=lambda driver: driver.change_template(),
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
