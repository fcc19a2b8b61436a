"""How the catalogue is narrowed: words, and one of the categories in use."""

from collections.abc import Iterable

from django import forms

from templates_app.names import NAME_LENGTH

ALL = "All categories"


class CatalogueForm(forms.Form):
    """Both fields may be left out."""

    search = forms.CharField(
        required=False,
        max_length=NAME_LENGTH,
        error_messages={"max_length": "use at most %(limit_value)d characters."},
    )
    category = forms.ChoiceField(required=False)

    def __init__(self, data: object, *, categories: Iterable[str]) -> None:
        """Take what was asked for and the categories to choose from."""
        super().__init__(data)  # type: ignore[arg-type]  # a QueryDict
        choices = [("", ALL), *((word, word) for word in categories)]
        self.fields["category"].choices = choices  # type: ignore[attr-defined]  # a ChoiceField
