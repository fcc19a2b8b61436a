"""Where in a YAML text a path stands, so that an error about a value can name its line.

Knows YAML's tree of nodes only; whether a text may be read at all is decided before.
"""

from collections.abc import Sequence

from ruamel.yaml import YAML
from ruamel.yaml.nodes import MappingNode, Node, SequenceNode

_NULL = "tag:yaml.org,2002:null"


def documents_in(text: str) -> list[Node]:
    """Return the root of every document that is not empty, in order."""
    roots = YAML(typ="safe", pure=True).compose_all(text)
    return [root for root in roots if root is not None and root.tag != _NULL]


def line_of(root: Node, path: str) -> int:
    """Return the line, from 1, of the deepest part of a dotted path that the document has."""
    return _line(root, path.split(".") if path else [])


def _line(node: Node, steps: Sequence[str]) -> int:
    # A key may hold dots itself (`engine_args.max_model_len`), so the longest that fits is taken.
    for length in range(len(steps), 0, -1):
        found = _child(node, ".".join(steps[:length]))
        if found is not None:
            key, child = found
            rest = steps[length:]
            deeper = _line(child, rest) if rest else 0
            return max(_start(key), deeper)
    return _start(node)


def _child(node: Node, step: str) -> tuple[Node, Node] | None:
    """Return the node that bears the name of a step, and the node of its value."""
    if isinstance(node, MappingNode):
        return next(((key, value) for key, value in node.value if key.value == step), None)
    if isinstance(node, SequenceNode) and step.isdecimal() and int(step) < len(node.value):
        return node.value[int(step)], node.value[int(step)]
    return None


def _start(node: Node) -> int:
    line: int = node.start_mark.line
    return line + 1
