"""Turns pydantic's errors into the project's own: path in dots, sentence with what to do."""

from collections.abc import Mapping

from pydantic import ValidationError
from pydantic_core import ErrorDetails


class FieldFault(ValueError):
    """Raised inside a validator of an object: says which of its fields is at fault, and why."""

    def __init__(self, path: str, sentence: str) -> None:
        """Take the path below the validated object."""
        super().__init__(sentence)
        self.path = path


_SENTENCES = {
    "missing": "is required",
    "extra_forbidden": "is not a field of this object; remove it or check its spelling",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "bool_type": "must be true or false",
    "string_type": "must be text; put it in quotes",
    "mapping_type": "must be an object",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
}


def fields_of(error: ValidationError, *, at: str = "") -> Mapping[str, tuple[str, ...]]:
    """Return the errors by dotted path below `at`, in the order of the document."""
    fields: dict[str, tuple[str, ...]] = {}
    for detail in error.errors(include_url=False, include_input=False):
        path = _path(detail, at)
        texts = fields.get(path, ())
        sentence = _sentence(detail)
        fields[path] = texts if sentence in texts else (*texts, sentence)
    return fields


def _path(detail: ErrorDetails, at: str) -> str:
    steps = [at] if at else []
    steps += [str(step) for step in detail["loc"] if not _is_branch(step)]
    fault = detail.get("ctx", {}).get("error")
    steps += [fault.path] if isinstance(fault, FieldFault) else []
    return ".".join(steps)


def _is_branch(step: int | str) -> bool:
    """Tell whether a step is pydantic's name for a member of a union, not a field."""
    return isinstance(step, str) and (
        step in {"int", "float", "str", "bool", "[key]"}
        or step.startswith(("function-", "constrained"))
    )


def _sentence(detail: ErrorDetails) -> str:
    known = _SENTENCES.get(detail["type"])
    if known:
        return known
    limits = detail.get("ctx", {})
    if detail["type"] == "too_long" and limits.get("field_type") == "Value":
        # pydantic's word for text that is cut to size after another check.
        return f"must have at most {limits['max_length']} characters"
    message = detail["msg"]
    if message.startswith("Value error, "):
        return message.removeprefix("Value error, ")
    return "must" + message.split("should", 1)[1] if "should" in message else message
