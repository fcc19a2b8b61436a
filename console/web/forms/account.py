"""The form with which people change their own password."""

from django.contrib.auth.forms import PasswordChangeForm


class OwnPasswordForm(PasswordChangeForm):
    """Django's own, with the classes of our own style sheet."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        """Give every field the look of a field."""
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # as Django has them
        for name, field in self.fields.items():
            field.widget.attrs["class"] = "input"
            field.widget.attrs.pop("autofocus", None)
            if self.is_bound and name in self.errors:
                field.widget.attrs["aria-describedby"] = f"id_{name}_error"
