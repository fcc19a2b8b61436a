"""Other autoscalers on a workload of ours: of two on one target, neither moves it.

Read only where a workload is there already. Kinds that are not installed or may not be read have
no say: the autoscaler that they make is read all the same, and the status tells of it afterwards.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from providers.carrying.carrier import Carrier
from providers.carrying.parts import Live, Parts, labels_of
from providers.contract.checks import Check, Result
from providers.contract.errors import Rejected
from providers.contract.manifest import Manifest, key_of
from providers.contract.protocols import Deadline
from providers.kube.bounded import run_all
from providers.kube.client import KubeClient
from providers.kube.lists import Read, Selection, read_list
from providers.kube.resources import (
    AUTOSCALERS,
    POD_AUTOSCALERS,
    SCALED_OBJECTS,
)
from providers.workload.labels import LABEL_ID
from providers.workload.objects import HorizontalPodAutoscaler
from providers.workload.status.wording import joined

CODE = "AutoscalerConflict"
FIELD = "overrides.enable_auto_scaling"

# Those first that make a HorizontalPodAutoscaler of their own.
_KINDS = (SCALED_OBJECTS, POD_AUTOSCALERS, AUTOSCALERS)


@dataclass(frozen=True, kw_only=True, slots=True)
class Rivals:
    """The autoscalers of others on one target, each as `ScaledObject nightly`.

    `beside`: the workload's own controller keeps one there too, whatever is asked for.
    """

    target: str
    names: tuple[str, ...]
    beside: bool = False

    @property
    def acting(self) -> str:
        verb = "acts" if len(self.names) == 1 else "act"
        return f"{joined(self.names)} {verb} on {self.target} already"

    @property
    def them(self) -> str:
        return "it" if len(self.names) == 1 else "them"


def find_rivals(
    client: KubeClient, carrier: Carrier, parts: Parts, live: Live, *, deadline: Deadline
) -> Rivals | None:
    """Return who else moves the number of replicas, None for nobody."""
    if live.workload is None:
        return None
    selection = Selection(namespace=key_of(parts.workload).namespace)
    reads: list[Read[HorizontalPodAutoscaler]] = run_all(
        client.threads,
        [
            partial(read_list, client, kind, HorizontalPodAutoscaler, selection, deadline=deadline)
            for kind in _KINDS
        ],
    )
    names = tuple(_names(reads, carrier, parts.workload))
    target = " ".join(carrier.scaled(key_of(parts.workload).name))
    return Rivals(target=target, names=names, beside=not carrier.autoscalers) if names else None


def refuse_second_autoscaler(
    client: KubeClient, carrier: Carrier, parts: Parts, live: Live, *, deadline: Deadline
) -> None:
    """Raise Rejected before an autoscaler is made beside another one."""
    if parts.autoscaler is None or live.autoscaler is not None:
        return
    rivals = find_rivals(client, carrier, parts, live, deadline=deadline)
    if rivals is not None:
        raise Rejected(_refusal(rivals), code=CODE, field=FIELD)


def check_rivals(parts: Parts, live: Live, rivals: Rivals | None) -> Iterator[Check]:
    """Yield what other autoscalers mean for a change: a second one would end in neither acting."""
    if rivals is None:
        return
    if rivals.beside:
        yield Check(code=CODE, result=Result.WARN, message=_struggle(rivals), field=FIELD)
    elif parts.autoscaler is None:
        text = f"{rivals.acting} and may move the number of replicas away from the one given here"
        yield Check(code=CODE, result=Result.WARN, message=text, field="overrides.min_replicas")
    elif live.autoscaler is not None:
        text = f"{rivals.acting}, beside the autoscaler of this deployment; remove all but one"
        yield Check(code=CODE, result=Result.WARN, message=text, field=FIELD)
    else:
        yield Check(code=CODE, result=Result.FAIL, message=_refusal(rivals), field=FIELD)


def _refusal(rivals: Rivals) -> str:
    return (
        f"{rivals.acting}, and of two autoscalers on one target neither acts; "
        f"remove {rivals.them}, or leave autoscaling off"
    )


def _struggle(rivals: Rivals) -> str:
    """Say what two do that nobody can leave out one of."""
    return (
        f"{rivals.acting}, beside the autoscaler that its own controller keeps: each takes the "
        "number of replicas back into its own bounds, and within those of both neither acts; "
        f"remove {rivals.them}"
    )


def _names(
    reads: Sequence[Read[HorizontalPodAutoscaler]], carrier: Carrier, workload: Manifest
) -> Iterator[str]:
    """Yield each rival once: an autoscaler that another one made goes with that."""
    makers: set[str] = set()
    for kind, read in zip(_KINDS, reads, strict=True):
        for scaler in read.items:
            made_by = scaler.controller.uid if scaler.controller else None
            if made_by in makers or not _is_rival(scaler, carrier, workload):
                continue
            makers.add(scaler.uid)
            yield f"{kind.kind} {scaler.name}"


def _is_rival(scaler: HorizontalPodAutoscaler, carrier: Carrier, workload: Manifest) -> bool:
    ours = scaler.labels.get(LABEL_ID) == labels_of(workload)[LABEL_ID]
    kind, name = carrier.scaled(workload["metadata"]["name"])
    return scaler.target.kind in {None, "", kind} and scaler.target.name == name and not ours
