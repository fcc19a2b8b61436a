"""How to reach one API server: a configuration read from a kubeconfig or from the pod's account.

The `kubernetes` package loads it, late, because its import is slow. Error messages name path and
context, never contents: the package's own errors may quote a whole user entry.
"""

import os
import threading
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import SplitResult, urlsplit

import urllib3

from providers.contract.errors import Unavailable
from providers.contract.target import Connection
from providers.kube.bounded import run_bounded

POOL_SIZE = 32
HEADER_SECONDS = 5.0
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class Session:
    """One loaded credential with its pool of connections; shared between threads."""

    def __init__(self, configuration: Any) -> None:
        self.host: str = configuration.host.rstrip("/")
        self._open = _opener_of(_pool_of(configuration), self.host)
        self._configuration = configuration
        self._lock = threading.Lock()
        self._header = ""
        self._fresh_until = 0.0

    @property
    def address(self) -> str:
        """Return host and port for people."""
        parts = urlsplit(self.host)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        return f"{parts.hostname}:{port}"

    def open(self, method: str, target: str, **options: Any) -> urllib3.BaseHTTPResponse:
        """Send one request for a path and query; `options` are those of urllib3's `urlopen`."""
        response: urllib3.BaseHTTPResponse = self._open(method, target, **options)
        return response

    def authorization(self, seconds: float) -> str:
        """Return the Authorization header or an empty text; a plugin may run for that long."""
        if not self._configuration.api_key:
            return ""
        if time.monotonic() < self._fresh_until:
            return self._header
        if not self._lock.acquire(timeout=seconds):
            raise _not_renewed()
        try:
            if time.monotonic() >= self._fresh_until:
                self._header = _bounded_header(self._configuration, seconds)
                self._fresh_until = time.monotonic() + HEADER_SECONDS
        finally:
            self._lock.release()
        return self._header


def load_session(connection: Connection, seconds: float) -> Session:
    """Return a session; raises Unavailable naming path and context when there is none to be had."""
    if not connection.in_cluster:
        _check_file(connection)
    try:
        configuration = _load(connection, seconds)
    except Unavailable:
        raise
    except TimeoutError:
        raise _refused(connection, "its credential plugin did not end in time") from None
    except Exception:  # noqa: BLE001 - whatever it is, its text may quote the credential
        raise _refused(connection, "it is not a complete kubeconfig") from None
    return Session(configuration)


def fingerprint(connection: Connection) -> tuple[int, ...]:
    """Return what changes when the kubeconfig is written anew; empty where there is none."""
    try:
        found = os.stat(os.path.expanduser(connection.kubeconfig))  # noqa: PTH111, PTH116 - as the loader does
    except OSError:
        return ()
    return (found.st_mtime_ns, found.st_size, found.st_ino)


def _load(connection: Connection, seconds: float) -> Any:
    """Read the credential; what only reads files is not bounded, so that no plugin is accused."""
    if connection.in_cluster:
        return _load_from_pod(connection)
    _check_context(connection)
    if not _has_plugin(connection):
        return _load_from_file(connection)
    return run_bounded(lambda: _load_from_file(connection), max(seconds, 0.0))


def _load_from_pod(_connection: Connection) -> Any:
    from kubernetes.client import Configuration
    from kubernetes.config import load_incluster_config

    configuration = Configuration()
    load: Any = load_incluster_config
    load(client_configuration=configuration)
    return configuration


def _load_from_file(connection: Connection) -> Any:
    from kubernetes.client import Configuration
    from kubernetes.config import load_kube_config

    configuration = Configuration(host="")  # else a cluster without an address would be localhost
    load: Any = load_kube_config
    load(
        config_file=connection.kubeconfig,
        context=connection.context or None,
        client_configuration=configuration,
        persist_config=False,
    )
    _check_address(connection, configuration.host)
    _check_plugin(connection, configuration)
    return configuration


def _check_file(connection: Connection) -> None:
    path = os.path.expanduser(connection.kubeconfig)  # noqa: PTH111 - as the loader does
    if not path:
        raise Unavailable("no kubeconfig is set for this cluster", code="CredentialsRefused")
    if not os.path.isfile(path):  # noqa: PTH113 - as the loader does
        raise _refused(connection, "there is no such file")
    if not os.access(path, os.R_OK):
        raise _refused(connection, "the file may not be read")


