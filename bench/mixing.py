"""What a full pass over 9,000 deployments costs, a third of each kind, beside one kind alone.

On a control plane of its own, where the kinds of other makers are known. One deployment of each
kind is launched and made ready by the stand-ins for their controllers; the others are its copies.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from bench.copies import KINDS, Sample, count_of, sample_of, write_copies
from bench.figures import Figure
from bench.kinds import carriers, foreign_kinds, open_schemas
from bench.passing import (
    FAILED_PODS,
    end_controllers,
    launch_until_ready,
    order_of,
    pages_of,
    wait_until_taken_up,
)
from bench.records import write_records
from bench.stage import NAMESPACE, Stage
from bench.whole_pass import Passed, do_again, do_pass, figures_of
from deployments.models import Cluster
from providers import registry
from providers.carrying.carrier import Carrier
from providers.contract.target import Connection
from providers.kube.resources import ENDPOINT_SLICES, SERVICES
from providers.testing.controllers.running import Aibrix, Kserve, working
from providers.workload.labels import LABEL_IMPLEMENTATION
from tests.cluster.cast import USUAL_NODES
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.installing import install

# Beside the one that is launched. That makes no whole pages: where a kind is read by label, a full
# last page would be followed by an empty one.
COPIES_OF_EACH = 3_000
CLUSTER = "nine-thousand"
# The same budget over what one kind costs; a StormService has 10 objects, a Deployment 7.
MOST_OVER_ONE_KIND = 1.4
# Read once in a pass, whatever is on the cluster.
_SHARED = ("pods", "horizontalpodautoscalers", "nodes", "namespaces", "resourcequotas")


def figures(stage: Stage, alone: Passed) -> Sequence[Figure]:
    """Return CPU, memory, calls and writes of a mixed pass, and its CPU over that of one kind."""
    with ControlPlane(stage.plane.binaries) as plane:
        samples = _launch_each(replace(stage, plane=plane))
        end_controllers(plane)
        _fill(plane, samples)
        number = len(samples) * (COPIES_OF_EACH + 1)
        first, again = do_pass(CLUSTER, number), do_again(CLUSTER, number)
        fewest = _fewest_calls(plane, samples)
    ratio = Figure(
        name="CPU of a mixed pass over that of one kind, by deployment",
        value=again.cpu_each / alone.cpu_each,
        bound=MOST_OVER_ONE_KIND,
        unit="",
        how=f"{again.cpu_each:.2f} ms over {alone.cpu_each:.2f} ms, both of this run",
    )
    words = f" over {number} of {len(samples)} kinds"
    return (*figures_of(first, again, fewest_calls=fewest, of=words), ratio)


def _launch_each(stage: Stage) -> Sequence[Sample]:
    """Launch one deployment of each kind, all ready and left in peace when this returns."""
    plane = stage.plane
    install(plane, open_schemas())
    for node in USUAL_NODES:
        plane.kubelet.add_node(node)
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}
    plane.api.create("/api/v1/namespaces", namespace)
    Cluster.objects.create(
        name=CLUSTER, kubeconfig=str(plane.kubeconfig), default_namespace=NAMESPACE
    )
    connection = Connection(kubeconfig=str(plane.kubeconfig))
    with working(Aibrix(connection), Kserve(connection)):
        return [_sample(stage, kind) for kind in registry.providers()]


def _sample(stage: Stage, kind: str) -> Sample:
    order = {
        **order_of(stage, f"mixed-{kind}"),
        "implementation": {"kind": kind},
        "target": {"cluster": CLUSTER, "namespace": NAMESPACE},
    }
    made = launch_until_ready(stage, order)
    return sample_of(stage.plane, made, kinds=(*KINDS, *foreign_kinds()))


def _fill(plane: ControlPlane, samples: Sequence[Sample]) -> None:
    """Write copies of each sample beside it."""
    cluster = Cluster.objects.get(name=CLUSTER)
    for sample in samples:
        write_records(sample, cluster, COPIES_OF_EACH)
        write_copies(plane, sample, COPIES_OF_EACH)
    wait_until_taken_up(plane, [kind.path for kind in (*KINDS, *foreign_kinds())])


def _fewest_calls(plane: ControlPlane, samples: Sequence[Sample]) -> int:
    """Return the pages of what is read once, and of what each provider reads of its own."""
    paths = {kind.plural: kind.path for kind in KINDS}
    shared = (count_of(plane, paths.get(name, f"/api/v1/{name}")) for name in _SHARED)
    own = (_own_pages(carrier, samples) for carrier in carriers())
    return FAILED_PODS + sum(map(pages_of, shared)) + sum(own)


def _own_pages(carrier: Carrier, samples: Sequence[Sample]) -> int:
    counts = Counter(
        kind.plural
        for sample in samples
        for kind, items in sample.objects.items()
        for item in items
        if item["metadata"]["labels"].get(LABEL_IMPLEMENTATION) == carrier.implementation
    )
    read = (*(kind.resource for kind in carrier.kinds), SERVICES, ENDPOINT_SLICES)
    return sum(pages_of(counts[kind.plural] * (COPIES_OF_EACH + 1)) for kind in read)
