"""Finds both ends of an act by its operation id, and names faces as they are shown."""

from typing import Any

from django.db import migrations, models

RENAMED = {"web": "page", "system": "reconciler", "catalogue": "admin"}


def name_faces(apps: Any, _editor: Any) -> None:
    """Give the entries there are the names of today."""
    entries = apps.get_model("deployments", "AuditEntry").objects
    for old, new in RENAMED.items():
        entries.filter(source=old).update(source=new)


class Migration(migrations.Migration):
    dependencies = (("deployments", "0007_changes"),)

    operations = (
        migrations.AddIndex(
            model_name="auditentry",
            index=models.Index(fields=("operation_id",), name="audit_by_operation"),
        ),
        migrations.RunPython(name_faces, migrations.RunPython.noop),
    )
