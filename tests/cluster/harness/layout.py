"""Where everything of one test control plane is: files in its data directory, ports on loopback."""

import secrets
import socket
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tests.cluster.harness.certificates import ADMIN_GROUP, Authority, Pair, signing_pair

LOOPBACK = "127.0.0.1"
CONTROLLERS = "system:kube-controller-manager"
SCHEDULER = "system:kube-scheduler"


@dataclass(frozen=True, kw_only=True, slots=True)
class Ports:
    """One free loopback port for each listener."""

    etcd: int
    etcd_peer: int
    api: int
    controllers: int
    scheduler: int
    nodes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """Everything the programs need to find each other."""

    folder: Path
    ports: Ports
    authority: Authority
    front_authority: Authority
    signing: Pair
    admin_token: str

    @property
    def url(self) -> str:
        """The address of the API server."""
        return f"https://{LOOPBACK}:{self.ports.api}"

    @property
    def ca(self) -> Path:
        """The certificate that the API server's own is signed with."""
        return self.authority.pair.certificate

    @property
    def tokens(self) -> Path:
        """The file of static tokens."""
        return self.folder / "tokens.csv"


def lay_out(folder: Path) -> Layout:
    """Make what a data directory lacks (keys, certificates, tokens) and choose free ports."""
    folder.mkdir(parents=True, exist_ok=True)
    layout = Layout(
        folder=folder,
        ports=Ports(**dict(zip(Ports.__slots__, free_ports(len(Ports.__slots__)), strict=True))),
        authority=Authority(folder / "pki", "ca"),
        front_authority=Authority(folder / "pki" / "front", "front-proxy-ca"),
        signing=signing_pair(folder / "pki"),
        admin_token=_kept_token(folder / "admin.token"),
    )
    layout.tokens.touch(mode=0o600)
    layout.tokens.write_text(f'{layout.admin_token},slipway-tests-admin,admin,"{ADMIN_GROUP}"\n')
    return layout


def free_ports(count: int) -> list[int]:
    """Return ports that were free a moment ago, all different."""
    with ExitStack() as stack:
        listeners = [stack.enter_context(socket.socket()) for _ in range(count)]
        for listener in listeners:
            listener.bind((LOOPBACK, 0))
        return [listener.getsockname()[1] for listener in listeners]


def _kept_token(path: Path) -> str:
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(32))
    return path.read_text()
