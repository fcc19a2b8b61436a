"""Manifests as text do not depend on the order in which a database keeps their members."""

from typing import Any

import pytest

from providers.contract.manifest_yaml import manifests_yaml
from providers.contract.yaml_text import load_yaml

SERVICE: dict[str, Any] = {
    "kind": "Service",
    "spec": {"selector": {"b": "2", "a": "1"}, "ports": [{"port": 80, "name": "http"}]},
    "metadata": {"labels": {"z": "1"}, "namespace": "models", "name": "chat"},
    "apiVersion": "v1",
}
TEXT = """\
apiVersion: v1
kind: Service
metadata:
  name: chat
  namespace: models
  labels:
    z: "1"
spec:
  ports:
    - name: http
      port: 80
  selector:
    a: "1"
    b: "2"
"""


def reordered(value: Any) -> Any:
    """Return it as PostgreSQL would: shorter names first, then by their bytes."""
    if isinstance(value, list):
        return [reordered(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {key: reordered(value[key]) for key in sorted(value, key=lambda key: (len(key), key))}


@pytest.mark.parametrize("manifest", [SERVICE, reordered(SERVICE)], ids=["as-written", "as-kept"])
def test_an_object_is_told_by_what_it_is_and_then_by_its_letters(manifest: dict[str, Any]) -> None:
    assert manifests_yaml([manifest]) == TEXT


def test_nothing_of_it_is_lost() -> None:
    assert load_yaml(manifests_yaml([SERVICE])) == SERVICE


def test_lists_keep_their_order() -> None:
    assert manifests_yaml([{"args": ["--b", "--a"]}]) == 'args:\n  - "--b"\n  - "--a"\n'
