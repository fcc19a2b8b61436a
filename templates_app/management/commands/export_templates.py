"""`manage.py export_templates [--model ID] [--status STATUS]`: templates in the file form."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from templates_app.exceptions import CatalogueError
from templates_app.selectors import find_model, models_for, templates_of
from templates_app.yamlio import export_templates


class Command(BaseCommand):
    help = "Print templates as YAML, in the form that import_templates takes."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the filters."""
        parser.add_argument("--model", default="", metavar="ID", help="of this model only")
        parser.add_argument("--status", default="", help="draft, active or deprecated ones only")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print one document per template."""
        try:
            wanted = options["model"]
            models = [find_model(wanted)] if wanted else list(models_for())
            templates = [
                template
                for model in models
                for template in templates_of(model, status=options["status"])
            ]
        except CatalogueError as refusal:
            raise CommandError(refusal.message) from refusal
        self.stdout.write(export_templates(templates), ending="")
