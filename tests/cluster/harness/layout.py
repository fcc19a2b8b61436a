"""Where everything of one test control plane is: files in its data directory, ports on loopback."""

import secrets
from dataclasses import dataclass
from pathlib import Path

from tests.cluster.harness.certificates import ADMIN_GROUP, Authority, Pair, signing_pair
from tests.ports import LOOPBACK, free_port

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
        ports=Ports(**{name: free_port() for name in Ports.__slots__}),
        authority=Authority(folder / "pki", "ca"),
        front_authority=Authority(folder / "pki" / "front", "front-proxy-ca"),
        signing=signing_pair(folder / "pki"),
        admin_token=_kept_token(folder / "admin.token"),
    )
    layout.tokens.touch(mode=0o600)
    layout.tokens.write_text(f'{layout.admin_token},slipway-tests-admin,admin,"{ADMIN_GROUP}"\n')
    return layout


def _kept_token(path: Path) -> str:
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(32))
    return path.read_text()
