"""What a provider answers, held against the contract: foreign code may return anything.

To be asked inside `calling`, which makes of a wrong answer a fault of the provider alone.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import TypeVar

from providers.contract.capacity import AcceleratorCapacity, Capacity, NamespaceQuotas
from providers.contract.checks import Check
from providers.contract.manifest import Manifest, ObjectKey, key_of
from providers.contract.pods import PodLine
from providers.contract.protocols import (
    ClusterFacts,
    Deletion,
    Endpoint,
    Listing,
    ManagedObject,
    Observation,
    Remaining,
    SharedReads,
)
from providers.contract.removing import Going
from providers.contract.status import Status
from providers.contract.watching import Watching

_T = TypeVar("_T")


class WrongAnswer(TypeError):
    """A provider answered what the contract does not know at this verb; the words say what."""


def answer_of(wanted: type[_T], given: object) -> _T:
    """Return an answer as it is; raises WrongAnswer for one of another type."""
    if not isinstance(given, wanted):
        raise WrongAnswer(f"it answered {type(given).__name__}, not {wanted.__name__}")
    return given


def each_of(wanted: type[_T], given: object) -> tuple[_T, ...]:
    """Return a tuple, each item of which is of one type."""
    return tuple(answer_of(wanted, one) for one in answer_of(tuple, given))


def by_text_of(wanted: type[_T], given: object) -> Mapping[str, _T]:
    """Return what was told by texts, each of one type."""
    found: Mapping[str, _T] = answer_of(Mapping, given)  # type: ignore[type-abstract]
    for key, value in found.items():
        answer_of(str, key)
        answer_of(wanted, value)
    return found


def checks_of(given: object) -> tuple[Check, ...]:
    """Return the checks that a provider answered."""
    return each_of(Check, given)


def manifests_of(given: object) -> tuple[Manifest, ...]:
    """Return rendered objects: one at least, each with apiVersion, kind and a name."""
    manifests: tuple[Manifest, ...] = answer_of(tuple, given)
    if not manifests:
        raise WrongAnswer("it rendered no object")
    for manifest in manifests:
        answer_of(dict, manifest)
        try:
            key_of(manifest)
        except (AttributeError, KeyError, TypeError) as error:
            raise WrongAnswer("an object lacks apiVersion, kind or metadata.name") from error
    return manifests


def observation_of(given: object) -> Observation:
    """Return what was seen of one deployment."""
    seen = answer_of(Observation, given)
    answer_of(Status, seen.status)
    answer_of(Endpoint, seen.endpoint)
    each_of(PodLine, seen.pods)
    return seen


def observations_of(given: object) -> Mapping[str, Observation]:
    """Return what was seen of several, by id."""
    found = by_text_of(Observation, given)
    for seen in found.values():
        observation_of(seen)
    return found


def listing_of(given: object) -> Listing:
    """Return what a pass over a whole cluster found."""
    listing = answer_of(Listing, given)
    observations_of(listing.observations)
    each_of(ManagedObject, listing.unmatched)
    return listing


def deletion_of(given: object) -> Deletion:
    """Return how far a deletion is."""
    deletion = answer_of(Deletion, given)
    answer_of(bool, deletion.gone)
    _check_remaining(deletion.waiting_for)
    return deletion


def going_of(given: object) -> Going:
    """Return what a deletion would take along."""
    going = answer_of(Going, given)
    _check_remaining(going.objects)
    each_of(ObjectKey, going.staying)
    by_text_of(str, going.unreadable)
    return going


def facts_of(given: object) -> ClusterFacts:
    """Return who a cluster is and what is installed there."""
    facts = answer_of(ClusterFacts, given)
    answer_of(str, facts.uid)
    by_text_of(bool, facts.kinds)
    return facts


def shared_of(given: object) -> SharedReads:
    """Return what a pass reads once; its payload is the door's own."""
    shared = answer_of(SharedReads, given)
    answer_of(datetime, shared.now)
    by_text_of(str, shared.unreadable)
    counted_of(shared.capacity)
    return shared


def counted_of(given: object) -> Capacity:
    """Return what is free on a cluster."""
    counted = answer_of(Capacity, given)
    answer_of(datetime, counted.observed_at)
    each_of(AcceleratorCapacity, counted.accelerators)
    each_of(NamespaceQuotas, counted.namespaces)
    return counted


def watching_of(given: Watching) -> Watching:
    """Return a look that can be asked for changes, for how things stand, and to end."""
    for name in ("changed", "observe", "close"):
        if not callable(getattr(given, name, None)):
            raise WrongAnswer(f"it answered {type(given).__name__}, which has no {name}")
    return given


def ids_of(given: object) -> frozenset[str]:
    """Return the ids of what has changed."""
    ids: frozenset[str] = answer_of(frozenset, given)
    for one in ids:
        answer_of(str, one)
    return ids


def _check_remaining(given: object) -> None:
    for rest in each_of(Remaining, given):
        answer_of(ObjectKey, rest.object)
        by_text_of(str, rest.finalizers)
