"""The forms of the catalogue: they read like every other face, through `entries`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms

from providers.contract.errors import InvalidRequest
from providers.contract.yaml_text import load_yaml
from templates_app.admin.fields import EDITOR, WordsField, YamlField, as_yaml
from templates_app.entries import (
    ModelEntry,
    TemplateEntry,
    VersionEntry,
    parse_model,
    parse_template,
    parse_version,
)
from templates_app.exceptions import Invalid
from templates_app.models import Model, ModelDeploymentTemplate, ModelVersion
from templates_app.names import name_key
from templates_app.yaml_lines import documents_in, line_of

if TYPE_CHECKING:
    _AnyForm = forms.ModelForm[Any]  # a generic class to the stubs only
else:
    _AnyForm = forms.ModelForm

_SOURCES = ("huggingface", "s3", "local")


class ModelForm(_AnyForm):
    """A model; `entry` is what to store once the form is valid."""

    id = forms.CharField(required=False, help_text="Made from the name when left empty.")
    serving_name = forms.CharField(
        required=False, help_text="What clients put into the field model; the id when left empty."
    )
    categories = WordsField(required=False, help_text="Separated by commas.")
    tags = WordsField(required=False, help_text="Separated by commas.")
    metadata = YamlField(required=False, help_text="YAML.")
    specification = YamlField(required=False, help_text="YAML.")
    pricing = YamlField(required=False, help_text="YAML.")
    entry: ModelEntry | None = None

    class Meta:
        model = Model
        fields: ClassVar = [
            "id",
            "name",
            "serving_name",
            "categories",
            "description",
            "context_length",
            "parameters",
            "licence",
            "tags",
            "metadata",
            "specification",
            "pricing",
        ]

    def clean(self) -> dict[str, Any]:
        """Read the fields as a model; a taken name or id is told beside it."""
        given = {field: value for field, value in self.cleaned_data.items() if value != ""}
        try:
            self.entry = parse_model(given)
        except Invalid as refusal:
            _show(self, refusal.fields)
        others = Model.objects.exclude(pk=self.instance.pk)
        if others.filter(name_key=name_key(given.get("name", ""))).exists():
            self.add_error("name", "There is already a model of this name.")
        if self.instance._state.adding and Model.objects.filter(pk=given.get("id")).exists():  # noqa: SLF001 - Django's documented flag
            self.add_error("id", "There is already a model of this id.")
        return self.cleaned_data


class VersionForm(_AnyForm):
    """A registered version; `entry` is what to store once the form is valid."""

    source_type = forms.ChoiceField(
        choices=[(kind, kind) for kind in ("huggingface", "s3", "local")]
    )
    entry: VersionEntry | None = None

    class Meta:
        model = ModelVersion
        fields: ClassVar = ["model", "label", "source_type", "uri", "revision"]

    def clean(self) -> dict[str, Any]:
        """Read the fields as a version; a taken label is told beside it."""
        given = {field: value for field, value in self.cleaned_data.items() if field != "model"}
        try:
            self.entry = parse_version(given)
        except Invalid as refusal:
            _show(self, refusal.fields)
        model = self.cleaned_data.get("model")
        label = name_key(given.get("label", ""))
        if model and model.versions.filter(label_key=label).exists():
            self.add_error("label", "This model already has a version of this label.")
        return self.cleaned_data


class TemplateForm(_AnyForm):
    """A draft; `entry` is what to store once the form is valid."""

    spec_text = forms.CharField(
        label="Spec",
        strip=False,
        widget=forms.Textarea(attrs=EDITOR),
        help_text="YAML; what stands under spec in a template file.",
    )
    entry: TemplateEntry | None = None

    class Meta:
        model = ModelDeploymentTemplate
        fields: ClassVar = ["model", "name", "version"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Show the stored spec as YAML."""
        super().__init__(*args, **kwargs)
        if self.instance.spec:
            self.initial["spec_text"] = as_yaml(self.instance.spec)

    def clean(self) -> dict[str, Any]:
        """Read name, version and spec as a template; each fault is told with path and line."""
        given = self.cleaned_data
        text = given.get("spec_text", "")
        try:
            document = load_yaml(text, at="")
            self.entry = parse_template(
                name=given.get("name", ""), version=given.get("version", ""), spec=document
            )
        except InvalidRequest as refusal:
            self.add_error("spec_text", refusal.message)
        except Invalid as refusal:
            _show(self, _with_lines(refusal.fields, text))
        if self.entry:
            self._refuse_taken_version(self.entry)
        return self.cleaned_data

    def _refuse_taken_version(self, entry: TemplateEntry) -> None:
        model = self.cleaned_data.get("model") or getattr(self.instance, "model", None)
        same = ModelDeploymentTemplate.objects.filter(model=model).named(entry.name)
        if same.at_version(entry.version).exclude(pk=self.instance.pk).exists():
            self.add_error("version", "This model already has this version of this name.")


def _show(form: _AnyForm, faults: Mapping[str, tuple[str, ...]]) -> None:
    """Put each fault beside the field that its path begins with."""
    for path, texts in faults.items():
        first, _, below = path.partition(".")
        field = "spec_text" if first == "spec" else first
        if field in form.errors:  # Django has already said what is wrong with it
            continue
        shown = [f"{path}: {text}" if below or first == "spec" else text for text in texts]
        form.add_error(field if field in form.fields else None, [*map(str, shown)])


def _with_lines(faults: Mapping[str, tuple[str, ...]], text: str) -> Mapping[str, tuple[str, ...]]:
    roots = documents_in(text)
    return {
        path: tuple(
            f"{fault} (line {line_of(roots[0], path.removeprefix('spec').lstrip('.'))})"
            if roots and path.startswith("spec")
            else fault
            for fault in texts
        )
        for path, texts in faults.items()
    }
