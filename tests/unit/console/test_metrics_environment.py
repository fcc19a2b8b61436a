from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from console.metrics.environment import read_token, read_worker_port
from console.metrics.folder import prepare_folder

TOKEN = "a-token-of-some-length"


@pytest.mark.parametrize("token", ["short", "with a line\nin the middle", "größer-als-sechzehn"])
def test_a_token_that_is_easy_to_guess_or_fits_no_header_is_refused(token: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="SLIPWAY_METRICS_TOKEN") as refusal:
        read_token({"SLIPWAY_METRICS_TOKEN": token})
    assert token not in str(refusal.value)


def test_a_token_may_stand_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    assert read_token({"SLIPWAY_METRICS_TOKEN_FILE": str(tmp_path / "token")}) == TOKEN


@pytest.mark.parametrize("port", ["0", "70000", "http"])
def test_a_port_that_is_none_is_refused(port: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="SLIPWAY_WORKER_METRICS_PORT is"):
        read_worker_port({"SLIPWAY_WORKER_METRICS_PORT": port}, TOKEN)


def test_a_port_without_a_token_is_refused_since_nobody_could_scrape_there() -> None:
    with pytest.raises(ImproperlyConfigured, match="SLIPWAY_METRICS_TOKEN is not"):
        read_worker_port({"SLIPWAY_WORKER_METRICS_PORT": "9108"}, "")


def test_unset_means_that_a_worker_serves_nothing() -> None:
    assert read_worker_port({}, "") is None


def test_each_console_of_a_machine_has_a_folder_that_only_it_may_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    one, other = (prepare_folder({}, Path(var)) for var in ("/one", "/other"))
    assert one != other
    assert one.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ImproperlyConfigured, match="SLIPWAY_METRICS_FOLDER is"):
        prepare_folder({"SLIPWAY_METRICS_FOLDER": str(tmp_path / "file" / "below")}, tmp_path)
