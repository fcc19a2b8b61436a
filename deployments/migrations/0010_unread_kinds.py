"""Keeps which kinds the last full pass over a cluster could not read."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("deployments", "0009_put_back"),
    ]

    operations = [
        migrations.AddField(
            model_name="cluster",
            name="unread_kinds",
            field=models.JSONField(default=dict, editable=False),
        ),
    ]
