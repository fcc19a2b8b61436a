"""People, two web processes, two workers, the clock and a command, all at the same deployments.

Whoever comes first, in the end database and cluster tell one story, and the trail tells it all.
"""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from deployments.models import AuditEntry, Deployment
from tests.cluster.harness.api import Api
from tests.cluster.waiting import wait_for
from tests.processes.conftest import Order
from tests.processes.console import Console
from tests.processes.launcher import ACCEPTED, CONFLICT, CREATED, OK, SETTLING_SECONDS
from tests.processes.world import faults_left, is_settled

NAMES = ("shared-0", "shared-1")
PEOPLE, ROUNDS, PASSES = 4, 6, 12


@dataclass
class Crowd:
    """People who launch, read and delete the same few names; `told` is what they were answered."""

    console: Console
    order: Order
    told: Counter[tuple[str, int]] = field(default_factory=Counter)
    launched: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def act(self, who: int) -> None:
        """Do so many rounds, each beginning with another name than one's neighbour."""
        for number in range(ROUNDS):
            name = NAMES[(who + number) % len(NAMES)]
            self._launch(name)
            for own_id in self._open(name):
                self._ask("GET", own_id)
                if number % 2:
                    self._delete(own_id)

    def _launch(self, name: str) -> None:
        answer = self.console.call("POST", "deployments", self.order(name))
        with self._lock:
            self.told["POST", answer.status] += 1
            if answer.status == CREATED:
                self.launched.add(answer.body["id"])

    def _open(self, name: str) -> list[str]:
        rows = self.console.call("GET", "deployments").body["deployments"]
        return [row["id"] for row in rows if row["name"] == name]

    def _ask(self, method: str, own_id: str) -> int:
        status = self.console.call(method, f"deployments/{own_id}").status
        with self._lock:
            self.told[method, status] += 1
        return status

    def _delete(self, own_id: str) -> None:
        """Delete it and look until it is gone, which frees its name."""
        if self._ask("DELETE", own_id) in {OK, ACCEPTED}:
            with self._lock:
                self.deleted.add(own_id)
            path = f"deployments/{own_id}"
            wait_for(lambda: self._is_gone(path), SETTLING_SECONDS, f"{own_id} gone", every=0.3)

    def _is_gone(self, path: str) -> bool:
        return bool(self.console.call("GET", path).body["status"] == "Deleted")


def test_all_at_once_end_in_one_story(console: Console, cluster_api: Api, order: Order) -> None:
    console.start_web(workers=2, threads=4)
    console.start_background(workers=2)
    crowd = Crowd(console, order)

    with ThreadPoolExecutor(PEOPLE) as pool:
        busy = [pool.submit(crowd.act, who) for who in range(PEOPLE)]
        for _ in range(PASSES):
            console.refresh()
        for one in busy:
            one.result()
    wait_for(is_settled, SETTLING_SECONDS, "workers and clock have brought all to rest", every=0.5)

    assert faults_left(cluster_api, *NAMES) == []
    assert set(crowd.told) <= {
        ("POST", CREATED),
        ("POST", CONFLICT),
        ("GET", OK),
        ("DELETE", OK),
        ("DELETE", ACCEPTED),
    }
    assert crowd.launched == {str(pk) for pk in Deployment.objects.values_list("pk", flat=True)}
    assert crowd.deleted == {str(one.pk) for one in Deployment.objects.all() if one.is_closed}
    assert len(crowd.launched) > len(NAMES), "a name was free again, and was taken again"
    for verb, ids in (("create", crowd.launched), ("delete", crowd.deleted)):
        told = AuditEntry.objects.filter(action=f"deployment.{verb}", outcome="accepted")
        assert sorted(told.values_list("object_id", flat=True)) == sorted(ids)
    assert [
        name for name in ("web", "worker-0", "worker-1", "beat") if console.has_failed(name)
    ] == []
