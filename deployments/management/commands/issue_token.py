"""Makes an API token for a person and prints it once; only its hash is kept."""

from argparse import ArgumentParser

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from deployments.exceptions import TooManyTokens
from deployments.services.auditing import Origin
from deployments.services.tokens import issue_token


class Command(BaseCommand):
    """`manage.py issue_token USER`."""

    help = "Make an API token for a person and print it; it is shown this once only."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the name that the person signs in with."""
        parser.add_argument("user", help="the name that the person signs in with")

    def handle(self, *_args: object, **options: str) -> None:
        """Print the token alone, so that a script can take it."""
        user = User.objects.filter(username=options["user"]).first()
        if user is None:
            raise CommandError(f"there is no user {options['user']}")
        if not user.is_active:
            raise CommandError(f"{user.username} is not active; activate the account first")
        try:
            token = issue_token(user, by=None, origin=Origin())
        except TooManyTokens as refusal:
            raise CommandError(refusal.message) from refusal
        self.stdout.write(token)
