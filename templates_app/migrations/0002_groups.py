"""Create the four groups that give people their roles."""

from django.db import migrations

GROUPS = ("viewer", "deployer", "curator", "admin")


def create_groups(apps, schema_editor):
    group = apps.get_model("auth", "Group")
    for name in GROUPS:
        group.objects.using(schema_editor.connection.alias).get_or_create(name=name)


class Migration(migrations.Migration):
    dependencies = [
        ("templates_app", "0001_initial"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    # Backwards the groups stay: people may be in them.
    operations = [migrations.RunPython(create_groups, migrations.RunPython.noop)]
