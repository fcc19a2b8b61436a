"""`manage.py load_catalog [--activate]`: the seed catalogue, as often as wanted."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from templates_app.exceptions import CatalogueError
from templates_app.seeding import load_and_activate_catalog, load_catalog


class Command(BaseCommand):
    help = "Create the models and templates of the seed catalogue that are missing."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the switch."""
        parser.add_argument(
            "--activate",
            action="store_true",
            help="offer what is created at once, where its file says active",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Load and print what was done."""
        load = load_and_activate_catalog if options["activate"] else load_catalog
        try:
            counts = load()
        except CatalogueError as refusal:
            raise CommandError(refusal.message) from refusal
        for what, count in sorted(counts.items()):
            self.stdout.write(f"{count} {what}")
