"""What a reader of a difference need not see of an object, and what nobody may see of it."""

from collections.abc import Mapping
from typing import Any

from providers.contract.fields import is_secret_name
from providers.contract.manifest import BOOKKEEPING
from providers.contract.masking import MASK, mask_secrets


def without_bookkeeping(value: Any) -> Any:
    """Return a manifest, or a part of one, without the marks of ours that only follow from it."""
    if isinstance(value, list | tuple):
        return [without_bookkeeping(one) for one in value]
    if not isinstance(value, Mapping):
        return value
    folded = {key: without_bookkeeping(one) for key, one in value.items()}
    for marks in ("annotations", "labels"):
        if isinstance(folded.get(marks), Mapping):
            kept = {key: text for key, text in folded[marks].items() if key not in BOOKKEEPING}
            folded[marks] = kept
            if not kept:
                del folded[marks]
    return folded


def masked(value: Any) -> Any:
    """Return a manifest, or a part of one, without what is or looks like a secret."""
    if isinstance(value, str):
        return mask_secrets(value)
    if isinstance(value, list | tuple):
        return [masked(one) for one in value]
    if not isinstance(value, Mapping):
        return value
    name, text = value.get("name"), value.get("value")
    if isinstance(name, str) and isinstance(text, str):
        return {
            **{key: masked(one) for key, one in value.items()},
            "value": masked_text(name, text),
        }
    return {key: masked(one) for key, one in value.items()}


def masked_text(name: str, text: str) -> str:
    """Return the text of something that has a name, masked where name or text tell of a secret."""
    if text and is_secret_name(name):
        return MASK
    return mask_secrets(f"{name}={text}").removeprefix(f"{name}=")
