"""The walk of a cluster that answers, but not for one kind of two: what becomes of either."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User

from deployments.models import Cluster, Deployment
from deployments.selectors import seen_at
from deployments.services.launching import create_deployment
from deployments.services.moving import refresh_moving
from deployments.services.orders import read_order
from deployments.services.refreshing import refresh_cluster
from providers.sandbox.faults import Fault
from providers.testing.samples import spec_with
from templates_app import services
from templates_app.entries import parse_model, parse_template
from tests.faults.place import Place

PLURALS: Mapping[str, str] = {"k8s-deployment": "deployments", "stormservice": "stormservices"}
HOW: Mapping[str, Mapping[str, object]] = {
    "500": {"status": 500},
    "hangs up": {"drop": True},
    "garbage": {"truncate": 20},
    "hangs": {"latency": 12.0},
}


@dataclass(frozen=True, kw_only=True)
class TwoKinds:
    """A cluster with one deployment of each kind, which both change as soon as time passes."""

    place: Place
    cluster: Cluster
    rows: Mapping[str, Deployment]

    def break_off(self, kind: str, how: Mapping[str, object]) -> None:
        """Let the lists of one kind fail from now on."""
        self.place.fail(Fault(verb="list", resource=PLURALS[kind], **how))  # type: ignore[arg-type]

    def verdict(self, kind: str) -> Sequence[object]:
        row = self._row(kind)
        return (row.phase, row.reason, row.observed_at)

    def seen_at(self, kind: str) -> datetime | None:
        return seen_at(self._row(kind))

    def _row(self, kind: str) -> Deployment:
        return Deployment.objects.select_related("cluster").get(pk=self.rows[kind].pk)


def launch_two(place: Place, cluster: Cluster, user: User) -> TwoKinds:
    """Launch one deployment of each kind."""
    model = services.create_model(parse_model({"id": "qwen", "name": "Qwen"}), by=None)
    spec = spec_with(engine={"env": {"SLIPWAY_SIMULATE": "slow-load:8"}})
    entry = parse_template(name="mock", version="1.0.0", spec=spec)
    template = services.activate_template(services.create_template(model, entry, by=None), by=None)
    rows = {}
    for kind in PLURALS:
        order = {
            "name": f"by {kind}",
            "template": {"template_id": str(template.pk)},
            "implementation": {"kind": kind},
            "target": {"cluster": cluster.name, "namespace": place.namespace},
        }
        rows[kind] = create_deployment(read_order(order), user=user)
    return TwoKinds(place=place, cluster=cluster, rows=rows)


def walk_with_one_broken(two: TwoKinds, broken: str, how: str) -> None:
    """Break a kind: it stays as known last and says why, while the other is read, in every pass."""
    [other] = PLURALS.keys() - {broken}
    refresh_cluster(two.cluster)
    known, seen, before = two.verdict(broken), two.seen_at(broken), two.verdict(other)
    two.break_off(broken, HOW[how])
    two.place.let_pass(60)

    report = refresh_cluster(two.cluster)

    assert report.ok, report
    assert [problem.partition(":")[0] for problem in report.problems] == [broken]
    assert two.verdict(other) != before
    _assert_known_last(two, broken, known, seen)

    moving = refresh_moving(two.cluster)

    assert moving.ok, moving
    two.cluster.refresh_from_db()
    assert two.cluster.last_moving_pass_at is not None
    _assert_known_last(two, broken, known, seen)

    two.place.fail()
    assert refresh_cluster(two.cluster).problems == ()
    assert two.verdict(broken) != known
    two.cluster.refresh_from_db()
    assert (two.cluster.unread_kinds, two.cluster.last_error) == ({}, "")


def _assert_known_last(
    two: TwoKinds, broken: str, known: Sequence[object], seen: datetime | None
) -> None:
    two.cluster.refresh_from_db()
    assert (two.cluster.reachable, two.cluster.failed_passes) == (True, 0)
    assert two.cluster.last_error.startswith(f"{broken} could not be read: ")
    assert two.verdict(broken) == known
    assert two.seen_at(broken) == seen
