"""One full pass over clusters, printed; fails when one of them could not be read."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from deployments.models import Cluster
from deployments.services.clusters import synchronise_default_cluster
from deployments.services.heartbeat import beat
from deployments.services.idempotency import forget_expired_keys
from deployments.services.refreshing import refresh_cluster
from deployments.services.tracing import traced


class Command(BaseCommand):
    """`manage.py refresh [CLUSTER...]`: every enabled cluster unless some are named."""

    help = "Read every deployment of the clusters, and finish what was begun."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the names of clusters."""
        parser.add_argument("cluster", nargs="*", help="a cluster's name; all enabled ones if none")

    def handle(self, *_args: object, **options: list[str]) -> None:
        """Refresh one after the other; one that fails keeps none of the others from its turn."""
        with traced():
            beat()
            synchronise_default_cluster()
            forget_expired_keys()
            reports = [refresh_cluster(cluster) for cluster in self._clusters(options["cluster"])]
        for report in reports:
            self.stdout.write(str(report))
            for problem in report.problems:
                self.stdout.write(f"  {problem}")
        failed = [report.cluster for report in reports if not report.ok]
        if failed:
            raise CommandError(f"could not read {', '.join(failed)}")

    def _clusters(self, names: list[str]) -> list[Cluster]:
        if not names:
            return list(Cluster.objects.enabled().default_first())
        found = {name: Cluster.objects.filter(name=name).first() for name in names}
        unknown = [name for name, cluster in found.items() if cluster is None]
        if unknown:
            raise CommandError(f"there is no cluster {', '.join(unknown)}")
        return [cluster for cluster in found.values() if cluster is not None]