def _check_context(connection: Connection) -> None:
    merged = _merged(connection)
    names = [str(entry["name"]) for entry in merged["contexts"]]
    wanted = connection.context or merged.get("current-context") or ""
    if not wanted:
        raise _refused(connection, "it has no current context, so name one")
    if wanted not in names:
        known = ", ".join(sorted(names)[:10]) or "none"
        raise _refused(connection, f"it has no context {wanted!r}; it has: {known}")


def _check_address(connection: Connection, host: str) -> None:
    parts = urlsplit(host)
    if parts.scheme not in {"http", "https"} or not parts.hostname or not _has_port(parts):
        raise _refused(connection, "its cluster has no server address like https://HOST:PORT")


def _has_port(parts: SplitResult) -> bool:
    try:
        return parts.port is None or parts.port > 0
    except ValueError:
        return False


def _check_plugin(connection: Connection, configuration: Any) -> None:
    """Refuse what the package only logs: a plugin that failed leaves an anonymous client."""
    if not (configuration.api_key or configuration.cert_file) and _has_plugin(connection):
        raise _refused(connection, "its credential plugin gave no credential")


def _has_plugin(connection: Connection) -> bool:
    """Tell whether a program has to be run for the credential of the context."""
    merged = _merged(connection)
    wanted = connection.context or merged.get("current-context")
    context = next(entry for entry in merged["contexts"] if entry["name"] == wanted)
    name = context["context"].get("user")
    users = [entry["user"] for entry in merged["users"] if entry["name"] == name]
    return any(key in (user or {}) for user in users for key in ("exec", "auth-provider"))


def _merged(connection: Connection) -> Any:
    from kubernetes.config.kube_config import KubeConfigMerger

    merger: Any = KubeConfigMerger
    return _plain(merger(connection.kubeconfig).config.value)


def _plain(value: Any) -> Any:
    """Return plain lists and dictionaries of the package's nodes."""
    value = getattr(value, "value", value) if not isinstance(value, dict) else value
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _refused(connection: Connection, cause: str) -> Unavailable:
    if connection.in_cluster:
        text = "the service account of this pod cannot be used: token, certificate or address"
        return Unavailable(f"{text} is missing", code="CredentialsRefused")
    context = f" (context {connection.context})" if connection.context else ""
    return Unavailable(
        f"the kubeconfig {connection.kubeconfig}{context} cannot be used: {cause}",
        code="CredentialsRefused",
    )


def _bounded_header(configuration: Any, seconds: float) -> str:
    def header() -> str:
        return str(configuration.auth_settings().get("BearerToken", {}).get("value") or "")

    try:
        return run_bounded(header, seconds)
    except Exception:  # noqa: BLE001 - its text may quote the credential
        raise _not_renewed() from None


def _not_renewed() -> Unavailable:
    text = "the credential of this cluster could not be renewed"
    return Unavailable(text, code="CredentialsRefused")


def _opener_of(manager: urllib3.PoolManager, host: str) -> Callable[..., Any]:
    """Return what opens a path of the host.

    That is the one pool of its connections, which need not be looked up by the address each time;
    where a proxy stands between, the manager, which knows what the proxy wants to be told.
    """
    if manager.proxy is not None:
        return lambda method, target, **options: manager.urlopen(method, host + target, **options)
    pool, prefix = manager.connection_from_url(host), urlsplit(host).path
    return lambda method, target, **options: pool.urlopen(method, prefix + target, **options)


def _pool_of(configuration: Any) -> urllib3.PoolManager:
    """Return the pool that the package builds: its TLS and proxy settings, our size, no retries.

    A loopback address is never sent to a proxy of the environment, as in Go's clients.
    """
    from kubernetes.client.rest import RESTClientObject

    if urlsplit(configuration.host).hostname in _LOOPBACK:
        configuration.proxy = None
    configuration.connection_pool_maxsize = POOL_SIZE
    configuration.retries = False
    pool: urllib3.PoolManager = RESTClientObject(configuration).pool_manager
    return pool
