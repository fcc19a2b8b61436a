"""Whether the console is well: each part for itself, and no part keeps the answer waiting."""

import json
import os
import re
import subprocess
import sys
import uuid
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone
from redis import Redis
from rest_framework.test import APIClient

from console.environment import KubernetesEnvironment
from console.health.queue_depth import queue_depth
from deployments.models import Heartbeat
from deployments.services.heartbeat import REFRESHING, WATCHING, beat
from tests.silent import silent_server

ROOT = Path(__file__).parents[2]
ASK_WITHOUT_A_DATABASE = """
import django, json
django.setup()
from rest_framework.test import APIClient
answer = APIClient().get("/api/v1/health/ready", headers={"host": "localhost"})
print(json.dumps([answer.status_code, answer.json()]))
"""


@pytest.fixture(autouse=True)
def _own_queue(settings: LazySettings, tmp_path: Path) -> None:
    settings.REDIS_URL = ""
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {"data_folder_in": str(tmp_path / "queue")}


def ask(path: str = "") -> tuple[int, Any]:
    response = APIClient().get(f"/api/v1/health/ready{path}")
    return response.status_code, response.json()


@pytest.mark.django_db(transaction=True)
def test_all_is_well_when_every_part_answers_and_the_background_work_acts() -> None:
    beat()
    status, answer = ask("?for=everything")
    assert (status, answer["status"]) == (200, "ok")
    assert {part["state"] for part in answer["parts"].values()} == {"ok"}
    assert set(answer["parts"]) == {"database", "queue", "cache", "reconciler"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("ago", [None, timedelta(hours=1)])
def test_late_background_work_is_told_but_takes_no_page_out_of_service(
    ago: timedelta | None,
) -> None:
    if ago:
        Heartbeat.objects.create(name=REFRESHING, at=timezone.now() - ago)
    status, answer = ask()
    assert (status, answer["status"]) == (200, "degraded")
    assert answer["parts"]["reconciler"]["state"] == "late"
    assert "are worker and clock running?" in answer["parts"]["reconciler"]["message"]
    assert ask("?for=everything")[0] == 503


@pytest.mark.django_db(transaction=True)
def test_background_work_of_a_time_to_come_is_no_proof_that_it_acts() -> None:
    Heartbeat.objects.create(name=REFRESHING, at=timezone.now() + timedelta(hours=1))
    status, answer = ask("?for=everything")
    assert (status, answer["parts"]["reconciler"]["state"]) == (503, "late")
    assert "was a clock set back" in answer["parts"]["reconciler"]["message"]


@pytest.mark.django_db(transaction=True)
def test_a_watcher_that_was_seen_to_act_is_a_part_and_late_once_it_does_not() -> None:
    beat()
    beat(WATCHING)
    assert ask("?for=everything")[1]["parts"]["watcher"]["state"] == "ok"
    Heartbeat.objects.filter(name=WATCHING).update(at=timezone.now() - timedelta(minutes=2))
    status, answer = ask()
    assert (status, answer["status"]) == (200, "degraded")
    assert answer["parts"]["watcher"]["state"] == "late"
    assert re.fullmatch(
        r"The watcher acted 12\d s ago, which is late: is it running\? "
        r"Until then changes are known with the next pass\.",
        answer["parts"]["watcher"]["message"],
    )


@pytest.mark.django_db(transaction=True)
def test_a_watcher_that_is_wanted_and_never_acted_is_told_of(settings: LazySettings) -> None:
    settings.WATCH, settings.K8S = True, KubernetesEnvironment(kubeconfig="/etc/kubeconfig")
    beat()
    answer = ask()[1]
    assert answer["parts"]["watcher"]["state"] == "late"
    assert answer["parts"]["watcher"]["message"].startswith("The watcher has never acted")


@pytest.mark.django_db(transaction=True)
def test_a_silent_redis_is_told_in_time_and_takes_no_page_out_of_service(
    settings: LazySettings,
) -> None:
    beat()
    with silent_server() as address:
        settings.REDIS_URL = f"redis://{address}/0"
        status, answer = ask()
    assert (status, answer["status"]) == (200, "degraded")
    assert answer["parts"]["queue"]["state"] == "down"
    assert answer["parts"]["database"]["state"] == "ok"


@pytest.mark.django_db(transaction=True)
def test_the_messages_that_wait_are_counted(tmp_path: Path) -> None:
    folder = tmp_path / "queue"
    folder.mkdir()
    for name in ("1_a.slipway.msg", "2_b.slipway.msg", "3_c.other.msg", "4_d.slipway.msg.taken"):
        (folder / name).touch()
    _, answer = ask()
    assert answer["parts"]["queue"]["message"] == "The queue answers; 2 messages wait in it."


@pytest.mark.skipif("REDIS_URL" not in os.environ, reason="needs a Redis; see .ci/with-redis")
def test_the_messages_that_wait_in_redis_are_counted(settings: LazySettings) -> None:
    settings.REDIS_URL = os.environ["REDIS_URL"]
    settings.CELERY_TASK_DEFAULT_QUEUE = f"counted-{uuid.uuid4()}"
    with closing(Redis.from_url(settings.REDIS_URL)) as redis:
        redis.lpush(settings.CELERY_TASK_DEFAULT_QUEUE, "one", "two")
        try:
            assert queue_depth() == 2
        finally:
            redis.delete(settings.CELERY_TASK_DEFAULT_QUEUE)


def test_a_wrong_purpose_is_refused_by_name() -> None:
    status, answer = ask("?for=fun")
    assert (status, list(answer["fields"])) == (400, ["for"])


def test_a_silent_database_is_not_ready_and_the_password_is_nowhere(tmp_path: Path) -> None:
    with silent_server() as address:
        run = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-c", ASK_WITHOUT_A_DATABASE],
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
            cwd=ROOT,
            env={
                "DJANGO_SETTINGS_MODULE": "console.settings",
                "DATABASE_URL": f"postgres://slipway:swordfish@{address}/slipway",
                "SLIPWAY_VAR": str(tmp_path),
            },
        )
    status, answer = json.loads(run.stdout)
    assert (status, answer["status"]) == (503, "not ready")
    assert answer["parts"]["database"]["state"] == "down"
    assert answer["parts"]["queue"]["state"] == "ok"
    assert "swordfish" not in run.stdout + run.stderr
