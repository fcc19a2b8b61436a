"""`stormservice` passes the contract suite on the simulated cluster, by the stand-in's help."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from providers.contract.target import Connection
from providers.stormservice.provider import provider as stormservice
from providers.testing.controllers.running import Aibrix, working
from providers.testing.sandbox_contract import SandboxContract


class TestStormServiceOnTheSandbox(SandboxContract):
    provider = stormservice

    @pytest.fixture(scope="class", autouse=True)
    def controllers(self, kubeconfig: Path) -> Iterator[None]:
        with working(Aibrix(Connection(kubeconfig=str(kubeconfig)))):
            yield
