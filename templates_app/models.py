"""The catalogue as it is stored: models, their versions, and the templates that serve them.

Records only. What may be written is decided in `entries`, when it may be written in `services`;
this room knows neither engines nor clusters.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, ClassVar, Self

from django.conf import settings
from django.db import models

from providers.contract.versions import VersionKey, version_key
from templates_app.names import (
    KEY_LENGTH,
    NAME_LENGTH,
    SLUG_LENGTH,
    VERSION_LENGTH,
    name_key,
    version_slug,
)

if TYPE_CHECKING:
    from collections.abc import Iterable


def _joined(words: Iterable[str]) -> str:
    keys = [name_key(word) for word in words]
    return f"|{'|'.join(keys)}|" if keys else ""


class ModelQuerySet(models.QuerySet["Model"]):
    def matching(self, text: str) -> Self:
        """Keep models whose name, id, serving name, description or tags hold every word given."""
        found = self
        for word in name_key(text).split():
            found = found.filter(search_text__contains=word)
        return found

    def in_category(self, category: str) -> Self:
        """Keep models of one category, whatever its case."""
        return self.filter(category_keys__contains=_joined([category]))

    def with_active_count(self) -> Self:
        """Give each model `active_count`: how many of its templates can be launched."""
        active = models.Q(templates__status=ModelDeploymentTemplate.Status.ACTIVE)
        return self.annotate(active_count=models.Count("templates", filter=active))


class Model(models.Model):
    """A model that can be served; `serving_name` is what clients put into `model`.

    `context_length` is in tokens, `parameters` a count. The key columns follow from the others.
    """

    id = models.SlugField(primary_key=True, max_length=SLUG_LENGTH)
    name = models.CharField(max_length=NAME_LENGTH)
    name_key = models.CharField(max_length=KEY_LENGTH, unique=True, editable=False)
    serving_name = models.CharField(max_length=NAME_LENGTH)
    categories = models.JSONField(default=list, blank=True)
    category_keys = models.TextField(editable=False, default="")
    description = models.TextField(blank=True, default="")
    context_length = models.IntegerField(null=True, blank=True)
    parameters = models.BigIntegerField(null=True, blank=True)
    licence = models.CharField(max_length=200, blank=True, default="")
    tags = models.JSONField(default=list, blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    specification = models.JSONField(default=dict, blank=True)
    pricing = models.JSONField(default=dict, blank=True)
    search_text = models.TextField(editable=False, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = ModelQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["name_key"]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the record with its keys worked out anew."""
        self.name_key = name_key(self.name)
        self.category_keys = _joined(self.categories)
        texts = (self.name, self.id, self.serving_name, self.description, *self.tags)
        self.search_text = "\n".join(name_key(text) for text in texts)
        super().save(*args, **kwargs)


class ModelVersion(models.Model):
    """A registered version of a model: where these weights come from, under a label."""

    model = models.ForeignKey(Model, on_delete=models.CASCADE, related_name="versions")
    label = models.CharField(max_length=NAME_LENGTH)
    label_key = models.CharField(max_length=KEY_LENGTH, editable=False)
    source_type = models.CharField(max_length=20)
    uri = models.CharField(max_length=500)
    revision = models.CharField(max_length=200, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["model", "label_key"], name="one_version_per_label"),
        ]

    def __str__(self) -> str:
        return f"{self.model_id} {self.label}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the record with the key of its label."""
        self.label_key = name_key(self.label)
        super().save(*args, **kwargs)


class TemplateQuerySet(models.QuerySet["ModelDeploymentTemplate"]):
    def active(self) -> Self:
        """Keep what may be launched."""
        return self.filter(status=ModelDeploymentTemplate.Status.ACTIVE)

    def named(self, name: str) -> Self:
        """Keep every version of one name."""
        return self.filter(name=name)

    def at_version(self, version: str) -> Self:
        """Keep the templates of one version, however it is spelt; an impossible one has none."""
        try:
            return self.filter(version_key=version_slug(version))
        except ValueError:
            return self.none()


class ModelDeploymentTemplate(models.Model):
    """One way to serve a model; frozen but for its status once it has been active.

    `version_key` is the one spelling that v1.0 and 1.0.0 share: they would be the same version
    in the order that decides which is the latest, so only one of them may exist.
    """

    class Status(models.TextChoices):
        DRAFT = "draft", "Draft"
        ACTIVE = "active", "Active"
        DEPRECATED = "deprecated", "Deprecated"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    model = models.ForeignKey(Model, on_delete=models.PROTECT, related_name="templates")
    name = models.SlugField(max_length=SLUG_LENGTH)
    version = models.CharField(max_length=VERSION_LENGTH)
    version_key = models.CharField(max_length=2 * VERSION_LENGTH, editable=False)
    status = models.CharField(
        max_length=20, choices=Status.choices, default=Status.DRAFT, editable=False
    )
    spec = models.JSONField(default=dict)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        editable=False,
        related_name="+",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = TemplateQuerySet.as_manager()

    class Meta:
        verbose_name = "deployment template"
        ordering: ClassVar = ["model_id", "name", "created_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["model", "name", "version_key"], name="one_template_per_version"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["model", "status"], name="templates_by_status")]

    def __str__(self) -> str:
        return f"{self.model_id} {self.name} {self.version}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the record with the key of its version; raises ValueError for an impossible one."""
        self.version_key = version_slug(self.version)
        super().save(*args, **kwargs)

    @property
    def is_frozen(self) -> bool:
        """Tell whether only the status may still change."""
        return self.status != self.Status.DRAFT

    @property
    def order(self) -> VersionKey:
        """Return the place of this version among the others of its name."""
        return version_key(self.version)
