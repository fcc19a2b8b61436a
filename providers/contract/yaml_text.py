"""YAML in and out, the same for every room: strict when read, unambiguous when written.

Read: one safe dialect in which a key given twice, an alias, an endless nesting and an oversized
text are errors that name the line. Written: every string that some YAML reader would take for a
number, a boolean, a null or a date is quoted. Knows nothing of templates or Kubernetes.
"""

import io
import math
import re
from collections.abc import Iterable
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.composer import Composer, ComposerError
from ruamel.yaml.constructor import ConstructorError, SafeConstructor
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import AliasEvent
from ruamel.yaml.nodes import Node, ScalarNode
from ruamel.yaml.representer import SafeRepresenter

from providers.contract.errors import InvalidRequest

MAX_CHARACTERS = 256 * 1024
MAX_DEPTH = 64
_ONE_LINE = 1_000_000
_TAG = "tag:yaml.org,2002:"

# Begins with a letter (so it is no number and no date in any dialect) and holds nothing that means
# something in YAML; a colon only between two other characters.
_PLAIN = re.compile(r"[A-Za-z/](?:[A-Za-z0-9_./@+-]|:(?=[A-Za-z0-9/.]))*")
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"})


def to_yaml(manifests: Iterable[object]) -> str:
    """Return one document per value, keys in the order given; ends with a line break."""
    yaml = YAML(typ="safe", pure=True)
    yaml.Representer = _Representer
    yaml.default_flow_style = False
    yaml.width = _ONE_LINE
    yaml.explicit_start = True
    yaml.indent(mapping=2, sequence=4, offset=2)
    stream = io.StringIO()
    yaml.dump_all(manifests, stream)
    return stream.getvalue().removeprefix("---\n")


def load_yaml(text: str, *, at: str = "yaml") -> object:
    """Return the one document of a text, None when it is empty.

    Raises InvalidRequest at the path `at`, with the line.
    """
    documents = load_all(text, at=at)
    if len(documents) > 1:
        raise InvalidRequest.of(at, f"holds {len(documents)} documents; give one")
    return documents[0] if documents else None


def load_all(text: str, *, at: str = "yaml") -> tuple[object, ...]:
    """Return every document that is not empty; raises InvalidRequest at `at`, with the line."""
    if len(text) > MAX_CHARACTERS:
        raise InvalidRequest.of(at, f"is longer than {MAX_CHARACTERS} characters")
    try:
        documents = tuple(_reader().load_all(text))
    except MarkedYAMLError as error:
        raise InvalidRequest.of(at, _with_line(error)) from error
    except (YAMLError, ValueError, TypeError) as error:
        raise InvalidRequest.of(at, f"cannot be read as YAML: {_first_line(error)}") from error
    return tuple(document for document in documents if document is not None)


class _Composer(Composer):
    """Refuses aliases, which let a short text unfold into a huge one, and endless nesting."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        mark = self.parser.peek_event().start_mark
        if self.parser.check_event(AliasEvent):
            raise ComposerError(None, None, "aliases are not taken; write the value out", mark)
        if self.depth >= MAX_DEPTH:
            raise ComposerError(None, None, f"is nested deeper than {MAX_DEPTH} levels", mark)
        return super().compose_node(parent, index)


class _Constructor(SafeConstructor):
    """Makes only what JSON has a word for; a date stays the text that was written."""

    def construct_number(self, node: ScalarNode) -> int | float:
        read = self.construct_yaml_int if node.tag == f"{_TAG}int" else self.construct_yaml_float
        try:
            number: int | float = read(node)
        except (ValueError, OverflowError):
            number = math.nan
        if not math.isfinite(number):
            problem = f"{node.value[:40]!r} is not a number to work with; put text in quotes"
            raise ConstructorError(None, None, problem, node.start_mark)
        return number


for _name in ("int", "float"):
    _Constructor.add_constructor(f"{_TAG}{_name}", _Constructor.construct_number)
_Constructor.add_constructor(f"{_TAG}timestamp", _Constructor.construct_yaml_str)
for _name in ("binary", "set", "omap", "pairs"):
    _Constructor.add_constructor(f"{_TAG}{_name}", _Constructor.construct_undefined)


class _Representer(SafeRepresenter):
    """Writes strings quoted unless they are plain in every dialect; never writes aliases."""

    def ignore_aliases(self, _data: object) -> bool:
        return True

    def represent_text(self, text: str) -> ScalarNode:
        style = None if _is_plain(text) else "|" if _is_block(text) else '"'
        return self.represent_scalar(f"{_TAG}str", text, style=style)

    def represent_in_order(self, mapping: dict[str, object]) -> Node:
        return self.represent_mapping(f"{_TAG}map", list(mapping.items()))


_Representer.add_representer(str, _Representer.represent_text)
_Representer.add_representer(dict, _Representer.represent_in_order)


def _is_plain(text: str) -> bool:
    return bool(_PLAIN.fullmatch(text)) and text.lower() not in _WORDS


def _is_block(text: str) -> bool:
    """Tell whether a text of several lines may stand as a block: printable, no odd blanks."""
    lines = text.split("\n")
    return len(lines) > 1 and all(
        line.isprintable() and line == line.rstrip() and not line.startswith(" ") for line in lines
    )


def _reader() -> YAML:
    yaml = YAML(typ="safe", pure=True)
    yaml.Composer = _Composer
    yaml.Constructor = _Constructor
    return yaml


def _with_line(error: MarkedYAMLError) -> str:
    mark = error.problem_mark or error.context_mark
    words = " ".join(str(error.problem or error.context or "cannot be read").split())
    problem = words.split(" with value ")[0]  # of a duplicate key: the values are nobody's business
    return f"line {mark.line + 1}: {problem}" if mark else problem


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "") or type(error).__name__
