"""One running control plane: started, frozen, resumed, killed and stopped as a whole or by its API
server.
"""

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import urllib3

from tests.cluster.controlplane.build import Binaries
from tests.cluster.harness import commands
from tests.cluster.harness.admission import install_unschedulable_word, is_in_force
from tests.cluster.harness.api import Api, ApiError, namespaced
from tests.cluster.harness.kubeconfig import certificate_user, token_user, write_kubeconfig
from tests.cluster.harness.layout import lay_out
from tests.cluster.harness.processes import Process
from tests.cluster.kubelet.standin import StandInKubelet
from tests.ports import LOOPBACK

# A busy machine takes more than a minute.
START_SECONDS = 300.0
TOKEN_SECONDS = 24 * 3600


class ControlPlane:
    """etcd, kube-apiserver, kube-controller-manager, kube-scheduler and stand-in nodes.

    Use it as a context manager. Without `folder` its data lie in a temporary folder and go with it.
    """

    def __init__(self, binaries: Binaries, folder: Path | None = None) -> None:
        self._temporary = None if folder else Path(tempfile.mkdtemp(prefix="slipway-cluster-"))
        self.binaries = binaries
        self.layout = lay_out(folder or self._temporary or Path())
        self.api = Api(self.url, self.ca, self.admin_token)
        self.etcd = self._process("etcd", commands.etcd_command(binaries, self.layout))
        self.api_server = self._process(
            "kube-apiserver", commands.api_server_command(binaries, self.layout)
        )
        self.controllers = self._process(
            "kube-controller-manager", commands.controllers_command(binaries, self.layout)
        )
        self.scheduler = self._process(
            "kube-scheduler", commands.scheduler_command(binaries, self.layout)
        )
        self.kubelet = StandInKubelet(
            Api(self.url, self.ca, self.admin_token),
            serving=self.layout.authority.server("kubelet"),
            ca=self.ca,
            port=self.layout.ports.nodes,
        )
        self.kubeconfig = self._write("admin", token_user(self.admin_token))

    def __enter__(self) -> Self:
        """Start everything; what was started ends again when something does not."""
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop everything."""
        self.stop()

    @property
    def url(self) -> str:
        """The address of the API server."""
        return self.layout.url

    @property
    def ca(self) -> Path:
        """The certificate to trust."""
        return self.layout.ca

    @property
    def admin_token(self) -> str:
        """A token that may do everything."""
        return self.layout.admin_token

    @property
    def kubectl(self) -> str:
        """The path of kubectl, of the same version."""
        return self.binaries.path("kubectl")

    def start(self) -> None:
        """Start everything and wait until it works; raise StartFailed with the tail of a log."""
        self.etcd.start()
        self.start_api_server()
        self.controllers.start()
        self.scheduler.start()
        ports = self.layout.ports
        self._wait(self.controllers, ports.controllers)
        self._wait(self.scheduler, ports.scheduler)
        self.controllers.wait_until(self._has_default_account, seconds=START_SECONDS)
        install_unschedulable_word(self.api)
        self.kubelet.start()
        self.api_server.wait_until(lambda: is_in_force(self.api), seconds=START_SECONDS)

    def stop(self) -> None:
        """Stop everything, in the order that leaves nobody waiting."""
        self.kubelet.stop()
        for process in (self.scheduler, self.controllers, self.api_server, self.etcd):
            process.kill()
        if self._temporary:
            shutil.rmtree(self._temporary, ignore_errors=True)

    def start_api_server(self) -> None:
        """Start the API server, for the first time or after it was killed, and wait for it."""
        self.api_server.start()
        self._wait(self.api_server, self.layout.ports.api, "/readyz")

    def freeze_api_server(self) -> None:
        """Let the API server hold every connection open and answer nothing."""
        self.api_server.freeze()

    def resume_api_server(self) -> None:
        """Let a frozen API server go on."""
        self.api_server.resume()

    def kill_api_server(self) -> None:
        """End the API server at once: connections are reset, then refused."""
        self.api_server.kill()

    def stop_api_server(self) -> None:
        """End the API server in an orderly way."""
        self.api_server.stop()

    def user_kubeconfig(
        self, name: str, *, groups: Sequence[str] = (), namespace: str = "default"
    ) -> Path:
        """Write a kubeconfig for a user with a client certificate; it has no rights until bound."""
        pair = self.layout.authority.client(name, groups)
        return self._write(f"user-{name}", certificate_user(pair), namespace)

    def token_kubeconfig(self, token: str, *, name: str, namespace: str = "default") -> Path:
        """Write a kubeconfig for any bearer token."""
        return self._write(f"token-{name}", token_user(token), namespace)

    def service_account_token(self, namespace: str, name: str) -> str:
        """Return a token of an existing service account."""
        body = {
            "apiVersion": "authentication.k8s.io/v1",
            "kind": "TokenRequest",
            "spec": {"expirationSeconds": TOKEN_SECONDS},
        }
        path = namespaced(namespace, "serviceaccounts", name) + "/token"
        return str(self.api.create(path, body)["status"]["token"])

    def service_account_kubeconfig(self, namespace: str, name: str) -> Path:
        """Write a kubeconfig for an existing service account."""
        token = self.service_account_token(namespace, name)
        return self.token_kubeconfig(token, name=f"{namespace}-{name}", namespace=namespace)

    def _process(self, name: str, command: Sequence[str]) -> Process:
        return Process(name, command, self.layout.folder / f"{name}.log")

    def _write(self, name: str, user: dict[str, str], namespace: str = "default") -> Path:
        return write_kubeconfig(
            self.layout.folder / "kubeconfigs" / f"{name}.kubeconfig",
            url=self.url,
            ca=self.ca,
            user=user,
            namespace=namespace,
        )

    def _wait(self, process: Process, port: int, path: str = "/healthz") -> None:
        process.wait_until(lambda: self._answers(port, path), seconds=START_SECONDS)

    def _answers(self, port: int, path: str) -> bool:
        try:
            address = f"https://{LOOPBACK}:{port}{path}"
            return self.api.pool.request("GET", address, headers=self.api.headers).status == 200
        except urllib3.exceptions.HTTPError:
            return False

    def _has_default_account(self) -> bool:
        try:
            return bool(self.api.find(namespaced("default", "serviceaccounts", "default")))
        except (ApiError, urllib3.exceptions.HTTPError):
            return False
