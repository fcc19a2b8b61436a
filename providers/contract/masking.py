"""What looks like a secret in a line of text, and how it is made unreadable.

For the logs of engines as for the console's own. It names what is secret exactly, so that figures
such as `max_num_batched_tokens=8192` stay; who would rather mask too much adds to it. The time it
takes grows with the length of a text and not faster, whatever the text is.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

MASK = "[masked]"

# What is masked already stays as it is.
VALUE = r"""(?!\[masked\])(?:"[^"]*"|'[^']*'|[^\s,;&}\])"']+)"""
_OWNERS = "hf|hub|hugging_?face|auth|access|api|bearer|refresh|session|security|github"
_NAMES = (
    r"passw(?:or)?d|passphrase|secret(?:[_-]?(?:access[_-]?)?key)?|(?:api|private|account)[_-]?key"
    rf"|(?:{_OWNERS})[_-]?token|(?<![\w-])token(?!\s*=\s*\d+(?:\s|$))"
)
_BEGIN = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")
_END = re.compile(r"-----END [A-Z ]*PRIVATE KEY-----")

_SHAPES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*-----|\Z)"), MASK),
    (re.compile(r"(://[^\s/:@]*:)[^\s/@]+@"), rf"\1{MASK}@"),
    (re.compile(r"""(?i)\b(bearer\s+)[^\s"',]+"""), rf"\1{MASK}"),
    (
        re.compile(r"""(?i)(authorization["']?\s*[:=]\s*["']?)[^\s"',]+(?:\s+[^\s"',]+)?"""),
        rf"\1{MASK}",
    ),
    # name=value and name: value, as in query strings, connection strings, YAML and JSON.
    (re.compile(rf"""(?i)((?:{_NAMES})["']?\s*[:=]\s*){VALUE}"""), rf"\1{MASK}"),
    # --name value, as on a command line.
    (
        re.compile(rf"""(?i)(--[a-z-]{{0,20}}(?:key|token|password|secret)\s+){VALUE}"""),
        rf"\1{MASK}",
    ),
    # Tokens of the hub, of ours, of cluster accounts, of clouds and forges.
    (re.compile(r"\bhf_[A-Za-z0-9]{8,}"), MASK),
    (re.compile(r"\bslipway_[A-Za-z0-9]{16,}"), MASK),
    (re.compile(r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]+\.[\w-]*"), MASK),
    (re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{12,}"), MASK),
    (re.compile(r"(?<![\w-])(?:gh[pousr]_|sk-)[A-Za-z0-9_-]{16,}"), MASK),
)


def mask_secrets(text: str) -> str:
    """Return a text without what looks like a secret in it."""
    for shape, instead in _SHAPES:
        text = shape.sub(instead, text)
    return text


def mask_document(value: object) -> object:
    """Return a JSON document in which every text is masked, whole where its name tells a secret."""
    if isinstance(value, Mapping):
        return {name: _mask_member(str(name), member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [mask_document(item) for item in value]
    return mask_secrets(value) if isinstance(value, str) else value


def _mask_member(name: str, value: object) -> object:
    if isinstance(value, str) and value and mask_secrets(f"{name}=x") != f"{name}=x":
        return MASK
    return mask_document(value)


def mask_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield each line without secrets, also where one, a private key, goes over many lines."""
    within = False
    for line in lines:
        ends = _END.search(line) is not None
        if within:
            yield MASK
        else:
            within = _BEGIN.search(line) is not None
            yield mask_secrets(line)
        within = within and not ends
