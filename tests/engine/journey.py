"""What a deployer does with a real engine, over the API, and what the cluster itself knows."""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rest_framework.test import APIClient

from providers.contract.manifest import Manifest
from templates_app import services
from templates_app.entries import parse_template
from templates_app.models import Model
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.waiting import wait_for
from tests.engine.installing import MODEL

CLAIM = "models"
START_SECONDS = 120.0


def llamacpp_spec(*, file: str = MODEL, **engine_args: str) -> Manifest:
    """Return a template's spec for a file on the claim, served on CPU."""
    return {
        "engine": {
            "type": "llamacpp",
            "version": "b10434",
            "image": "ghcr.io/ggml-org/llama.cpp:server-b10434",
            "ready_timeout_seconds": 180,
            "metrics_endpoint": "/metrics",
        },
        "model_source": {
            "type": "local",
            "uri": f"/models/{file}",
            "cache": {"claim": CLAIM, "mount_path": "/models"},
        },
        "accelerator": {"type": "cpu"},
        "engine_args": {"max_model_len": "1024", "max_num_seqs": "1", **engine_args},
        "resources": {"cpu": "1", "memory": "1Gi"},
        "supported_endpoints": ["/v1/chat/completions"],
    }


@dataclass(kw_only=True)
class Journey:
    """One deployment over the API; `told` has each status once, in order, as (phase, reason)."""

    client: APIClient
    plane: ControlPlane
    namespace: str
    model: Model
    made: Any = None
    told: list[tuple[str, str]] = field(default_factory=list)

    def launch(self, spec: Manifest) -> None:
        """Make a template of a spec and launch it."""
        entry = parse_template(name="cpu", version="1.0.0", spec=spec)
        template = services.create_template(self.model, entry, by=None)
        services.activate_template(template, by=None)
        choice = {"model_id": self.model.pk, "template_id": str(template.pk)}
        body = {"name": "chat", "template": choice}
        preview = self._post("deployments/preview", body)
        self.made = self._post("deployments", {**body, "launch": preview["launch"]})

    def delete(self) -> None:
        """Delete it and wait until nothing of it is left."""
        self.client.delete(f"/api/v1/deployments/{self.made['id']}")
        wait_for(lambda: self._get("")["closed_at"], 60.0, "the deployment is gone")

    @property
    def status(self) -> Any:
        """The verdict as it is now, with its evidence."""
        return self._get("")["status_detail"]

    def wait_for_status(self, phase: str, reason: str, *, cause: str = "") -> Any:
        """Return a status as soon as it is told, with that cause among its evidence if any."""

        def found() -> Any:
            detail = self.status
            status = (detail["phase"], detail["reason"])
            if self.told[-1:] != [status]:
                self.told.append(status)
            is_explained = not cause or cause in {item["reason"] for item in detail["evidence"]}
            return detail if status == (phase, reason) and is_explained else None

        try:
            return wait_for(found, START_SECONDS, f"{phase}, {reason} {cause}", every=0.2)
        except AssertionError as error:
            error.add_note(f"told: {self.told}; {self.status['message']}")
            raise

    @contextmanager
    def frozen(self, *, after: int | None = None) -> Iterator[None]:
        """Let the engine, or the next one after a process, stand still from its start on."""

        def begun() -> int | None:
            return self.process_id if self.command_line and self.process_id != after else None

        number = wait_for(begun, START_SECONDS, "the engine runs")
        os.kill(number, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(number, signal.SIGCONT)

    def log(self, **query: str) -> str:
        """Return the end of the engine's log."""
        answer = self.client.get(f"/api/v1/deployments/{self.made['id']}/logs", query)
        assert answer.status_code == 200, answer.content
        return str(answer.content.decode())

    def metrics(self) -> Any:
        """Return the load as soon as it can be read of every pod."""

        def read() -> Any:
            found = self._get("/metrics")["current"]
            troubles = [pod["trouble"] for pod in found["pods"]] if found else []
            return found if troubles and not any(troubles) else None

        return wait_for(read, START_SECONDS, "the load of every pod", every=1.0)

    def ask(self, question: str) -> Any:
        """Return what the model answers through the Service, by the API server's proxy."""
        service = f"{self.made['deployment_id']}:http"
        body = {
            "model": self.made["serving_name"],
            "messages": [{"role": "user", "content": question}],
            "max_tokens": 8,
        }
        path = namespaced(self.namespace, "services", service) + "/proxy/v1/chat/completions"
        answer = self.plane.api.ask("POST", path, body)
        assert answer.status == 200, answer.text
        return json.loads(answer.text)

    @property
    def pod(self) -> Manifest:
        """The only pod, as the cluster has it."""

        def listed() -> list[Manifest]:
            items: list[Manifest] = self.plane.api.get(namespaced(self.namespace, "pods"))["items"]
            return items

        [pod] = wait_for(listed, 30.0, "a pod")
        return pod

    @property
    def container(self) -> Manifest:
        """The status of its engine."""
        [status] = self.pod["status"]["containerStatuses"]
        found: Manifest = status
        return found

    @property
    def process_id(self) -> int | None:
        """The number of the engine's process, None between two runs."""
        key = f"{self.namespace}/{self.pod['metadata']['name']}"
        return self.plane.kubelet.process_id(key, "engine")

    @property
    def command_line(self) -> list[str]:
        """The words of the engine's process as the kernel has them, none before it runs."""
        number = self.process_id
        words = Path(f"/proc/{number}/cmdline").read_text() if number else ""
        return words.removesuffix("\0").split("\0") if words.startswith("/app/") else []

    def kill(self) -> None:
        """End the engine as the kernel does when memory runs out."""
        number = self.process_id
        assert number
        os.kill(number, signal.SIGKILL)

    def _get(self, path: str) -> Any:
        answer = self.client.get(f"/api/v1/deployments/{self.made['id']}{path}")
        assert answer.status_code == 200, answer.content
        return answer.json()

    def _post(self, path: str, body: object) -> Any:
        answer = self.client.post(f"/api/v1/{path}", body, format="json")
        assert answer.status_code < 300, answer.content
        return answer.json()
