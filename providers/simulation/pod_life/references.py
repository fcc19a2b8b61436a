"""What a pod refers to and a kubelet must find: secrets and config maps, and its words when one is
missing.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from providers.contract.manifest import Manifest


@dataclass(frozen=True, kw_only=True, slots=True)
class Reference:
    """One needed object, or one `key` of it; `volume` is set where a volume needs it."""

    kind: str
    name: str
    key: str = ""
    container: str = ""
    volume: str = ""

    def problem(self, namespace: str, data: Manifest | None) -> str | None:
        """Return the kubelet's words when the object (its data, None: absent) does not serve."""
        if data is None:
            return f'{self.kind.lower()} "{self.name}" not found'
        if self.key and self.key not in data:
            return f"couldn't find key {self.key} in {self.kind} {namespace}/{self.name}"
        return None


@dataclass(frozen=True, kw_only=True, slots=True)
class Problems:
    """What is missing: words by container, and words of volumes that cannot be mounted."""

    by_container: Manifest
    volumes: tuple[str, ...]

    def __bool__(self) -> bool:
        """Tell whether anything is missing."""
        return bool(self.by_container or self.volumes)


def references_of(pod: Manifest) -> tuple[Reference, ...]:
    """Return every secret and config map without which the pod cannot start."""
    spec = pod["spec"]
    containers = [*(spec.get("initContainers") or []), *spec["containers"]]
    needed = [reference for container in containers for reference in _of_container(container)]
    return (
        *needed,
        *(reference for volume in spec.get("volumes") or [] for reference in _of_volume(volume)),
    )


def problems_of(pod: Manifest, data_of: Callable[[str, str], Manifest | None]) -> Problems:
    """Return what is missing; `data_of(kind, name)` reads one object, None is absent."""
    namespace = pod["metadata"]["namespace"]
    by_container: Manifest = {}
    volumes = []
    for reference in references_of(pod):
        problem = reference.problem(namespace, data_of(reference.kind, reference.name))
        if problem and reference.volume:
            volumes.append(f'MountVolume.SetUp failed for volume "{reference.volume}" : {problem}')
        elif problem:
            by_container.setdefault(reference.container, problem)
    return Problems(by_container=by_container, volumes=tuple(volumes))


def _of_container(container: Manifest) -> Iterator[Reference]:
    for source in container.get("envFrom") or []:
        yield from _named(source, "secretRef", "Secret", container)
        yield from _named(source, "configMapRef", "ConfigMap", container)
    for variable in container.get("env") or []:
        source = variable.get("valueFrom") or {}
        yield from _named(source, "secretKeyRef", "Secret", container)
        yield from _named(source, "configMapKeyRef", "ConfigMap", container)


def _named(source: Manifest, field: str, kind: str, container: Manifest) -> Iterator[Reference]:
    wanted = source.get(field)
    if wanted and not wanted.get("optional"):
        yield Reference(
            kind=kind, name=wanted["name"], key=wanted.get("key") or "", container=container["name"]
        )


def _of_volume(volume: Manifest) -> Iterator[Reference]:
    secret, config = volume.get("secret") or {}, volume.get("configMap") or {}
    if secret.get("secretName") and not secret.get("optional"):
        yield Reference(kind="Secret", name=secret["secretName"], volume=volume["name"])
    if config.get("name") and not config.get("optional"):
        yield Reference(kind="ConfigMap", name=config["name"], volume=volume["name"])
