"""The form with which people change their own password."""

from django.contrib.auth.forms import PasswordChangeForm

_EMPTY = {
    "old_password": "Type your old password.",
    "new_password1": "Type a new password.",
    "new_password2": "Type the new password again.",
}


class OwnPasswordForm(PasswordChangeForm):
    """Django's own, with the classes of our own style sheet; the first fault has the focus."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        """Give every field the look of a field."""
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # as Django has them
        for name, field in self.fields.items():
            field.widget.attrs["class"] = "input"
            field.widget.attrs.pop("autofocus", None)
            field.error_messages["required"] = _EMPTY[name]
        for name in self.errors:
            self.fields[name].widget.attrs["aria-describedby"] = f"id_{name}_error"
        if self.errors:
            self.fields[next(iter(self.errors))].widget.attrs["autofocus"] = True
