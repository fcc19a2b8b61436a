"""The names that a Deployment's controllers give: they tell whose a gone object was.

ReplicaSets are named NAME-HASH and pods NAME-HASH-XXXXX, which Kubernetes shortens by itself.
"""

import re
from collections.abc import Sequence

from providers.kube.resources import PODS, REPLICA_SETS
from providers.workload.objects import Item, ObjectReference

# Controllers hash and number by an alphabet without vowels, so that no word comes out.
_HASH = re.compile("[bcdfghjklmnpqrstvwxz2456789]+")
# A generated name is its stem, cut at this length, and five letters.
_LONGEST_STEM, _LETTERS = 58, 5
_LONGEST_HASH = 10


def is_of_deployment(about: ObjectReference, name: str, sets: Sequence[Item]) -> bool:
    """Tell whether an event is about an object of the Deployment of this name, or of its name.

    `sets` are the ReplicaSets that are there: of a long name a pod's has only the beginning.
    """
    told = about.name or ""
    if about.kind == REPLICA_SETS.kind:
        return _is_hashed(told, name)
    if about.kind != PODS.kind:
        return told == name
    stem, letters = told[:-_LETTERS], told[-_LETTERS:]
    if not _HASH.fullmatch(letters):
        return False
    if stem in {f"{item.name}-"[:_LONGEST_STEM] for item in sets}:
        return True
    return stem.endswith("-") and _is_hashed(stem[:-1], name)


def _is_hashed(told: str, name: str) -> bool:
    stem, _, digits = told.rpartition("-")
    return stem == name and len(digits) <= _LONGEST_HASH and _HASH.fullmatch(digits) is not None
