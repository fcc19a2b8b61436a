import json
import logging
import logging.config
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from console.logs import name_request


@pytest.mark.django_db
def test_a_refused_request_is_logged_as_json_with_its_id_and_without_its_query(
    anonymous: Client, caplog: pytest.LogCaptureFixture
) -> None:
    configurator = logging.config.DictConfigurator(settings.LOGGING)
    formats: Any = settings.LOGGING["formatters"]
    formatter = configurator.configure_formatter(dict(formats["json"]))
    answer = anonymous.get("/nothing?token=abc")
    (record,) = [record for record in caplog.records if record.name == "django.request"]
    line = json.loads(formatter.format(record))
    assert line["request_id"] == answer.headers["X-Request-ID"]
    assert (line["path"], line["method"], line["status_code"]) == ("/nothing", "GET", 404)
    assert "abc" not in json.dumps(line)


def test_what_is_no_request_leaves_the_line_as_it_was() -> None:
    assert name_request(None, "", {"event": "x", "request": object()}) == {"event": "x"}
