"""Reads the environment's values for settings.py, and keeps what is wrong with them.

A wrong `K8S_*` value does not raise: it is kept as a problem with an id and a hint, so that one
start names all of them at once (console.checks reports them). What the settings cannot do without
is refused at once. This room knows no request and no cluster; it may look at files.
"""

import os
import re
import secrets
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from django.core.exceptions import ImproperlyConfigured

from console.kubeconfig import contexts_of
from console.whole_numbers import whole_number

SERVICE_TYPES = ("ClusterIP", "NodePort", "LoadBalancer")
SERVICE_ACCOUNT_TOKEN = Path("/var/run/secrets/kubernetes.io/serviceaccount/token")

_LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")

LABEL_LENGTH = 63
_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """One wrong value: `id` is that of the system check which reports it."""

    id: str
    message: str
    hint: str


@dataclass(frozen=True, kw_only=True, slots=True)
class KubernetesEnvironment:
    """The `K8S_*` variables; a port or target that nobody set is None."""

    kubeconfig: str = ""
    context: str = ""
    namespace: str = ""
    service_type: str = "ClusterIP"
    container_port: int | None = None
    service_port: int | None = None
    hpa_target_cpu_utilization: int | None = None
    in_cluster: bool = False
    problems: tuple[Problem, ...] = field(default=())

    @property
    def is_configured(self) -> bool:
        """Whether these variables name a cluster at all."""
        return bool(self.kubeconfig) or self.in_cluster


def read_kubernetes(
    environ: Mapping[str, str], *, token: Path = SERVICE_ACCOUNT_TOKEN
) -> KubernetesEnvironment:
    """Read the `K8S_*` variables; in-cluster is K8S_NAMESPACE with a service account mounted."""
    problems: list[Problem] = []

    def read(name: str, parse: Callable[[str], T], default: T) -> T:
        text = environ.get(name, "").strip()
        try:
            return parse(text) if text else default
        except ValueError as error:
            problems.append(Problem(id=_IDS[name], message=f"{name} is {text!r}.", hint=str(error)))
            return default

    kubeconfig = read("K8S_KUBECONFIG", _kubeconfig, "")
    namespace = read("K8S_NAMESPACE", _namespace, "")
    return KubernetesEnvironment(
        kubeconfig=kubeconfig,
        context=read("K8S_CONTEXT", partial(_context, kubeconfig), ""),
        namespace=namespace,
        service_type=read("K8S_SERVICE_TYPE", _service_type, "ClusterIP"),
        container_port=read("K8S_CONTAINER_PORT", _port, None),
        service_port=read("K8S_SERVICE_PORT", _port, None),
        hpa_target_cpu_utilization=read("K8S_HPA_TARGET_CPU_UTILIZATION", _percentage, None),
        in_cluster=not environ.get("K8S_KUBECONFIG", "").strip()
        and bool(namespace)
        and token.is_file(),
        problems=tuple(problems),
    )


def read_switch(environ: Mapping[str, str], name: str) -> bool:
    """Read a switch that is off unless set; a word that is neither on nor off is refused."""
    text = environ.get(name, "").strip().casefold()
    if text in {"", "0", "false", "no", "off"}:
        return False
    if text in {"1", "true", "yes", "on"}:
        return True
    raise ImproperlyConfigured(f"{name} is {text!r}; use 1 or 0.")


def read_log_level(environ: Mapping[str, str], name: str) -> str:
    """Read how much is logged; INFO unless set."""
    text = environ.get(name, "").strip().upper() or "INFO"
    if text in _LOG_LEVELS:
        return text
    raise ImproperlyConfigured(f"{name} is {text!r}; use one of {', '.join(_LOG_LEVELS)}.")


def make_folder(path: Path, name: str, *, mode: int = 0o755) -> None:
    """Make the folder that the variable `name` gives, unless it is there; readable as `mode`."""
    try:
        path.mkdir(mode=mode, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"{name} is {str(path)!r}, which cannot be made: {error.strerror}; "
            "name a folder that the console may write to."
        ) from None


def read_or_make_secret(path: Path) -> str:
    """Return the key kept at `path`, making it on the first start, readable by its owner only.

    Raises ImproperlyConfigured where it can be neither read nor kept.
    """
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            _keep_first(path, secrets.token_urlsafe(64))
        return path.read_text().strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"the key that signs sessions cannot be kept in {str(path)!r}: {error.strerror}; set "
            "SLIPWAY_SECRET_KEY or SLIPWAY_SECRET_KEY_FILE, or name a folder that the console may "
            "write to in SLIPWAY_VAR."
        ) from None


def _keep_first(path: Path, text: str) -> None:
    # Two processes may start at once: each writes its own file (mode 0600), the first link wins.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}")
    with os.fdopen(handle, "w") as file:
        file.write(text)
    try:
        os.link(name, path)
    except FileExistsError:
        pass
    finally:
        Path(name).unlink()


_IDS = {
    "K8S_KUBECONFIG": "console.E001",
    "K8S_CONTEXT": "console.E002",
    "K8S_NAMESPACE": "console.E003",
    "K8S_SERVICE_TYPE": "console.E004",
    "K8S_CONTAINER_PORT": "console.E005",
    "K8S_SERVICE_PORT": "console.E006",
    "K8S_HPA_TARGET_CPU_UTILIZATION": "console.E007",
}


def _kubeconfig(text: str) -> str:
    path = Path(text).expanduser()
    if not path.is_file():
        raise ValueError("Give the path of a kubeconfig file; there is none there.")
    contexts_of(path)
    return str(path)


def _context(kubeconfig: str, text: str) -> str:
    # Without a readable file there is nothing to compare with, and that is told already.
    known = contexts_of(Path(kubeconfig)) if kubeconfig else (text,)
    if text not in known:
        raise ValueError(f"Use a context of that kubeconfig: {', '.join(known) or 'it has none'}.")
    return text


def _namespace(text: str) -> str:
    if len(text) > LABEL_LENGTH or not _LABEL.fullmatch(text):
        raise ValueError("Use a namespace: at most 63 small letters, digits and dashes.")
    return text


def _service_type(text: str) -> str:
    for known in SERVICE_TYPES:
        if text.casefold() == known.casefold():
            return known
    raise ValueError(f"Use one of {', '.join(SERVICE_TYPES)}.")


def _port(text: str) -> int:
    return _whole_number(text, at_most=65535, what="a port, a whole number from 1 to 65535")


def _percentage(text: str) -> int:
    # More than 100 is legal (of the request), but a target of several times it scales never.
    return _whole_number(text, at_most=500, what="a percentage, a whole number from 1 to 500")


def _whole_number(text: str, *, at_most: int, what: str) -> int:
    number = whole_number(text, least=1, most=at_most)
    if number is None:
        raise ValueError(f"Use {what}, or leave it unset.")
    return number
