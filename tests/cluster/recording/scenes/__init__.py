"""The scenes, by what they are about; each leaves one case or more."""

from tests.cluster.recording.scenes import (
    ends_written,
    existence,
    faults_of_pods,
    faults_written,
    refusals,
    scaling,
    scheduling,
    traffic,
)
from tests.cluster.recording.scenes.scene import Scene

SCENES: tuple[Scene, ...] = (
    *existence.SCENES,
    *refusals.SCENES,
    *scheduling.SCENES,
    *faults_of_pods.SCENES,
    *faults_written.SCENES,
    *ends_written.SCENES,
    *scaling.SCENES,
    *traffic.SCENES,
)

__all__ = ["SCENES", "Scene"]
