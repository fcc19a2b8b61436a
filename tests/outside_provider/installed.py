"""A package outside the checkout, built and installed by pip as a stranger would."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).parent / "acme_replicas"
CHECKOUT = Path(__file__).parents[2]
APP = "acme_replicas"


@dataclass(frozen=True, kw_only=True)
class Outside:
    """The package: its source outside the checkout, and the folder that pip installed it into."""

    source: Path
    installed: Path

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a module of Python where the package is installed beside the console."""
        path = os.pathsep.join([str(self.installed), str(CHECKOUT)])
        return subprocess.run(  # noqa: S603 - this very Python, with arguments of our own
            [sys.executable, "-m", *arguments],
            cwd=self.source,
            env={**_without_settings(), "PYTHONPATH": path},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )


def forget_package() -> None:
    """Let the next import look for the package again."""
    for name in [name for name in sys.modules if name.partition(".")[0] == APP]:
        del sys.modules[name]


def _without_settings() -> dict[str, str]:
    """Return the environment as a stranger has it, who knows nothing of the console's settings."""
    return {name: text for name, text in os.environ.items() if not name.startswith("DJANGO_")}
