"""One entry of `containerStatuses`, written from a frame."""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta

from providers.contract.manifest import Manifest
from providers.simulation.pod_life.conditions import timestamp
from providers.simulation.pod_life.moments import Frame, State


@dataclass(frozen=True, kw_only=True, slots=True)
class Scribe:
    """Writes the containers of one pod; `epoch` is the time that frames count from."""

    pod_uid: str
    epoch: datetime

    def container_status(self, container: Manifest, frame: Frame) -> Manifest:
        """Return what the API shows for a container in this frame."""
        ran = frame.state is not State.WAITING or frame.last is not None
        status: Manifest = {
            "name": container["name"],
            "image": container.get("image") or "",
            "imageID": image_id(container.get("image") or "") if ran else "",
            "ready": frame.ready,
            "started": frame.started,
            "restartCount": frame.restarts,
            "state": {frame.state.value: self._state(container, frame)},
            "lastState": {},
        }
        if frame.last:
            status["lastState"] = {State.TERMINATED.value: self._state(container, frame.last)}
        if ran:
            status["containerID"] = self._container_id(container, frame.restarts)
        return status

    def _state(self, container: Manifest, frame: Frame) -> Manifest:
        if frame.state is State.RUNNING:
            return {"startedAt": self._time(frame.began)}
        told = {"reason": frame.reason, "message": frame.message}
        words: Manifest = {name: text for name, text in told.items() if text}
        if frame.state is State.WAITING:
            return words
        return words | {
            "exitCode": frame.exit_code,
            "startedAt": self._time(frame.began),
            "finishedAt": self._time(frame.at),
            "containerID": self._container_id(container, frame.restarts),
        }

    def _time(self, seconds: float) -> str:
        return timestamp(self.epoch + timedelta(seconds=seconds))

    def _container_id(self, container: Manifest, restarts: int) -> str:
        return "containerd://" + _sha256(f"{self.pod_uid}/{container['name']}/{restarts}")


def image_id(image: str) -> str:
    """Return a digest reference for an image; the same image has always the same."""
    repository, _, tag = image.partition("@")[0].rpartition(":")
    named = image if not repository or "/" in tag else repository
    return f"{named.partition('@')[0]}@sha256:{_sha256(image)}"


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
