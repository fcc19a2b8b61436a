"""Redis goes away, refusing or silent: pages and launches work, the console says so, and once it
is back the workers and the clock go on by themselves.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from redis import Redis, RedisError

from deployments.models import Deployment
from tests.cluster.harness.api import Api
from tests.cluster.harness.processes import Process
from tests.cluster.waiting import wait_for
from tests.ports import free_port
from tests.processes.browsing import Visitor
from tests.processes.conftest import Order
from tests.processes.console import START_SECONDS, Console
from tests.processes.launcher import CREATED, OK, SETTLING_SECONDS
from tests.processes.world import faults_left, is_settled

PASSWORD = "correct horse"
FOUND = 302
MISSING = "redis-server is missing; on Debian: apt-get install redis-server"


class Server:
    """A Redis of this test's own."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1"]
        command += ["--save", "", "--dir", str(folder)]
        self.process = Process("redis", command, folder / "redis.log")

    def start(self) -> None:
        self.process.start()
        self.process.wait_until(self._answers, seconds=START_SECONDS)

    def leave(self, how: str) -> None:
        if how == "down":
            self.process.kill()
        else:
            self.process.freeze()

    def come_back(self, how: str) -> None:
        if how == "down":
            self.start()
        else:
            self.process.resume()

    def _answers(self) -> bool:
        try:
            with Redis(port=self.port) as redis:
                return bool(redis.ping())
        except RedisError:
            return False


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Server]:
    if shutil.which("redis-server") is None:
        if os.environ.get("CI") == "true":
            pytest.fail(MISSING, pytrace=False)
        pytest.skip(MISSING)
    server = Server(tmp_path)
    server.start()
    yield server
    server.process.kill()


@pytest.mark.parametrize("how", ["down", "silent"])
def test_without_redis_pages_work_and_afterwards_so_does_the_rest(
    console: Console, cluster_api: Api, redis: Server, order: Order, how: str
) -> None:
    User.objects.create_superuser("ada", password=PASSWORD)
    console.environment["REDIS_URL"] = f"redis://127.0.0.1:{redis.port}/0"
    console.start_web(workers=1, threads=4)
    console.start_background(workers=1)
    assert console.call("POST", "deployments", order("before")).status == CREATED
    wait_for(is_settled, SETTLING_SECONDS, "the first launch is Ready", every=0.5)
    assert queue_of(console) == "ok"

    redis.leave(how)
    visitor = Visitor(console.port)
    assert visitor.sign_in("ada", PASSWORD) == FOUND
    for page in ("/deployments", f"/deployments/{Deployment.objects.get().pk}", "/clusters"):
        assert visitor.get(page) == OK
    assert console.call("POST", "deployments", order("during")).status == CREATED
    assert console.call("GET", "deployments").body["count"] == 2
    assert queue_of(console) == "down"

    redis.come_back(how)
    wait_for(is_settled, SETTLING_SECONDS, "worker and clock go on", every=0.5)
    wait_for(lambda: queue_of(console) == "ok", SETTLING_SECONDS, "the queue answers", every=0.5)
    assert faults_left(cluster_api, "before", "during") == []


def queue_of(console: Console) -> str:
    """Return how the queue is; the console answers that it serves, whatever that is."""
    answer = console.call("GET", "health/ready")
    assert answer.status == OK
    return str(answer.body["parts"]["queue"]["state"])
