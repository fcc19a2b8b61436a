"""Decides which pods really run, and gives each its network, folders and containers."""

import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path

from providers.contract.manifest import Manifest
from providers.simulation.pod_life.log_reading import LogLine, LogQuery, number_of_run
from providers.simulation.pod_life.moments import Moment
from providers.simulation.pod_life.pace import Pace
from providers.simulation.pod_life.subject import Subject
from tests.cluster.harness.api import Api, namespaced
from tests.cluster.kubelet.processes.images import (
    CannotRun,
    LocalImage,
    command_of,
    environment_of,
)
from tests.cluster.kubelet.processes.life import Life
from tests.cluster.kubelet.processes.logbook import LogBook
from tests.cluster.kubelet.processes.network import PodNetwork, make_network
from tests.cluster.kubelet.processes.spawning import Place, spawn


class ProcessRuntime:
    """Runs the pods whose images stand on this machine; all other pods are left to be simulated."""

    def __init__(self, api: Api, images: Iterable[LocalImage], *, pace: Pace) -> None:
        self._api = api
        self._images = tuple(images)
        self._pace = pace

    def runs(self, pod: Manifest) -> bool:
        """Tell whether every container of a pod has an image here."""
        return all(self._image_of(container) for container in pod["spec"]["containers"])

    def prepare(self, pod: Manifest) -> "PodProcesses":
        """Return a pod that has its network and folders, and runs nothing yet.

        Raises CannotRun for what is not known here.
        """
        if pod["spec"].get("initContainers"):
            raise CannotRun("containers that run before others are not known here")
        folder = Path(tempfile.mkdtemp(prefix="slipway-pod-"))
        volumes = self._volumes(pod, folder)
        network = make_network()
        lives = [
            self._life(pod, container, network, folder, volumes)
            for container in pod["spec"]["containers"]
        ]
        return PodProcesses(network, folder, lives)

    def _life(
        self,
        pod: Manifest,
        container: Manifest,
        network: PodNetwork,
        folder: Path,
        volumes: Mapping[str, Path],
    ) -> Life:
        image = self._image_of(container)
        assert image
        metadata, name = pod["metadata"], container["name"]
        root = folder / "roots" / name
        root.mkdir(parents=True)
        mounts = {each["mountPath"]: volumes[each["name"]] for each in _mounts(container)}
        place = Place(
            namespace=network.name, root=root, mounts={image.mounted_at: image.folder, **mounts}
        )
        subject = Subject(
            container=container,
            pod_title=f"{metadata['name']}_{metadata['namespace']}({metadata['uid']})",
            pod_ip=network.address,
            pace=self._pace,
            restart_policy=pod["spec"].get("restartPolicy") or "Always",
        )
        return Life(
            subject,
            partial(spawn, place, command_of(image, container), environment_of(image, container)),
            LogBook(folder / "logs" / name),
            grace=float(pod["spec"].get("terminationGracePeriodSeconds") or 0),
        )

    def _image_of(self, container: Manifest) -> LocalImage | None:
        named = str(container.get("image") or "")
        return next((image for image in self._images if image.is_named_by(named)), None)

    def _volumes(self, pod: Manifest, folder: Path) -> Mapping[str, Path]:
        return {
            volume["name"]: self._volume(pod, volume, folder / "volumes" / volume["name"])
            for volume in pod["spec"].get("volumes") or []
        }

    def _volume(self, pod: Manifest, volume: Manifest, empty: Path) -> Path:
        if "emptyDir" in volume:
            empty.mkdir(parents=True)
            return empty
        if "persistentVolumeClaim" in volume:
            claim = volume["persistentVolumeClaim"]["claimName"]
            return self._claimed(pod["metadata"]["namespace"], claim)
        raise CannotRun(f"the volume {volume['name']} is of a kind that is not known here")

    def _claimed(self, namespace: str, claim: str) -> Path:
        bound = self._api.get(namespaced(namespace, "persistentvolumeclaims", claim))
        volume = self._api.get(f"/api/v1/persistentvolumes/{bound['spec']['volumeName']}")
        return Path(volume["spec"]["hostPath"]["path"])


class PodProcesses:
    """One pod that really runs."""

    def __init__(self, network: PodNetwork, folder: Path, lives: Iterable[Life]) -> None:
        self._network = network
        self._folder = folder
        self._lives = {life.subject.name: life for life in lives}

    @property
    def address(self) -> str:
        """The pod's IP."""
        return self._network.address

    @property
    def are_over(self) -> bool:
        """Tell whether every container has ended for good."""
        return all(life.is_over for life in self._lives.values())

    def begin(self, *, epoch: datetime, changed: Callable[[], None]) -> None:
        """Start every container; `changed` is called whenever something has happened."""
        for life in self._lives.values():
            life.begin(epoch=epoch, changed=changed)

    def process_id(self, container: str) -> int | None:
        """Return the number of a container's process, None where none runs."""
        return self._lives[container].process_id

    def moments(self) -> dict[str, tuple[Moment, ...]]:
        """Return what has happened to each container."""
        return {name: life.moments for name, life in self._lives.items()}

    def log_lines(self, pod: Manifest, query: LogQuery) -> list[LogLine]:
        """Return what a container printed in the run asked for; raises LogUnavailable."""
        run = number_of_run(pod, query)
        lines = self._lives[query.container].log.lines(run)
        return [line for line in lines if query.since is None or line.at >= query.since]

    def stop(self, grace: float) -> None:
        """Ask every container to end within some seconds."""
        for life in self._lives.values():
            life.stop(grace)

    def end(self) -> None:
        """End what still runs, and leave nothing behind."""
        for life in self._lives.values():
            life.end()
        self._network.remove()
        shutil.rmtree(self._folder, ignore_errors=True)


def _mounts(container: Manifest) -> list[Manifest]:
    mounts: list[Manifest] = container.get("volumeMounts") or []
    for mount in mounts:
        if "subPath" in mount:
            raise CannotRun(f"the mount {mount['mountPath']} is of a part of a volume")
    return mounts
