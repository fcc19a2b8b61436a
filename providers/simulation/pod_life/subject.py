"""Whom a timeline tells of: one container of one pod, and the pace of its kubelet."""

from dataclasses import dataclass

from providers.contract.manifest import Manifest
from providers.simulation.pod_life.moments import Happening
from providers.simulation.pod_life.pace import Pace


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """A container and its pod; `pod_title` is name_namespace(uid), as a kubelet logs it."""

    container: Manifest
    pod_title: str
    pod_ip: str
    pace: Pace
    init: bool = False
    restart_policy: str = "Always"

    @property
    def name(self) -> str:
        """The container's name."""
        return str(self.container["name"])

    @property
    def image(self) -> str:
        """The image as the pod names it."""
        return str(self.container.get("image") or "")

    def restarts_after(self, exit_code: int) -> bool:
        """Tell whether a run that ended so is followed by another one."""
        if self.init and exit_code == 0:
            return False
        return self.restart_policy == "Always" or (
            self.restart_policy == "OnFailure" and exit_code != 0
        )

    def tell(self, at: float, reason: str, message: str, kind: str = "Normal") -> Happening:
        """Return a happening of this container."""
        return Happening(
            at=at, reason=reason, message=message, type=kind, container=self.name, init=self.init
        )
