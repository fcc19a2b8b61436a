"""Later revisions of a deployment, as a change would have stored them."""

from django.utils import timezone

from deployments.models import Deployment, Revision


def add_revision(deployment: Deployment, **changes: object) -> Revision:
    """Store one more revision like the wanted one but for some columns, and have it wanted."""
    last = deployment.revisions.latest("number")
    values = {
        field.attname: getattr(last, field.attname)
        for field in Revision._meta.concrete_fields
        if not field.primary_key
    }
    values |= {"number": last.number + 1, "verb": "update", "reason": "", **changes}
    added = Revision(**{**values, "created_at": timezone.now()})
    added.save()
    Deployment.objects.filter(pk=deployment.pk).update(revision=added.number)
    deployment.refresh_from_db()
    return added
