"""What is asked before something is done to a deployment."""

from django import forms

REASON_LENGTH = 500


class DeletionForm(forms.Form):
    """Why it goes; who reads the audit trail later is glad of it."""

    reason = forms.CharField(
        max_length=REASON_LENGTH,
        required=False,
        error_messages={"max_length": "Say it in at most %(limit_value)d characters."},
    )
