"""What scenes on a node that nobody tends begin with."""

from providers.contract.manifest import Manifest
from tests.cluster.recording.nodes import bound_pods, quiet_node
from tests.cluster.recording.pen import Pen, running
from tests.cluster.recording.stage import OWN, Stage


def launched(stage: Stage) -> tuple[Pen, Manifest]:
    """Launch one replica; return its pod, of which nobody has said anything yet."""
    pen = quiet_node(stage)
    stage.create(**OWN)
    [pod] = bound_pods(stage)
    return pen, pod


def healthy(stage: Stage) -> tuple[Pen, Manifest]:
    pen, pod = launched(stage)
    pen.write(pod, running(ready=True, since=1))
    stage.ready()
    return pen, pod
