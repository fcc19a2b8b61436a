"""The walls between the rooms are only worth something if they fall down loudly."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("console", "deployments", "templates_app", "providers")

# One import per wall that nobody may write; the file is added to a copy of the rooms.
TRESPASSES = {
    "templates_app/trespass.py": "import deployments.models",
    "providers/engines/trespass.py": "import providers.workload",
    "deployments/trespass.py": "import providers.kube\nimport kubernetes",
    "providers/workload/trespass.py": "import time\nimport django",
    "providers/sandbox/trespass.py": "import providers.kube",
    "providers/second/__init__.py": "import providers.kubernetes",
    "providers/kubernetes/trespass.py": "import providers.second\nimport providers.testing",
}


def test_every_wall_reports_who_climbs_over_it(tmp_path: Path) -> None:
    for room in ROOMS:
        shutil.copytree(
            ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__", "*.yaml")
        )
    for name, source in TRESPASSES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(source)
    # The wall between providers is there for every provider; a second one makes it visible.
    text = (ROOT / "pyproject.toml").read_text()
    config = text.replace(
        'modules = ["providers.kubernetes"',
        'modules = ["providers.kubernetes", "providers.second"',
    )
    (tmp_path / "pyproject.toml").write_text(config)

    told = _lint(tmp_path)

    names = [each["name"] for each in tomllib.loads(text)["tool"]["importlinter"]["contracts"]]
    standing = [name for name in names if f"{name} BROKEN" not in told]
    assert standing == []


def _lint(folder: Path) -> str:
    done = subprocess.run(  # noqa: S603 our own tool on our own copy
        [Path(sys.executable).parent / "lint-imports", "--no-logo", "--no-cache"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder), "COLUMNS": "1000"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout
