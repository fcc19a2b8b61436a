"""Launches, changes and deletes over the API, each counted, and halted where that is ordered."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils import timezone

from deployments.models import Cluster, Deployment, IdempotencyKey
from tests.cluster.waiting import wait_for
from tests.processes.conftest import Order
from tests.processes.console import Answer, Console, Records
from tests.processes.killing.effects import Halt, Record, Side
from tests.processes.world import is_settled, unsettled

SETTLING_SECONDS = 300.0
A_CHANGE = {"overrides": {"enable_multi_lora": True, "max_replicas": 3}}
NO_ANSWER, OK, CREATED, ACCEPTED, CONFLICT = 0, 200, 201, 202, 409


@dataclass(frozen=True, kw_only=True)
class Launcher:
    """A person with a console that runs."""

    console: Console
    records: Records
    order: Order

    def launch(self, name: str, halt: Halt | None = None, *, record: str = "") -> Answer:
        """Launch under a name, which is the key of the request and the name of its record too."""
        headers = {"Idempotency-Key": name} | self.records.headers(record or name, halt)
        return self.console.call("POST", "deployments", self.order(name), headers=headers)

    def delete(self, name: str, halt: Halt | None = None) -> Answer:
        """Delete what is open under a name."""
        own_id = Deployment.objects.open().get(name=name).pk
        headers = self.records.headers(f"{name}-delete", halt)
        return self.console.call("DELETE", f"deployments/{own_id}", headers=headers)

    def change(
        self,
        name: str,
        body: object,
        halt: Halt | None = None,
        *,
        key: str = "",
        record: str = "",
    ) -> Answer:
        """Change what is open under a name; a rollback is a body with a revision."""
        own_id = Deployment.objects.open().get(name=name).pk
        headers = self.records.headers(record or f"{name}-change", halt)
        headers |= {"Idempotency-Key": key} if key else {}
        is_rollback = isinstance(body, Mapping) and "revision" in body
        method, path = ("POST", "/rollback") if is_rollback else ("PATCH", "")
        return self.console.call(method, f"deployments/{own_id}{path}", body, headers=headers)

    def put_back(self, name: str, digest: str, halt: Halt | None = None) -> Answer:
        """Put back what others changed of what is open under a name, as it was looked at."""
        own_id = Deployment.objects.open().get(name=name).pk
        headers = self.records.headers(f"{name}-put-back", halt)
        path = f"deployments/{own_id}/drift/put-back"
        return self.console.call("POST", path, {"digest": digest}, headers=headers)

    def preview(self, name: str) -> Answer:
        """Ask what a launch under a name would do: a conflict where it is taken."""
        return self.console.call("POST", "deployments/preview", self.order(name))

    def leave_work(self, suffix: str) -> None:
        """Leave a launch, a change and a deletion behind that are stored and nothing more."""
        stored = killed_after(self.records.read("counted"), "INSERT deployments_deployment,")
        assert self.launch(f"launched-{suffix}", stored).status == NO_ANSWER
        assert self.launch(f"changed-{suffix}").status == CREATED
        wanted = killed_after(self.records.read("counted-change"), "INSERT deployments_revision")
        assert self.change(f"changed-{suffix}", A_CHANGE, wanted).status == NO_ANSWER
        assert self.launch(f"deleted-{suffix}").status == CREATED
        wished = killed_after(self.records.read("counted-delete"), "INSERT deployments_operation")
        assert self.delete(f"deleted-{suffix}", wished).status == NO_ANSWER
        a_minute_passes()


def killed_after(record: Record, what: str) -> Halt:
    """Return the order to die right after an effect."""
    after = [step for step in record.steps if step.point.side is Side.AFTER]
    return Halt(at=next(step.point for step in after if what in step.what))


def a_minute_passes() -> None:
    """Let what a dead process held run out, without waiting for it."""
    now = timezone.now()
    Deployment.objects.exclude(lease_until=None).update(lease_until=now)
    Cluster.objects.exclude(lease_until=None).update(lease_until=now)
    IdempotencyKey.objects.filter(status=None).update(taken_until=now)


def settle(console: Console) -> None:
    """Make passes until everything has come to rest: leases of the dead run out by time."""

    def has_settled() -> bool:
        console.refresh()
        return is_settled()

    try:
        wait_for(has_settled, SETTLING_SECONDS, "everything at rest", every=1.0)
    except AssertionError as error:
        raise AssertionError(f"{error}: {unsettled()}") from error
