"""Who else manages an object of ours: told before a change, because it may be taken back.

By who holds fields of its spec, and by the marks that tools leave on what is theirs.
"""

from collections.abc import Iterable, Iterator, Mapping

from providers.contract.drifting import CoManager
from providers.contract.manifest import Manifest, ObjectKey, key_of
from providers.workload.drifting.holders import Entry, entries_of
from providers.workload.drifting.words import TOOLS, Tool, who_is
from providers.workload.labels import LABEL_MANAGED_BY, MANAGED_BY

_ARGO, _FLUX = TOOLS["argocd-controller"], TOOLS["kustomize-controller"]
_HELM_OF_FLUX = TOOLS["helm-controller"]

_MARKS: Mapping[str, Tool] = {
    "argocd.argoproj.io/instance": _ARGO,
    "argocd.argoproj.io/tracking-id": _ARGO,
    "kustomize.toolkit.fluxcd.io/name": _FLUX,
    "helm.toolkit.fluxcd.io/name": _HELM_OF_FLUX,
}
_HELM_RELEASE = "meta.helm.sh/release-name"


def co_managers_of(live: Manifest) -> tuple[CoManager, ...]:
    """Return everybody else with a hand in an object, each once."""
    key = key_of(live)
    found = (*_by_marks(live, key), *_by_fields(entries_of(live), key))
    return tuple({one.name: one for one in reversed(found)}.values())[::-1]


def stray_autoscaler(autoscaler: ObjectKey, workload: ObjectKey) -> CoManager:
    """Return an autoscaler that is not ours and has our workload for its target."""
    name = str(autoscaler)
    return CoManager(
        name=name,
        sentence=f"{name} is not of Slipway and sets the number of replicas of {workload}",
        key=workload,
        writes_again=True,
    )


def _by_marks(live: Manifest, key: ObjectKey) -> Iterator[CoManager]:
    labels = live["metadata"].get("labels") or {}
    annotations = live["metadata"].get("annotations") or {}
    for mark, tool in _MARKS.items():
        if labels.get(mark) or annotations.get(mark):
            yield _tool(tool, key)
    release = annotations.get(_HELM_RELEASE)
    if release:
        yield _helm(f"the Helm release {release}", key)
    manager = labels.get(LABEL_MANAGED_BY)
    if manager and manager != MANAGED_BY and not release:
        sentence = f"{key} is labelled as managed by {manager}"
        yield CoManager(name=str(manager), sentence=sentence, key=key)


def _by_fields(entries: Iterable[Entry], key: ObjectKey) -> Iterator[CoManager]:
    for entry in entries:
        if entry.manager in TOOLS:
            yield _tool(TOOLS[entry.manager], key)
        elif not entry.is_ours and entry.holds(("spec",)) and not entry.is_of_cluster:
            who = who_is(entry)
            yield CoManager(name=who, sentence=f"{who} has changed {key}", key=key)


def _tool(tool: Tool, key: ObjectKey) -> CoManager:
    sentence = (
        f"{tool.name} manages {key} too and may take back what is changed here; "
        f"change {tool.where} as well"
    )
    return CoManager(name=tool.name, sentence=sentence, key=key, writes_again=True)


def _helm(release: str, key: ObjectKey) -> CoManager:
    sentence = f"{key} belongs to {release}, whose next upgrade may take back what is changed here"
    return CoManager(name=release, sentence=sentence, key=key)
