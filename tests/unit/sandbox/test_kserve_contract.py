"""`kserve-inferenceservice` passes the contract suite on the simulated cluster, with a stand-in."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from providers.contract.target import Connection
from providers.kserve.provider import provider as kserve
from providers.testing.controllers.running import Kserve, working
from providers.testing.sandbox_contract import SandboxContract


class TestInferenceServiceOnTheSandbox(SandboxContract):
    provider = kserve
    has_scale = False

    @pytest.fixture(scope="class", autouse=True)
    def controllers(self, kubeconfig: Path) -> Iterator[None]:
        with working(Kserve(Connection(kubeconfig=str(kubeconfig)))):
            yield
