"""Lets an operation put back what others changed, as far as a person has agreed to that."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("deployments", "0008_audit"),
    ]

    operations = [
        migrations.AddField(
            model_name="operation",
            name="agreed",
            field=models.JSONField(default=list),
        ),
        migrations.AlterField(
            model_name="operation",
            name="verb",
            field=models.CharField(
                choices=[
                    ("create", "Create"),
                    ("update", "Update"),
                    ("rollback", "Rollback"),
                    ("stop", "Stop"),
                    ("start", "Start"),
                    ("redeploy", "Redeploy"),
                    ("reapply", "Reapply"),
                    ("put_back", "Put Back"),
                    ("delete", "Delete"),
                ],
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="revision",
            name="verb",
            field=models.CharField(
                choices=[
                    ("create", "Create"),
                    ("update", "Update"),
                    ("rollback", "Rollback"),
                    ("stop", "Stop"),
                    ("start", "Start"),
                    ("redeploy", "Redeploy"),
                    ("reapply", "Reapply"),
                    ("put_back", "Put Back"),
                    ("delete", "Delete"),
                ],
                default="create",
                max_length=10,
            ),
        ),
    ]
