"""Makes the first administrator, so that a fresh console can be entered at all."""

import secrets
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand
from django.db import IntegrityError, transaction

from deployments.services.auditing import Act, Outcome, record_audit

NAME = "admin"


class Command(BaseCommand):
    help = "Make the user 'admin' with a generated password, unless there is an administrator."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the password once, when the user is made; it is kept nowhere else."""
        del args, options
        users = get_user_model().objects
        if users.filter(is_superuser=True, is_active=True).exists():
            return
        password = secrets.token_urlsafe(12)
        try:
            with transaction.atomic():
                _tell(users.create_superuser(NAME, password=password))
        except IntegrityError:
            self.stderr.write(
                f"There is no active administrator, and the name {NAME!r} is taken; "
                "make one with manage.py createsuperuser."
            )
            return
        self.stdout.write(f"Sign in as {NAME} with the password {password} (told only this once).")


def _tell(user: Any) -> None:
    act = Act(
        action="user.create",
        object_type="user",
        object_id=str(user.pk),
        object_name=NAME,
        outcome=Outcome.SUCCEEDED,
        after={"username": NAME, "is_superuser": True},
    )
    record_audit(act)
