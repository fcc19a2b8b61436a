"""`manage.py import_templates FILE... [--activate]`: each file whole or not at all."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from templates_app.exceptions import CatalogueError
from templates_app.yamlio import ImportReport, import_and_activate, import_templates


class Command(BaseCommand):
    help = "Import templates from YAML files; without --activate they come in as drafts."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the files and the switch."""
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument(
            "--activate",
            action="store_true",
            help="bring each template to the status that its document names",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Import file by file and print what was done; the first refused file ends it."""
        act = import_and_activate if options["activate"] else import_templates
        for path in options["files"]:
            try:
                report = act(_text_of(path), by=None)
            except CatalogueError as refusal:
                raise CommandError(_told(path, refusal)) from refusal
            self.stdout.write(f"{path}: {_counted(report)}")


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path} cannot be read: {error}") from error


def _told(path: Path, refusal: CatalogueError) -> str:
    told = ((field, text) for field, texts in refusal.fields.items() for text in texts)
    faults = [f"  {field}: {text}" if field else f"  {text}" for field, text in told]
    return "\n".join((f"{path} was not imported:", *(faults or [f"  {refusal.message}"])))


def _counted(report: ImportReport) -> str:
    return (
        f"{len(report.created)} created, {len(report.updated)} updated, "
        f"{len(report.unchanged)} unchanged"
    )
