import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.conf import LazySettings
from django.test import override_settings

from providers import registry

PROVIDER = """
from providers.testing.memory.provider import MemoryProvider


class Shelved(MemoryProvider):
    kind = {kind!r}
    aliases = {aliases!r}


provider = Shelved()
"""
MEMORY = "from providers.testing.memory.provider import MemoryProvider as M"
OPEN = "class P(M): door = D()\nprovider = P()"
CAPABLE = """
from providers.contract.protocols import Capabilities

class P(M): capabilities = Capabilities({})
provider = P()
"""


class Shelf:
    """A folder on the path, to which a test adds provider apps."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, app: str, kind: str, *aliases: str) -> str:
        return self.add_source(app, PROVIDER.format(kind=kind, aliases=aliases))

    def add_source(self, app: str, source: str) -> str:
        (self.folder / app).mkdir()
        (self.folder / app / "__init__.py").touch()
        (self.folder / app / "provider.py").write_text(source)
        return app


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shelf]:
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    registry.forget()
    yield Shelf(tmp_path)
    registry.forget()
    for name in set(sys.modules) - before:
        if name.startswith("shelved_"):
            del sys.modules[name]


@pytest.fixture
def two_providers(shelf: Shelf, settings: LazySettings) -> SimpleNamespace:
    settings.SLIPWAY_PROVIDERS = [
        shelf.add("shelved_plain", "k8s-deployment", "kubernetes"),
        shelf.add("shelved_storm", "stormservice"),
    ]
    return SimpleNamespace(kinds=["k8s-deployment", "stormservice"])


def test_providers_come_by_kind_in_the_order_of_the_setting(two_providers: SimpleNamespace) -> None:
    assert list(registry.providers()) == two_providers.kinds


@pytest.mark.usefixtures("two_providers")
@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ("kubernetes", "k8s-deployment"),
        ("k8s-deployment", "k8s-deployment"),
        ("stormservice", "stormservice"),
    ],
)
def test_a_provider_is_found_by_kind_and_by_alias(asked: str, kind: str) -> None:
    assert registry.get(asked).kind == kind


@pytest.mark.usefixtures("two_providers")
def test_an_unknown_kind_is_told_with_those_that_are_known() -> None:
    with pytest.raises(registry.UnknownKind) as caught:
        registry.get("helm")
    assert "'helm'" in caught.value.message
    assert "k8s-deployment, stormservice" in caught.value.message


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("import nowhere_at_all", "ModuleNotFoundError"),
        ("other = 1", "AttributeError"),
        ("provider = object()", "its provider has no kind"),
        ("def (", "SyntaxError"),
        (
            "class P: kind = 'odd'\nprovider = P()",
            "its provider lacks title, aliases, capabilities",
        ),
        (f"{MEMORY}\nclass P(M): aliases = 'odd'\nprovider = P()", "aliases as a tuple"),
        (f"{MEMORY}\nclass P(M): capabilities = None\nprovider = P()", "as a Capabilities"),
        (
            f"{MEMORY}\nclass P(M): list = None\nprovider = P()",
            "its provider's list cannot be called",
        ),
        (
            f"{MEMORY}\nclass P(M): kind = 'My Kind'\nprovider = P()",
            "its kind 'My Kind' must be small",
        ),
        (f"{MEMORY}\nclass P(M): aliases = (1,)\nprovider = P()", "aliases that are texts"),
        (
            f"{MEMORY}\nprovider = M",
            "is a class; make an object of it: provider = MemoryProvider()",
        ),
        (f"{MEMORY}\n{CAPABLE.format('topologies=[]')}", "topologies as a frozenset"),
        (f"{MEMORY}\n{CAPABLE.format('topologies=frozenset({3})')}", "some of disaggregated,"),
        (f"{MEMORY}\n{CAPABLE.format('rollouts=None')}", "rollouts as a frozenset"),
        (f"{MEMORY}\n{CAPABLE.format('rollouts=frozenset({3})')}", "rollouts as a frozenset"),
        (f"{MEMORY}\n{CAPABLE.format('watches=1')}", "watches as True or False"),
        ("raise SystemExit('no')", "SystemExit: no"),
        (
            f"{MEMORY}\nclass P(M):\n  @property\n  def title(self): return 1 / 0\nprovider = P()",
            "ZeroDivisionError: division by zero",
        ),
        (f"{MEMORY}\nclass P(M): door = 'kube'\nprovider = P()", "its provider's door has no name"),
        (
            f"{MEMORY}\nclass D: name, probe, read_shared = 'd', print, 1\n{OPEN}",
            "its provider's door has no read_shared that can be called",
        ),
    ],
)
def test_a_provider_that_does_not_import_is_kept_with_its_cause(
    shelf: Shelf, settings: LazySettings, source: str, cause: str
) -> None:
    good = shelf.add("shelved_good", "good")
    bad = shelf.add_source("shelved_bad", source)
    settings.SLIPWAY_PROVIDERS = [bad, good, "shelved_nowhere"]
    assert list(registry.providers()) == ["good"]
    assert cause in registry.broken()[bad]
    assert "shelved_nowhere" in registry.broken()["shelved_nowhere"]
    assert registry.importable([bad, good]) == ([good], {bad: registry.broken()[bad]})


def test_an_app_that_is_named_twice_is_installed_once(shelf: Shelf) -> None:
    good = shelf.add("shelved_good", "good")
    assert registry.importable([good, "shelved_nowhere", good])[0] == [good]


def test_of_two_apps_with_one_label_the_first_is_installed(
    shelf: Shelf, settings: LazySettings
) -> None:
    good = shelf.add("shelved_good", "good")
    (shelf.folder / "shelved_maker").mkdir()
    other = shelf.add("shelved_maker/shelved_good", "other").replace("/", ".")
    settings.SLIPWAY_PROVIDERS = [good, other]
    assert list(registry.providers()) == ["good"]
    assert registry.broken() == {other: "shelved_good has the app label 'shelved_good' already"}
    with override_settings(INSTALLED_APPS=registry.importable([good, other])[0]):
        assert apps.get_app_config("shelved_good").name == good


def test_two_providers_may_not_carry_the_same_kind(shelf: Shelf, settings: LazySettings) -> None:
    first = shelf.add("shelved_first", "k8s-deployment", "kubernetes")
    second = shelf.add("shelved_second", "other", "kubernetes")
    settings.SLIPWAY_PROVIDERS = [first, second]
    assert list(registry.providers()) == ["k8s-deployment"]
    assert "already carries kubernetes" in registry.broken()[second]


def test_an_app_whose_configuration_does_not_import_is_broken_too(
    shelf: Shelf, settings: LazySettings
) -> None:
    app = shelf.add("shelved_odd", "odd")
    (shelf.folder / app / "apps.py").write_text("1 / 0")
    settings.SLIPWAY_PROVIDERS = [app]
    assert registry.broken() == {app: "ZeroDivisionError: division by zero"}


def test_an_app_whose_configuration_is_of_another_app_is_broken_too(
    shelf: Shelf, settings: LazySettings
) -> None:
    app = shelf.add("shelved_odd", "odd")
    source = "from django.apps import AppConfig\nclass Odd(AppConfig): name = 'shelved_elsewhere'"
    (shelf.folder / app / "apps.py").write_text(source)
    settings.SLIPWAY_PROVIDERS = [app]
    assert "Cannot import 'shelved_elsewhere'" in registry.broken()[app]
