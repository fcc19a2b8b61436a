"""What is wrong with a kubeconfig is said with its path and context, never with its contents."""

import json
import stat
from pathlib import Path

import pytest

from providers.contract.errors import Unavailable
from providers.contract.target import Connection
from providers.kube.clock import deadline_in
from providers.kube.credentials import load_session
from providers.testing.samples import make_target
from tests.unit.kube.conftest import kubeconfig_text

URL = "https://cluster.example:6443"
SECRET = "do-not-tell"


def refusal_of(path: Path, context: str = "") -> Unavailable:
    with pytest.raises(Unavailable) as caught:
        load_session(Connection(kubeconfig=str(path), context=context), 2.0)
    assert caught.value.code == "CredentialsRefused"
    assert SECRET not in caught.value.message
    assert caught.value.__cause__ is None
    return caught.value


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    error = refusal_of(tmp_path / "nowhere")

    assert f"{tmp_path / 'nowhere'} cannot be used: there is no such file" in error.message


def test_a_context_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    path = tmp_path / "kubeconfig"
    path.write_text(kubeconfig_text(URL, token=SECRET))

    error = refusal_of(path, "elsewhere")

    assert "(context elsewhere)" in error.message
    assert "it has: here" in error.message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        f"token: [{SECRET}",
        f"just {SECRET}",
        "[]",
        json.dumps({"users": [{"name": "u", "user": {"token": SECRET}}]}),
        json.dumps(
            {
                "current-context": "here",
                "contexts": [{"name": "here", "context": {"cluster": "c", "user": "u"}}],
                "clusters": [],
                "users": [{"name": "u", "user": {"token": SECRET}}],
            }
        ),
        json.dumps({"contexts": [{"name": "here", "context": SECRET}], "current-context": "here"}),
    ],
)
def test_a_file_that_is_no_kubeconfig_is_refused_without_its_contents(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "kubeconfig"
    path.write_text(text)

    assert str(path) in refusal_of(path).message


@pytest.mark.parametrize(
    "server", ["", "cluster.example:6443", "https://", "https://a:b", "ftp://a"]
)
def test_an_address_that_is_none_is_refused(tmp_path: Path, server: str) -> None:
    path = tmp_path / "kubeconfig"
    path.write_text(kubeconfig_text(server, token=SECRET))

    assert "no server address like https://HOST:PORT" in refusal_of(path).message


def test_a_cluster_without_an_address_is_not_localhost(tmp_path: Path) -> None:
    document = json.loads(kubeconfig_text(URL, token=SECRET))
    del document["clusters"][0]["cluster"]["server"]
    path = tmp_path / "kubeconfig"
    path.write_text(json.dumps(document))

    assert "no server address" in refusal_of(path).message


def with_plugin(path: Path, *lines: str) -> Path:
    plugin = path / "plugin"
    plugin.write_text("\n".join(("#!/bin/sh", *lines)))
    plugin.chmod(stat.S_IRWXU)
    document = json.loads(kubeconfig_text(URL))
    document["users"][0]["user"] = {
        "exec": {
            "apiVersion": "client.authentication.k8s.io/v1",
            "command": str(plugin),
            "interactiveMode": "Never",
        }
    }
    kubeconfig = path / "kubeconfig"
    kubeconfig.write_text(json.dumps(document))
    return kubeconfig


def test_a_credential_plugin_gives_its_token(tmp_path: Path) -> None:
    credential = {
        "apiVersion": "client.authentication.k8s.io/v1",
        "kind": "ExecCredential",
        "status": {"token": "from-the-plugin"},
    }
    path = with_plugin(tmp_path, f"echo '{json.dumps(credential)}'")

    session = load_session(Connection(kubeconfig=str(path)), 5.0)

    assert session.authorization(2.0) == "Bearer from-the-plugin"


def test_a_credential_plugin_that_fails_is_refused(tmp_path: Path) -> None:
    path = with_plugin(tmp_path, f"echo {SECRET} >&2", "exit 3")

    assert "plugin gave no credential" in refusal_of(path).message


def test_a_credential_plugin_that_hangs_is_bounded(tmp_path: Path) -> None:
    path = with_plugin(tmp_path, "exec sleep 5")

    with pytest.raises(Unavailable, match="did not end in time"):
        load_session(Connection(kubeconfig=str(path)), 0.5)


@pytest.mark.parametrize("seconds", [0.0, -1.0])
def test_a_kubeconfig_without_a_plugin_is_read_however_little_time_is_left(
    tmp_path: Path, seconds: float
) -> None:
    path = tmp_path / "kubeconfig"
    path.write_text(kubeconfig_text(URL))

    assert load_session(Connection(kubeconfig=str(path)), seconds).host == URL


def test_a_plugin_has_no_time_where_none_is_left(tmp_path: Path) -> None:
    path = with_plugin(tmp_path, "exec sleep 5")

    with pytest.raises(Unavailable, match="did not end in time"):
        load_session(Connection(kubeconfig=str(path)), -1.0)


def test_a_cluster_without_a_kubeconfig_says_so() -> None:
    from providers.kube.client import client_for

    with pytest.raises(Unavailable, match="no kubeconfig is set"):
        client_for(make_target(key="none"), deadline=deadline_in(1))


def test_outside_of_a_pod_there_is_no_account_of_a_pod(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)

    with pytest.raises(Unavailable, match="service account of this pod"):
        load_session(Connection(in_cluster=True), 2.0)


def test_certificates_and_address_are_taken_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "kubeconfig"
    path.write_text(kubeconfig_text("https://cluster.example"))

    session = load_session(Connection(kubeconfig=str(path)), 5.0)

    assert session.host == "https://cluster.example"
    assert session.address == "cluster.example:443"
