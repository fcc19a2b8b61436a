"""Real workers over clusters of which some are black holes; prints what became of the others.

A process of its own, with the database and queue of a fresh machine: `python -m bench.black_holes`
prints one line of JSON, see `bench.outage`. Black holes take connections and answer nothing.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from providers.sandbox.cluster import Cluster as SimulatedCluster
from providers.sandbox.demo import fill
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.server import serving
from providers.testing.samples import spec_with
from tests.silent import silent_server

WELL, BLACK_HOLES = 18, 2
# As few as there are black holes: they could take all of them.
THREADS = 2
MOVING_SECONDS, FULL_SECONDS = 5, 30
# The first interval is that of the start, when nothing was read yet.
WATCHED_SECONDS = 4 * FULL_SECONDS
NAMESPACE = "models"
ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, kw_only=True, slots=True)
class Watched:
    """Ages in seconds; `oldest` is the worst of all well clusters, `tries` those at black holes."""

    oldest: float
    median_of_oldest: float
    started_within: float
    tries: int
    never_read: int
    deployments: int
    ready: int


def main() -> None:
    """Set up, watch, print."""
    with tempfile.TemporaryDirectory(prefix="slipway-bench-") as name, ExitStack() as running:
        folder = Path(name)
        _configure(folder)
        black = [running.enter_context(silent_server()) for _ in range(BLACK_HOLES)]
        well = [running.enter_context(_simulated(number)) for number in range(WELL)]
        _make_rows(folder, well, [f"http://{address}" for address in black])
        _launch_everywhere()
        began = time.monotonic()
        running.enter_context(_worker(folder))
        print(json.dumps(asdict(_watch(began))))


def _configure(folder: Path) -> None:
    for name in [name for name in os.environ if name.startswith(("K8S_", "SLIPWAY_"))]:
        del os.environ[name]
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    os.environ.update(
        DJANGO_SETTINGS_MODULE="console.settings",
        SLIPWAY_VAR=str(folder),
        SLIPWAY_MOVING_SECONDS=str(MOVING_SECONDS),
        SLIPWAY_REFRESH_SECONDS=str(FULL_SECONDS),
    )
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


@contextmanager
def _simulated(number: int) -> Iterator[str]:
    cluster = SimulatedCluster(usage=0)
    fill(cluster)
    with serving(cluster, token=f"bench-{number}") as server:
        yield server.url


def _make_rows(folder: Path, well: Sequence[str], black: Sequence[str]) -> None:
    from deployments.models import Cluster

    addresses = {f"well-{number}": url for number, url in enumerate(well)}
    addresses |= {f"black-hole-{number}": url for number, url in enumerate(black)}
    for name, url in addresses.items():
        kubeconfig = write_kubeconfig(folder / name / "kubeconfig", url=url, namespace=NAMESPACE)
        Cluster.objects.create(name=name, kubeconfig=str(kubeconfig), default_namespace=NAMESPACE)


def _launch_everywhere() -> None:
    """Launch one deployment on each cluster that answers, so that there is something moving."""
    from django.contrib.auth.models import Group, User

    from bench.people import make_template
    from deployments.models import Cluster
    from deployments.services.launching import create_deployment
    from deployments.services.orders import read_order

    user = User.objects.create_user("bench")
    user.groups.add(Group.objects.get_or_create(name="deployer")[0])
    template = make_template("bench", spec_with())
    for name in Cluster.objects.filter(name__startswith="well").values_list("name", flat=True):
        order: Mapping[str, object] = {
            "name": "demo",
            "template": template,
            "target": {"cluster": name, "namespace": NAMESPACE},
        }
        create_deployment(read_order(order), user=user)


@contextmanager
def _worker(folder: Path) -> Iterator[None]:
    """Run worker and clock as `manage.py start` does, with fewer threads."""
    celery = str(Path(sys.executable).parent / "celery")
    command = [celery, "--app", "console.celery", "--quiet", "worker", "--beat"]
    command += ["--pool", "threads", "--concurrency", str(THREADS), "--loglevel", "warning"]
    command += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    with (folder / "worker.log").open("w") as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)  # noqa: S603
        try:
            yield
        finally:
            process.terminate()
            process.wait(timeout=30)


def _watch(began: float) -> Watched:
    """Sample the ages of the well clusters, from their first pass on."""
    from deployments.models import Cluster, Deployment

    oldest: dict[str, float] = {}
    started = 0.0
    while time.monotonic() - began < WATCHED_SECONDS:
        ages = _ages()
        if not started and len(ages) == WELL:
            started = time.monotonic() - began
        for name, age in ages.items():
            oldest[name] = max(oldest.get(name, 0.0), age)
        time.sleep(0.5)
    black = Cluster.objects.filter(name__startswith="black-hole")
    worst = sorted(oldest.values())
    return Watched(
        oldest=max(worst, default=0.0),
        median_of_oldest=worst[len(worst) // 2] if worst else 0.0,
        started_within=started,
        tries=sum(black.values_list("failed_passes", flat=True)),
        never_read=WELL - len(oldest),
        deployments=Deployment.objects.count(),
        ready=Deployment.objects.filter(phase="Ready").count(),
    )


def _ages() -> dict[str, float]:
    from django.utils import timezone

    from deployments.models import Cluster

    now = timezone.now()
    rows = Cluster.objects.filter(name__startswith="well")
    return {row.name: (now - row.last_pass_at).total_seconds() for row in rows if row.last_pass_at}


if __name__ == "__main__":
    main()
