"""Form fields for what has no form of its own: lists of words, and objects written as YAML."""

from collections.abc import Mapping
from typing import Any

from django import forms

from providers.contract.errors import InvalidRequest
from providers.contract.yaml_text import load_yaml, to_yaml

# `yaml` is a class of our own style sheet, the other one of the admin's.
EDITOR = {"rows": 40, "cols": 100, "class": "vLargeTextField yaml", "spellcheck": "false"}


class WordsField(forms.CharField):
    """Words separated by commas."""

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list | tuple) else value

    def clean(self, value: Any) -> Any:
        """Return the words as a list, empty ones left out."""
        text = super().clean(self.prepare_value(value))
        return [word.strip() for word in text.split(",") if word.strip()]


class YamlField(forms.CharField):
    """An object written as YAML; what was typed is shown again as it was typed."""

    widget = forms.Textarea(
        attrs={"rows": 6, "class": "vLargeTextField yaml", "spellcheck": "false"}
    )

    def __init__(self, **kwargs: Any) -> None:
        """Keep leading blanks: they mean something in YAML."""
        super().__init__(strip=False, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return as_yaml(value) if isinstance(value, Mapping) else value

    def clean(self, value: Any) -> Any:
        """Return the object; raises ValidationError with the line."""
        text = super().clean(value)
        try:
            document = load_yaml(text, at="")
        except InvalidRequest as refusal:
            raise forms.ValidationError(refusal.message) from refusal
        return {} if document is None else document


def as_yaml(value: Mapping[str, object]) -> str:
    """Return a mapping as the text to edit; nothing for an empty one."""
    return to_yaml([value]) if value else ""
