"""A crashing engine on the simulated cluster, the whole way: detail, pass and list say why."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from providers.contract.target import Connection
from providers.kubernetes.provider import provider
from providers.observing.log_causes import forget_causes
from providers.sandbox.cluster import Cluster
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.server import serving
from providers.simulation.pod_life.pace import Pace
from providers.testing.samples import make_target, ref_of, spec_with
from providers.testing.stage import Stage, deadline

TOLD = "the KV cache is too small for max_model_len (lower engine_args.max_model_len"


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    forget_causes()
    namespace = f"test-{uuid.uuid4().hex[:8]}"
    cluster = Cluster(pace=Pace(pull_seconds=0.01, load_seconds=0.02, back_off_scale=0.01))
    cluster.create({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "cpu-1"}})
    cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
    with serving(cluster, token="a-token") as server:
        path = write_kubeconfig(tmp_path / "kubeconfig", url=server.url, namespace=namespace)
        target = make_target(
            key=str(tmp_path),
            connection=Connection(kubeconfig=str(path)),
            default_namespace=namespace,
            namespaces=(namespace,),
        )
        yield Stage(
            provider=provider,
            target=target,
            silent=target,
            namespace=namespace,
            remove_outside=lambda _: None,
        )


def test_detail_small_pass_and_full_pass_say_why_an_engine_keeps_ending(stage: Stage) -> None:
    engine = {"env": {"SLIPWAY_SIMULATE": "crash"}}
    request = stage.request(spec=spec_with(engine=engine))
    applied = stage.create(request)
    seen = stage.until(request, applied, lambda one: one.status.reason == "CrashLoop")
    seen = stage.until(request, applied, lambda one: TOLD in one.status.message)
    cause = seen.status.evidence[1]
    assert (cause.reason, cause.row) == ("KvCacheTooSmall", 15)
    assert cause.message.startswith("the log says: ValueError: No available memory for the cache")

    ref = ref_of(request, applied)
    [several] = provider.get_several([ref], stage.target, deadline=deadline()).values()
    assert TOLD in several.status.message
    assert provider.door is not None
    shared = provider.door.read_shared(
        stage.target, with_events_of=(stage.namespace,), deadline=deadline()
    )
    listed = provider.list(stage.target, [ref], shared, deadline=deadline())
    assert TOLD in listed.observations[request.id].status.message
