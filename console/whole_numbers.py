"""Whole numbers out of text that somebody typed: in an address, a form, a header, the environment.

`str.isdigit` and `int` take the digits of every script, and `int` refuses thousands of them.
"""

MOST_DIGITS = 9


def whole_number(text: str, *, least: int = 0, most: int = 10**MOST_DIGITS - 1) -> int | None:
    """Return a number that is written in digits from 0 to 9 and lies between two others, else None.

    No more than nine digits are read, and neither a sign nor a blank.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        return None
    number = int(text)
    return number if least <= number <= most else None
