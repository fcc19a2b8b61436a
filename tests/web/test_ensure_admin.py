import re
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from deployments.models import AuditEntry

pytestmark = pytest.mark.django_db


def ensure_admin() -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("ensure_admin", stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_the_password_that_is_printed_opens_the_console() -> None:
    told, _ = ensure_admin()
    found = re.search(r"Sign in as admin with the password (\S{16})", told)
    assert found
    client = Client()
    client.post("/sign-in", {"username": "admin", "password": found[1]})
    assert client.get("/admin/").status_code == 200


def test_the_trail_begins_with_who_was_made_and_not_with_the_password() -> None:
    told, _ = ensure_admin()
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.object_name, entry.source) == ("user.create", "admin", "command")
    assert told.split()[7] not in str(AuditEntry.objects.values().get())


def test_the_second_start_prints_and_changes_nothing() -> None:
    ensure_admin()
    before = User.objects.get().password
    assert ensure_admin() == ("", "")
    assert User.objects.get().password == before


def test_an_inactive_administrator_counts_for_nothing_and_a_taken_name_is_said() -> None:
    User.objects.create_superuser("admin", password="x", is_active=False)
    told, warned = ensure_admin()
    assert told == ""
    assert "createsuperuser" in warned
