"""The catalogue in Django's admin: forms over the services, and nothing that those forbid."""

from templates_app.admin.models import ModelAdmin, ModelVersionAdmin
from templates_app.admin.templates import TemplateAdmin

__all__ = ["ModelAdmin", "ModelVersionAdmin", "TemplateAdmin"]
