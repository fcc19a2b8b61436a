"""Recordings played anew on a cluster: what was asked, what was done then, and what came of it.

Many at once, each in a namespace of its own; what comes of them is told by watches, so that what
stood for a moment only is seen as well.
"""

import threading
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from time import monotonic

from providers.contract.manifest import Manifest
from tests.cluster.cast import GPU_PRODUCT
from tests.cluster.following import Following
from tests.cluster.harness.api import Api, path_of
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.kubelet.nodes import gpu_node
from tests.cluster.launching import NEVER, wait_for_quota
from tests.cluster.namespaces import new_namespace, remove_namespace
from tests.cluster.recorded import WORKLOADS, asked, collection, essence, seen
from tests.cluster.waiting import wait_for

WAIT_SECONDS = 180.0
EVERY_SECONDS = 0.2
MORE_NODES = 6  # of the same size: what fits on none fits on none still
SAMPLED = ("RoleSet", "PodSet", "Pod", "Event")
SIMULATE = "slipway.dev/simulate"


@dataclass(kw_only=True)
class Chronicle:
    """What there is of some kinds in each namespace, and every version that there was."""

    kinds: Sequence[Manifest]
    _there: dict[str, dict[tuple[str, str], Manifest]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    _ever: dict[str, list[Manifest]] = field(default_factory=lambda: defaultdict(list))
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def take(self, event: str, one: Manifest) -> None:
        metadata = one["metadata"]
        key, place = (one["kind"], metadata["name"]), metadata["namespace"]
        with self._changed:
            self._ever[place].append(one)
            self._there[place][key] = one
            if event == "DELETED":
                del self._there[place][key]
            self._changed.notify_all()

    def there(self, namespace: str) -> list[Manifest]:
        with self._changed:
            return list(self._there[namespace].values())

    def ever(self, namespace: str) -> list[Manifest]:
        with self._changed:
            return list(self._ever[namespace])

    def wait_for_more(self, namespace: str, known: int, seconds: float) -> int:
        """Wait until there were more versions than so many; returns how many there were."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._ever[namespace]) > known, seconds)
            return len(self._ever[namespace])

    @contextmanager
    def followed(self, plane: ControlPlane) -> Iterator[None]:
        with ExitStack() as stack:
            for kind in self.kinds:
                path = collection({**kind, "metadata": {"namespace": ""}}).replace(
                    "namespaces//", ""
                )
                following = _Glimpses(api=plane.api, path=path, selector={}, take=self.take)
                following.begin()
                stack.callback(following.end)
            yield


class _Glimpses(Following):
    """What comes when all courses are over is looked at by nobody, and comes without an end."""

    def _is_level(self) -> bool:
        return True


@dataclass(frozen=True, kw_only=True, slots=True)
class Stage:
    """One recording, played in a namespace; `is_settled` tells so of what is there."""

    plane: ControlPlane
    chronicle: Chronicle
    namespace: str
    told: Sequence[Manifest]
    is_settled: Callable[[Sequence[Manifest]], bool]

    def launch(self, before: Callable[[Manifest], None] | None = None, *, word: str = "") -> None:
        """Create what people had applied; `before` makes of the workload what it was first."""
        for body in asked(self.told, self.namespace, word=word):
            if before and body["kind"] in WORKLOADS:
                before(body)
            self.create(body)

    def become(self, change: Callable[[Manifest], None] | None = None, *, word: str = "") -> None:
        """Make the workload what it was recorded as, or another change of that."""
        wanted = next(one for one in self._asked(word) if one["kind"] in WORKLOADS)
        if change:
            change(wanted)
        metadata = {"annotations": wanted["metadata"].get("annotations")}
        self.plane.api.merge(self.path, {"metadata": metadata, "spec": wanted["spec"]})

    def settle(self) -> None:
        """Wait until the workload says of its present spec that it is well."""
        generation = self.plane.api.get(self.path)["metadata"]["generation"]
        self.wait(lambda: self._has_settled(generation), "the workload has settled")

    def wait(self, predicate: Callable[[], object], what: str) -> None:
        wait_for(predicate, WAIT_SECONDS, f"{self.path}: {what}", every=EVERY_SECONDS)

    def create(self, body: Manifest) -> None:
        """Create an object; a quota is in force when this returns."""
        if body["kind"] == "ResourceQuota":
            self._create_quota(body)
        else:
            self.plane.api.create(collection(body), body)

    def _create_quota(self, body: Manifest) -> None:
        api, limits = self.plane.api, {**body["spec"]["hard"], NEVER: "0"}
        made = api.create(collection(body), {**body, "spec": {"hard": limits}})
        self.wait(lambda: _told_of(api, made).get("hard"), "the quota is counted")
        # Its controller learns of new kinds every few minutes only; admission counts them on.
        uncounted = limits.keys() - _told_of(api, made).get("used", {}).keys()
        used = dict.fromkeys(uncounted, "0")
        api.merge(f"{path_of(body)}/status", {"status": {"used": used}})
        wait_for_quota(api, self.namespace)

    def create_recorded(self, kind: str) -> None:
        """Create what another controller had made, as it was recorded."""
        (one,) = (deepcopy(one) for one in self.told if one["kind"] == kind)
        named = {"name": one["metadata"]["name"], "namespace": self.namespace}
        self.create({**one, "metadata": named})

    def simulate(self, word: str) -> None:
        """Let every pod that is made from now on be of this word."""
        body = {"metadata": {"annotations": {SIMULATE: word}}}
        self.plane.api.merge(f"/api/v1/namespaces/{self.namespace}", body)

    def lose(self, kind: Manifest) -> None:
        """Delete the last object of a kind by hand."""
        *_, last = seen(self.plane.api, self.namespace, [kind])
        self.plane.api.delete(path_of(last))

    def delete(self, policy: str) -> None:
        """Delete the workload."""
        self.plane.api.delete(self.path, {"propagationPolicy": policy})

    def there(self) -> list[Manifest]:
        return self.chronicle.there(self.namespace)

    @property
    def path(self) -> str:
        (one,) = (one for one in self.told if one["kind"] in WORKLOADS)
        return path_of({**one, "metadata": {**one["metadata"], "namespace": self.namespace}})

    def _asked(self, word: str) -> Iterable[Manifest]:
        return asked(self.told, self.namespace, word=word)

    def _has_settled(self, generation: int) -> bool:
        there = self.there()
        seen = [one["metadata"]["generation"] for one in there if one["kind"] in WORKLOADS]
        return seen != [] and seen[0] >= generation and self.is_settled(there)


@dataclass(frozen=True, kw_only=True, slots=True)
class Course:
    """What was done before a recording was made, and how what comes of it is compared."""

    steps: Callable[[Stage], None]
    differences: Callable[[Stage], list[str]]


def left(stage: Stage) -> list[str]:
    """Return what is missing of a recording, and what there is beyond it.

    Where only samples of a kind were kept, nothing is beyond: their workload counts them.
    """
    there = stage.there()
    wanted, found = set(_lines(stage, stage.told)), set(_lines(stage, there))
    sampled = tuple(
        f'["{kind}"' for kind in SAMPLED if _count(stage.told, kind) < _count(there, kind)
    )
    beyond = [line for line in found - wanted if not line.startswith(sampled)]
    return sorted(
        [f"missing {line}" for line in wanted - found] + [f"beyond {line}" for line in beyond]
    )


def _told_of(api: Api, one: Manifest) -> Manifest:
    status: Manifest = api.get(path_of(one)).get("status") or {}
    return status


def _count(objects: Sequence[Manifest], kind: str) -> int:
    return sum(one["kind"] == kind for one in objects)


def passed(stage: Stage) -> list[str]:
    """Return what never was, of what was recorded at one moment."""
    missing = set(_lines(stage, stage.told)) - set(
        _lines(stage, stage.chronicle.ever(stage.namespace))
    )
    return [f"never {line}" for line in sorted(missing)]


def _lines(stage: Stage, objects: Sequence[Manifest]) -> list[str]:
    kinds = {kind["kind"] for kind in stage.chronicle.kinds}
    return essence([one for one in objects if one["kind"] in kinds])


def play(
    plane: ControlPlane,
    chronicle: Chronicle,
    courses: Mapping[str, Course],
    stage_of: Callable[[str, str], Stage],
) -> Mapping[str, Future[list[str]]]:
    """Play all courses at once; returns of each what differed in the end, or why it broke off."""
    names = {case: f"test-{uuid.uuid4().hex[:8]}" for case in courses}
    for index in range(MORE_NODES):
        plane.kubelet.add_node(gpu_node(f"more-{index}", product=GPU_PRODUCT))
    with chronicle.followed(plane), ThreadPoolExecutor(max_workers=len(courses)) as pool:
        for name in names.values():
            new_namespace(plane.api, name)
        found = {
            case: pool.submit(_play, course, stage_of(case, names[case]))
            for case, course in courses.items()
        }
        wait(found.values())
        for name in names.values():
            remove_namespace(plane.api, name)
    for index in range(MORE_NODES):
        plane.kubelet.remove_node(f"more-{index}")
    return found


def _play(course: Course, stage: Stage) -> list[str]:
    course.steps(stage)
    return at_last(stage, course.differences)


def at_last(stage: Stage, differences: Callable[[Stage], list[str]]) -> list[str]:
    """Return what differs: nothing as soon as nothing does, after a long time whatever does."""
    deadline, known = monotonic() + WAIT_SECONDS, 0
    while (found := differences(stage)) and (seconds := deadline - monotonic()) > 0:
        known = stage.chronicle.wait_for_more(stage.namespace, known, seconds)
    return found
