"""Looks into a kubeconfig at the start: is it one, and does it have the context that is named?

It reads names of contexts and nothing else; credentials are the business of the door to clusters.
"""

from pathlib import Path

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError


def contexts_of(path: Path) -> tuple[str, ...]:
    """Return the names of a kubeconfig's contexts; raises ValueError that says what to do."""
    reader = YAML(typ="safe")
    reader.allow_duplicate_keys = True  # kubectl allows them
    try:
        content = reader.load(path.read_text(encoding="utf-8"))
    except (YAMLError, UnicodeDecodeError):
        # The parser's own message would quote the file.
        raise ValueError("Give the path of a kubeconfig file; this one is not YAML.") from None
    except OSError:
        raise ValueError("Let the user that runs the console read that file.") from None
    contexts = content.get("contexts") if isinstance(content, dict) else None
    if not isinstance(contexts, list):
        raise ValueError("Give the path of a kubeconfig file; this one has no contexts.")  # noqa: TRY004 all the same to a reader
    return tuple(
        str(each["name"]) for each in contexts if isinstance(each, dict) and "name" in each
    )
