"""What is asked before something is done to a deployment."""

from typing import Any

from django import forms
from django.http import QueryDict

REASON_LENGTH = 500
TOO_LONG = "Say it in at most %(limit_value)d characters."


class DeletionForm(forms.Form):
    """Why it goes; who reads the audit trail later is glad of it."""

    reason = forms.CharField(
        max_length=REASON_LENGTH, required=False, error_messages={"max_length": TOO_LONG}
    )


class ForgettingForm(forms.Form):
    """Why a record is closed without its cluster; its name is typed by who means just this one."""

    reason = forms.CharField(
        max_length=REASON_LENGTH,
        error_messages={
            "required": "Say why; who finds its objects later needs to know.",
            "max_length": TOO_LONG,
        },
    )
    name = forms.CharField(error_messages={"required": "Type the name of the deployment."})

    def __init__(self, data: QueryDict | None, *, name: str) -> None:
        """Take the name that must be typed."""
        super().__init__(data)
        self._name = name

    def clean_name(self) -> Any:
        """Return the name; raises ValidationError for another one."""
        typed = self.cleaned_data["name"]
        if typed.strip() != self._name.strip():
            raise forms.ValidationError(f"This is not its name; type {self._name}.")
        return typed
