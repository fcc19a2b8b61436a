"""Lists of names written as plain text: the one helper of the engines' tables."""


def words(text: str) -> frozenset[str]:
    """Return the words of a text that blanks separate."""
    return frozenset(text.split())
