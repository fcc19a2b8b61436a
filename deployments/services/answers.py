"""What a provider answers, held against the contract: foreign code may return anything.

To be asked inside `calling`, which makes of a wrong answer a fault of the provider alone.
"""

from collections.abc import Mapping
from typing import TypeVar

from providers.contract.checks import Check
from providers.contract.manifest import Manifest, key_of
from providers.contract.protocols import Endpoint, Listing, ManagedObject, Observation
from providers.contract.status import Status

_T = TypeVar("_T")


class WrongAnswer(TypeError):
    """A provider answered what the contract does not know at this verb; the words say what."""


def answer_of(wanted: type[_T], given: object) -> _T:
    """Return an answer as it is; raises WrongAnswer for one of another type."""
    if not isinstance(given, wanted):
        raise WrongAnswer(f"it answered {type(given).__name__}, not {wanted.__name__}")
    return given


def checks_of(given: object) -> tuple[Check, ...]:
    """Return the checks that a provider answered."""
    return tuple(answer_of(Check, check) for check in answer_of(tuple, given))


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
    return seen


def observations_of(given: object) -> Mapping[str, Observation]:
    """Return what was seen of several, by id."""
    found: Mapping[str, Observation] = answer_of(Mapping, given)  # type: ignore[type-abstract]
    for seen in found.values():
        observation_of(seen)
    return found


def listing_of(given: object) -> Listing:
    """Return what a pass over a whole cluster found."""
    listing = answer_of(Listing, given)
    observations_of(listing.observations)
    for stray in answer_of(tuple, listing.unmatched):
        answer_of(ManagedObject, stray)
    return listing
