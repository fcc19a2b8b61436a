"""The command line of each program of the control plane (kube 1.36, etcd 3.6)."""

from pathlib import Path

from tests.cluster.controlplane.build import Binaries
from tests.cluster.harness.kubeconfig import certificate_user, write_kubeconfig
from tests.cluster.harness.layout import CONTROLLERS, SCHEDULER, Layout
from tests.ports import LOOPBACK

ISSUER = "https://kubernetes.default.svc.cluster.local"
SERVICE_RANGE = "10.96.0.0/16"
FRONT_PROXY = "front-proxy-client"
# Their own limit of 20 requests/s would make 600 pods take 30 s.
CLIENT_LIMITS = ("--kube-api-qps=500", "--kube-api-burst=1000")


def etcd_command(binaries: Binaries, layout: Layout) -> list[str]:
    """One member on loopback; without fsync, for it need not survive a power cut."""
    client = f"http://{LOOPBACK}:{layout.ports.etcd}"
    peer = f"http://{LOOPBACK}:{layout.ports.etcd_peer}"
    return [
        binaries.path("etcd"),
        "--name=tests",
        f"--data-dir={layout.folder / 'etcd'}",
        f"--listen-client-urls={client}",
        f"--advertise-client-urls={client}",
        f"--listen-peer-urls={peer}",
        f"--initial-advertise-peer-urls={peer}",
        f"--initial-cluster=tests={peer}",
        "--unsafe-no-fsync",
        "--log-level=warn",
        # A data directory that is started again comes with another peer port.
        *(["--force-new-cluster"] if (layout.folder / "etcd" / "member").exists() else []),
    ]


def api_server_command(binaries: Binaries, layout: Layout) -> list[str]:
    """RBAC and Node authorization, tokens and client certificates, logs over TLS from loopback."""
    serving = layout.authority.server("kube-apiserver")
    kubelet_client = layout.authority.client("kube-apiserver-kubelet-client", ["system:masters"])
    front_client = layout.front_authority.client(FRONT_PROXY)
    return [
        binaries.path("kube-apiserver"),
        f"--etcd-servers=http://{LOOPBACK}:{layout.ports.etcd}",
        f"--bind-address={LOOPBACK}",
        f"--advertise-address={LOOPBACK}",
        f"--secure-port={layout.ports.api}",
        "--endpoint-reconciler-type=none",
        f"--tls-cert-file={serving.certificate}",
        f"--tls-private-key-file={serving.key}",
        f"--client-ca-file={layout.ca}",
        f"--token-auth-file={layout.tokens}",
        "--authorization-mode=Node,RBAC",
        f"--service-cluster-ip-range={SERVICE_RANGE}",
        f"--service-account-issuer={ISSUER}",
        f"--service-account-key-file={layout.signing.certificate}",
        f"--service-account-signing-key-file={layout.signing.key}",
        f"--requestheader-client-ca-file={layout.front_authority.pair.certificate}",
        f"--requestheader-allowed-names={FRONT_PROXY}",
        "--requestheader-username-headers=X-Remote-User",
        "--requestheader-group-headers=X-Remote-Group",
        "--requestheader-extra-headers-prefix=X-Remote-Extra-",
        f"--proxy-client-cert-file={front_client.certificate}",
        f"--proxy-client-key-file={front_client.key}",
        f"--kubelet-certificate-authority={layout.ca}",
        f"--kubelet-client-certificate={kubelet_client.certificate}",
        f"--kubelet-client-key={kubelet_client.key}",
        "--kubelet-preferred-address-types=InternalIP",
    ]


def controllers_command(binaries: Binaries, layout: Layout) -> list[str]:
    """Each controller under its own service account, so that its rights are the real ones."""
    kubeconfig = component_kubeconfig(layout, CONTROLLERS)
    serving = layout.authority.server("kube-controller-manager-serving")
    plugins = layout.folder / "flex-volumes"
    plugins.mkdir(exist_ok=True)
    return [
        binaries.path("kube-controller-manager"),
        f"--kubeconfig={kubeconfig}",
        f"--authentication-kubeconfig={kubeconfig}",
        f"--authorization-kubeconfig={kubeconfig}",
        f"--bind-address={LOOPBACK}",
        f"--secure-port={layout.ports.controllers}",
        f"--tls-cert-file={serving.certificate}",
        f"--tls-private-key-file={serving.key}",
        "--leader-elect=false",
        "--use-service-account-credentials",
        f"--service-account-private-key-file={layout.signing.key}",
        f"--root-ca-file={layout.ca}",
        f"--cluster-signing-cert-file={layout.authority.pair.certificate}",
        f"--cluster-signing-key-file={layout.authority.pair.key}",
        f"--flex-volume-plugin-dir={plugins}",
        *CLIENT_LIMITS,
    ]


def scheduler_command(binaries: Binaries, layout: Layout) -> list[str]:
    """The default profile."""
    kubeconfig = component_kubeconfig(layout, SCHEDULER)
    serving = layout.authority.server("kube-scheduler-serving")
    return [
        binaries.path("kube-scheduler"),
        f"--kubeconfig={kubeconfig}",
        f"--authentication-kubeconfig={kubeconfig}",
        f"--authorization-kubeconfig={kubeconfig}",
        f"--bind-address={LOOPBACK}",
        f"--secure-port={layout.ports.scheduler}",
        f"--tls-cert-file={serving.certificate}",
        f"--tls-private-key-file={serving.key}",
        "--leader-elect=false",
        *CLIENT_LIMITS,
    ]


def component_kubeconfig(layout: Layout, user: str) -> Path:
    """Write the kubeconfig of a program that signs in with a client certificate."""
    return write_kubeconfig(
        layout.folder / f"{user.removeprefix('system:')}.kubeconfig",
        url=layout.url,
        ca=layout.ca,
        user=certificate_user(layout.authority.client(user)),
        namespace="default",
    )
