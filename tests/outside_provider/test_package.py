"""What a stranger does with a package of their own, as docs/add-a-provider.md has it."""

import re
from pathlib import Path

from tests.outside_provider.installed import CHECKOUT, SOURCE, Outside

GUIDE = CHECKOUT / "docs" / "add-a-provider.md"
FILE = re.compile(r"^`(\S+)`:\n\n```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_it_passes_the_contract_suite_where_it_was_installed(outside: Outside) -> None:
    ran = outside.run("pytest", "-q", "-p", "no:django", "-p", "no:cacheprovider")
    assert ran.returncode == 0, ran.stdout[-4000:]
    passed = re.search(r"(\d+) passed", ran.stdout)
    assert passed is not None
    assert int(passed[1]) > 70, "the whole suite ran, and not some part of it"


def test_pip_lists_what_it_installed_and_nothing_of_the_checkout(outside: Outside) -> None:
    found = {path.name for path in outside.installed.iterdir()}
    assert found == {"acme_replicas", "acme_replicas-1.0.0.dist-info"}


def test_the_guide_has_the_files_of_the_package_as_they_are() -> None:
    blocks = FILE.findall(GUIDE.read_text())
    assert {name for name, _ in blocks} == set(_files(SOURCE))
    for name, text in blocks:
        assert text == (SOURCE / name).read_text(), f"{name} differs from the guide"


def _files(folder: Path) -> list[str]:
    kept = [path for path in folder.rglob("*") if path.suffix in {".py", ".toml"}]
    return [str(path.relative_to(folder)) for path in kept]
