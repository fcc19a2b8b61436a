"""What a deletion takes along and what it leaves, told before anybody asks for it.

Live where the cluster answers; else from what was applied last. Stores nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from deployments.models import Deployment
from deployments.selectors import current_revision
from deployments.services.answers import going_of
from deployments.services.backing_off import note_answer
from deployments.services.calling import ProviderFailed, calling_cluster, provider_of
from deployments.services.clusters import target_of
from deployments.services.deadlines import READ_SECONDS, deadline_in
from deployments.services.forgetting import last_known_objects
from deployments.services.refs import ref_of
from providers.contract.errors import ProviderError
from providers.contract.manifest import ObjectKey
from providers.contract.protocols import Remaining
from providers.contract.removing import Foretells, Going
from providers.registry import is_carried

FILES, TOKEN, PLACE, STRANGER = (
    "model files are kept on it",
    "it was only read from",
    "others may use it",
    "somebody else made it; it will have nothing to scale",
)
NOT_TOLD = "the implementation {} cannot tell what a deletion would remove"


@dataclass(frozen=True, kw_only=True, slots=True)
class Staying:
    """One object that a deletion leaves, and why."""

    kind: str
    name: str
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Foretold:
    """What goes and what stays. `cause` says why it is not live: then it is what was known last.

    `is_carried` tells whether anybody here could carry it out.
    """

    going: Going
    staying: tuple[Staying, ...]
    cause: str = ""
    is_carried: bool = True

    @property
    def is_live(self) -> bool:
        """Tell whether the cluster said so just now."""
        return not self.cause


def foretell_deletion(deployment: Deployment) -> Foretold:
    """Say what deleting would remove now; never raises for a cluster that does not answer.

    Of a closed record nothing goes.
    """
    if deployment.is_closed:
        return Foretold(going=Going(objects=()), staying=())
    try:
        going, cause = _ask(deployment), ""
    except ProviderError as error:
        going, cause = _known(deployment), error.message
    return Foretold(
        going=going,
        staying=tuple(_staying(deployment, going)),
        cause=cause,
        is_carried=is_carried(deployment.kind),
    )


def _ask(deployment: Deployment) -> Going:
    provider = provider_of(deployment.kind)
    if not isinstance(provider, Foretells):
        raise ProviderFailed(NOT_TOLD.format(deployment.kind))
    target = target_of(deployment.cluster)
    with calling_cluster(deployment.cluster.name, provider.kind, "what_goes"):
        answer = provider.what_goes(ref_of(deployment), target, deadline=deadline_in(READ_SECONDS))
        going = going_of(answer)
    note_answer(deployment.cluster)
    return going


def _known(deployment: Deployment) -> Going:
    return Going(objects=tuple(Remaining(object=key) for key in last_known_objects(deployment)))


def _staying(deployment: Deployment, going: Going) -> Iterator[Staying]:
    source = current_revision(deployment).source or {}
    claim = str((source.get("cache") or {}).get("claim") or "")
    secret = str((source.get("auth_secret_ref") or {}).get("name") or "")
    yield from (_stranger(key) for key in going.staying)
    if claim:
        yield Staying(kind="PersistentVolumeClaim", name=claim, why=FILES)
    if secret:
        yield Staying(kind="Secret", name=secret, why=TOKEN)
    yield Staying(kind="Namespace", name=deployment.namespace, why=PLACE)


def _stranger(key: ObjectKey) -> Staying:
    return Staying(kind=key.kind, name=key.name, why=STRANGER)
