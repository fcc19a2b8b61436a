"""Namespaces in which pods can be made at once, without waiting for what their controllers make."""

from tests.cluster.harness.api import Api, namespaced
from tests.cluster.waiting import wait_for

WAIT_SECONDS = 60.0


def new_namespace(api: Api, name: str) -> str:
    """Make a namespace; returns its name once it has the account without which no pod is made."""
    body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
    api.create("/api/v1/namespaces", body)
    wait_for_account(api, name)
    return name


def wait_for_account(api: Api, name: str) -> None:
    """Wait until a namespace has the account that its pods run under."""
    account = namespaced(name, "serviceaccounts", "default")
    wait_for(lambda: api.find(account), WAIT_SECONDS, f"the default account of {name}")


def remove_namespace(api: Api, name: str) -> None:
    """Let a namespace go; what is in it may take longer."""
    api.delete(f"/api/v1/namespaces/{name}")
