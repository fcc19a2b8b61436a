"""`manage.py issue_token` prints a token that signs its person in, and keeps only its hash."""

from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import RequestFactory
from knox.auth import TokenAuthentication
from knox.models import AuthToken

from deployments.models import AuditEntry


def test_the_token_signs_its_person_in_and_is_stored_nowhere(owner: User) -> None:
    out = StringIO()

    call_command("issue_token", "olga", stdout=out)

    token = out.getvalue().strip()
    request = RequestFactory().get("/", headers={"authorization": f"Token {token}"})
    person, _ = TokenAuthentication().authenticate(request)
    assert person == owner
    assert token not in str(AuthToken.objects.values().get())
    entry = AuditEntry.objects.get(action="token.issue")
    assert token not in str(vars(entry))


@pytest.mark.django_db
def test_nobody_and_the_inactive_get_none(owner: User) -> None:
    with pytest.raises(CommandError, match="there is no user nobody"):
        call_command("issue_token", "nobody")
    User.objects.filter(pk=owner.pk).update(is_active=False)
    with pytest.raises(CommandError, match="not active"):
        call_command("issue_token", "olga")
    assert not AuthToken.objects.exists()
