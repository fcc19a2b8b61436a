"""Writes kubeconfig files for the test control plane; as JSON, which every YAML reader takes."""

import base64
import json
from pathlib import Path

from providers.contract.manifest import Manifest
from tests.cluster.harness.certificates import Pair

CONTEXT = "slipway-tests"


def token_user(token: str) -> Manifest:
    """Return the user entry of a bearer token."""
    return {"token": token}


def certificate_user(pair: Pair) -> Manifest:
    """Return the user entry of a client certificate, embedded."""
    return {
        "client-certificate-data": _embedded(pair.certificate),
        "client-key-data": _embedded(pair.key),
    }


def write_kubeconfig(path: Path, *, url: str, ca: Path, user: Manifest, namespace: str) -> Path:
    """Write a file with one context, readable by its owner only."""
    cluster = {"server": url, "certificate-authority-data": _embedded(ca)}
    context = {"cluster": CONTEXT, "user": CONTEXT, "namespace": namespace}
    body = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": CONTEXT,
        "clusters": [{"name": CONTEXT, "cluster": cluster}],
        "contexts": [{"name": CONTEXT, "context": context}],
        "users": [{"name": CONTEXT, "user": user}],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    path.write_text(json.dumps(body, indent=2))
    return path


def _embedded(path: Path) -> str:
    return base64.b64encode(path.read_bytes()).decode()
