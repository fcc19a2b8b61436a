"""What one version of an engine takes, as a table, and which table a version is read by.

Only the form of such a table and the choice among several; the tables stand beside each engine.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from providers.contract.versions import VersionKey, version_key
from providers.engines.findings import refuse, warn
from providers.engines.launch import Finding

_BUILD_NOTE = re.compile(r"(?:\.post\d+|\+[0-9A-Za-z.]+)$")
_PRERELEASE = re.compile(r"(?<=\d)\.?(?=(?:rc|dev|a|b)\d+$)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Dialect:
    """Names that one version takes; flags are long, without dashes in front.

    `gone` maps a flag to what is written instead (empty: nothing is); `later` are those that came
    after this version, forgotten when a newer version is only read as this one. `choices` lists
    the values of flags that take no others. `integers` are flags whose value is a whole number.
    `negatable` are the switches with a `--no-` form. `runs_code` are flags that run code the model
    brings.
    """

    engine: str
    version: str
    values: frozenset[str]
    switches: frozenset[str]
    gone: Mapping[str, str] = field(default_factory=dict)
    later: Mapping[str, str] = field(default_factory=dict)
    choices: Mapping[str, frozenset[str]] = field(default_factory=dict)
    integers: frozenset[str] = frozenset()
    weights: frozenset[str] = frozenset()
    kv_caches: frozenset[str] = frozenset()
    shorts: Mapping[str, str] = field(default_factory=dict)
    negatable: frozenset[str] = frozenset()
    runs_code: frozenset[str] = frozenset()
    folds_weight_names: bool = False
    takes_underscores: bool = True
    takes_equals: bool = True
    reads_s3: bool = True

    @property
    def name(self) -> str:
        """Return engine and version, as a sentence about them begins."""
        return f"{self.engine} {self.version}"

    @property
    def missing(self) -> Mapping[str, str]:
        """Return the flags that this version does not take, with what is written instead."""
        return {**self.later, **self.gone}

    @property
    def flags(self) -> frozenset[str]:
        """Return every long flag."""
        return self.values | self.switches


_D = TypeVar("_D", bound=Dialect)


def nearest(dialects: Sequence[_D], version: str) -> tuple[_D, Finding | None]:
    """Return the newest dialect not above `version` (else the oldest), and what is odd about it."""
    try:
        wanted = _key(version)
    except ValueError as error:
        return dialects[0], refuse("spec.engine.version", str(error))
    return _pick(dialects, wanted, version)


def _pick(dialects: Sequence[_D], wanted: VersionKey, version: str) -> tuple[_D, Finding | None]:
    ordered = sorted(dialects, key=lambda dialect: _key(dialect.version))
    below = [dialect for dialect in ordered if _key(dialect.version) <= wanted]
    chosen = below[-1] if below else ordered[0]
    if _key(chosen.version) == wanted:
        return chosen, None
    message = (
        f"{chosen.engine} {version} is not known here; its arguments are read as those of "
        f"{chosen.version}"
    )
    return replace(chosen, later={}), warn("spec.engine.version", message)


def _key(version: str) -> VersionKey:
    plain = _BUILD_NOTE.sub("", version)
    return version_key(_PRERELEASE.sub("-", plain))
