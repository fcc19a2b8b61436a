"""A provider that lives outside: its source is copied away, built, and installed by pip."""

import shutil
from collections.abc import Iterator

import pytest
from django.conf import LazySettings

from providers import registry
from tests.outside_provider.installed import APP, SOURCE, Outside, forget_package

collect_ignore = ["acme_replicas"]  # the package runs its own tests, where it was installed


@pytest.fixture(scope="session")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Outside:
    """Install the package by pip, without a network."""
    folder = tmp_path_factory.mktemp("outside")
    package = Outside(source=folder / "source", installed=folder / "installed")
    shutil.copytree(SOURCE, package.source)
    offline = ("--no-index", "--no-deps", "--no-build-isolation")
    built = package.run("pip", "install", *offline, "--target", str(package.installed), ".")
    assert built.returncode == 0, built.stderr
    return package


@pytest.fixture
def named(
    outside: Outside, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Name the installed package in the setting, beside the console's own provider."""
    monkeypatch.syspath_prepend(outside.installed)
    settings.SLIPWAY_PROVIDERS = ["providers.kubernetes", APP]
    registry.forget()
    yield
    registry.forget()
    forget_package()
