"""What a person has entered so far, as the query string carries it from step to step.

Knows the names of the fields and nothing about what they may hold: that is the order's to judge.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from django.http import QueryDict

# The steps' own fields: a form carries those of the other steps along unseen.
OVERRIDES = (
    "name",
    "region",
    "min_replicas",
    "max_replicas",
    "enable_auto_scaling",
    "enable_multi_lora",
    "rollout",
)
ARGUMENT = "arg."
MAX_LENGTH = 2000
MAX_FIELDS = 100

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class LaunchState:
    """One launch in the making; what is not chosen yet is empty.

    `model` may hold a version (`qwen3-8b@v2`), `place` is `cluster/namespace`. `entered` holds
    name and overrides as typed, by field name, and only what was sent.
    """

    model: str = ""
    template: str = ""
    place: str = ""
    kind: str = ""
    entered: Mapping[str, str] = field(default_factory=dict)

    @property
    def model_id(self) -> str:
        return self.model.partition("@")[0]

    @property
    def version(self) -> str:
        """Return the label of the chosen model version, empty for the template's own source."""
        return self.model.partition("@")[2]

    @property
    def cluster(self) -> str:
        return self.place.partition("/")[0]

    @property
    def namespace(self) -> str:
        return self.place.partition("/")[2]

    @property
    def is_filled_in(self) -> bool:
        """Tell whether the form with name and overrides was sent: it always sends a name."""
        return "name" in self.entered

    @property
    def query(self) -> str:
        """Return the query string that leads back to exactly this state."""
        return urlencode(tuple(self._pairs()))

    def without(self, *names: str) -> Pairs:
        """Return what a form must carry along when it asks for the named fields itself."""
        hidden = [pair for pair in self._pairs() if pair[0] not in names]
        return tuple(hidden)

    def with_place(self, place: str, kind: str) -> "LaunchState":
        return replace(self, place=place, kind=kind)

    def _pairs(self) -> Iterator[tuple[str, str]]:
        for name in ("model", "template", "place", "kind"):
            if value := getattr(self, name):
                yield name, value
        yield from self.entered.items()


def read_state(given: QueryDict) -> LaunchState:
    """Read a state from a query string; what is no field of the flow is left out."""
    texts = {name: _text(given[name]) for name in list(given)[:MAX_FIELDS]}
    return LaunchState(
        model=texts.get("model", ""),
        template=texts.get("template", ""),
        place=texts.get("place", ""),
        kind=texts.get("kind", ""),
        entered={name: text for name, text in texts.items() if _is_override(name)},
    )


def _is_override(name: str) -> bool:
    return name in OVERRIDES or name.startswith(ARGUMENT)


def _text(value: str | list[object]) -> str:
    # No database takes a NUL, and the order would refuse it without naming a field of the form.
    return value[:MAX_LENGTH].replace("\0", "").strip() if isinstance(value, str) else ""
