"""The same changes of a deployment by two doors: straight through its provider, or over the API."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from providers.contract.request import DeployRequest
from tests.cluster.census import Place, place_of
from tests.cluster.harness.api import Api
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import Launch, eventually, launch_in

Call = Callable[[str, str, object], Any]
READY_SECONDS = 90.0


class Driver(Protocol):
    """One deployment that runs already, and the ways in which it may be changed by a door."""

    door: str
    place: Place

    def rescale(self, overrides: Mapping[str, object]) -> None:
        """Give other replicas, all else as it is."""

    def change_template(self) -> None:
        """Give the pods something else to run."""

    def roll_back(self) -> None:
        """Return to what the pods ran at first."""

    def stop(self) -> None:
        """Scale to nothing."""

    def start(self) -> None:
        """Start what was stopped."""

    def wait_until_ready(self, replicas: int) -> None:
        """Wait until that many replicas are wanted and ready, and no others are there."""

    def wait_until_stopped(self) -> None:
        """Wait until none is there."""


@dataclass(kw_only=True)
class ProviderDriver:
    """Changes through the provider alone."""

    launch: Launch
    overrides: dict[str, object]
    door: str = "provider"
    ran: int = 0
    place: Place = field(init=False)
    _first: DeployRequest = field(init=False)

    def __post_init__(self) -> None:
        self.place, self._first = place_of(self.launch), self.launch.request

    def rescale(self, overrides: Mapping[str, object]) -> None:
        self.overrides |= overrides
        self.launch.update(self.launch.rescaled(**self.overrides))

    def change_template(self) -> None:
        self.launch.update(self.launch.with_env(COLOUR="blue"))

    def roll_back(self) -> None:
        self.launch.update(replace(self._first, revision=self.launch.request.revision + 1))

    def stop(self) -> None:
        self.ran = self.launch.get().status.desired_replicas
        self.launch.update(self.launch.rescaled(min_replicas=0, enable_auto_scaling=False))

    def start(self) -> None:
        running = self.launch.rescaled(**self.overrides)
        self.launch.update(replace(running, resume_at=self.ran))

    def wait_until_ready(self, replicas: int) -> None:
        self.launch.wait_until_ready(replicas)

    def wait_until_stopped(self) -> None:
        eventually("stopped", lambda: self.launch.get().status.reason == "ScaledToZero")


@dataclass(kw_only=True)
class ApiDriver:
    """Changes by requests to the console; `call` takes method, path below `/api/v1/` and body."""

    call: Call
    place: Place
    door: str = "API"

    def rescale(self, overrides: Mapping[str, object]) -> None:
        self._patch({"overrides": dict(overrides)})

    def change_template(self) -> None:
        self._patch({"overrides": {"engine_args": {"max_model_len": "4096"}}})

    def roll_back(self) -> None:
        body = {"revision": 1, "reason": "the new length does not fit"}
        self.call("POST", f"{self._path}/rollback", body)

    def stop(self) -> None:
        self._patch({"stopped": True})

    def start(self) -> None:
        self._patch({"stopped": False})

    def wait_until_ready(self, replicas: int) -> None:
        eventually(
            f"{replicas} ready replicas",
            lambda: self._said("Ready", "desired_replicas", "ready_replicas") == [replicas] * 2,
            READY_SECONDS,
        )

    def wait_until_stopped(self) -> None:
        eventually("stopped", lambda: self._said("Stopped", "desired_replicas") == [0])

    @property
    def _path(self) -> str:
        return f"deployments/{self.place.id}"

    def _patch(self, body: Mapping[str, object]) -> None:
        self.call("PATCH", self._path, {**body, "reason": "to see what it does"})

    def _said(self, phase: str, *counts: str) -> list[int]:
        """Return what a phase is told with, nothing while it is another one."""
        detail = self.call("GET", self._path, None)["status_detail"]
        return [detail[name] for name in counts] if detail["phase"] == phase else []


def through_the_provider(
    plane: ControlPlane, namespace: str, overrides: Mapping[str, object]
) -> ProviderDriver:
    """Launch through the provider."""
    launch = launch_in(plane, namespace, overrides=overrides)
    launch.create()
    return ProviderDriver(launch=launch, overrides=dict(overrides))


def over_the_api(call: Call, api: Api, order: Mapping[str, Any]) -> ApiDriver:
    """Launch over the API; `order` is its body."""
    made = call("POST", "deployments", order)
    place = Place(api=api, namespace=made["namespace"], name=made["deployment_id"], id=made["id"])
    return ApiDriver(call=call, place=place)
