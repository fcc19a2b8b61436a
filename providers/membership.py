"""What an object must have to be used as a provider; how its verbs act shows only at the call.

Foreign code: nothing is believed of it but what was looked at here.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import get_args

from providers.contract.protocols import Capabilities, ClusterDoor, Provider
from providers.contract.request import Rollout
from providers.contract.template import Topology

# A kind stands in labels and addresses.
_KIND = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
TOPOLOGIES = frozenset(get_args(Topology.model_fields["kind"].annotation))
_KNOWN: Mapping[str, frozenset[str]] = {"topologies": TOPOLOGIES, "rollouts": frozenset(Rollout)}


def misshape_of(provider: object) -> str:
    """Return what keeps an object from being a provider, empty where nothing does."""
    if isinstance(provider, type):
        return f"its provider is a class; make an object of it: provider = {provider.__name__}()"
    if not isinstance(getattr(provider, "kind", None), str):
        return "its provider has no kind"
    missing = [name for name in (*Provider.__annotations__, *_VERBS) if not hasattr(provider, name)]
    if missing:
        return f"its provider lacks {', '.join(missing)}"
    return next(_faults(provider), "")


def _faults(provider: object) -> Iterator[str]:
    wrong = [name for name, kind in _KINDS.items() if not isinstance(getattr(provider, name), kind)]
    if wrong:
        wanted = ", ".join(f"{name} as a {_KINDS[name].__name__}" for name in wrong)
        yield f"its provider must have {wanted}"
        return
    kind, aliases = getattr(provider, "kind", ""), getattr(provider, "aliases", ())
    if not _KIND.fullmatch(kind):
        yield f"its kind {kind!r} must be small letters, digits and dashes, 63 at most"
    if not all(isinstance(alias, str) for alias in aliases):
        yield "its provider must have aliases that are texts"
    for name in _VERBS:
        if not callable(getattr(provider, name)):
            yield f"its provider's {name} cannot be called"
    yield from _faults_of_door(getattr(provider, "door", None))
    yield from _faults_of_capabilities(getattr(provider, "capabilities", Capabilities()))


def _faults_of_door(door: object) -> Iterator[str]:
    if door is None:
        return
    if not isinstance(getattr(door, "name", None), str):
        yield "its provider's door has no name; without a door it is None"
    for verb in _DOOR_VERBS:
        if not callable(getattr(door, verb, None)):
            yield f"its provider's door has no {verb} that can be called"


def _faults_of_capabilities(given: Capabilities) -> Iterator[str]:
    for name, known in _KNOWN.items():
        some: object = getattr(given, name)
        if not isinstance(some, frozenset) or not some <= known:
            of = ", ".join(sorted(known))
            yield f"its capabilities must have {name} as a frozenset of some of {of}"
    for member in fields(given):
        if member.type is bool and not isinstance(getattr(given, member.name), bool):
            yield f"its capabilities must have {member.name} as True or False"


def _verbs_of(protocol: type) -> tuple[str, ...]:
    return tuple(
        name for name, member in vars(protocol).items() if name[0] != "_" and callable(member)
    )


_VERBS, _DOOR_VERBS = _verbs_of(Provider), _verbs_of(ClusterDoor)
_KINDS: Mapping[str, type] = {"title": str, "aliases": tuple, "capabilities": Capabilities}
