"""The objects of two revisions held against each other: only what differs, as unified YAML.

Annotations and labels of ours that follow from the rest (revision, digests, launch) are left out,
so an object in which nothing else differs is no difference.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from deployments.diffing.folding import masked, without_bookkeeping
from deployments.diffing.lines import Hunk, Shown, hunks_of
from providers.contract.manifest import Manifest, ObjectKey, key_of
from providers.contract.manifest_yaml import manifests_yaml


class Fate(StrEnum):
    """What becomes of an object on the way from one revision to the other."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, kw_only=True, slots=True)
class ObjectDiff:
    """One object that is not the same: which, what becomes of it, and its lines."""

    key: ObjectKey
    fate: Fate
    hunks: tuple[Hunk, ...]

    @property
    def text(self) -> str:
        """Return a unified diff with the object's name for a file name."""
        name = f"{self.key.kind}/{self.key.name}"
        before = "/dev/null" if self.fate is Fate.ADDED else f"before/{name}"
        after = "/dev/null" if self.fate is Fate.REMOVED else f"after/{name}"
        return "\n".join((f"--- {before}", f"+++ {after}", *map(str, self.hunks)))


def unified(before: Sequence[Manifest], after: Sequence[Manifest]) -> tuple[ObjectDiff, ...]:
    """Return every object that differs, in the order of `after`, what is gone last."""
    return tuple(_diffs({key_of(one): one for one in before}, {key_of(one): one for one in after}))


def unified_text(diffs: Sequence[ObjectDiff]) -> str:
    """Return one text of all differences, empty for none."""
    return "".join(f"{diff.text}\n" for diff in diffs)


def _diffs(
    before: Mapping[ObjectKey, Manifest], after: Mapping[ObjectKey, Manifest]
) -> Iterator[ObjectDiff]:
    for key, manifest in after.items():
        fate = Fate.CHANGED if key in before else Fate.ADDED
        hunks = _hunks(before.get(key), manifest)
        if hunks:
            yield ObjectDiff(key=key, fate=fate, hunks=hunks)
    for key, manifest in before.items():
        if key not in after:
            yield ObjectDiff(key=key, fate=Fate.REMOVED, hunks=_hunks(manifest, None))


def _hunks(before: Manifest | None, after: Manifest | None) -> tuple[Hunk, ...]:
    old, new = (without_bookkeeping(one) if one else None for one in (before, after))
    plain = (_lines(old), _lines(new))
    shown = (_lines(masked(old)), _lines(masked(new)))
    if [len(lines) for lines in plain] != [len(lines) for lines in shown]:
        return hunks_of(*shown)  # a secret of several lines: told only where its mask differs
    return hunks_of(*plain, shown=Shown(before=shown[0], after=shown[1]))


def _lines(manifest: Manifest | None) -> Sequence[str]:
    return manifests_yaml([manifest]).removesuffix("\n").split("\n") if manifest else ()
