"""What an object says of its own launch, and whether it was written from given manifests.

A workload carries what it was launched from in an annotation, so that a record that was lost with
its database can be written anew. Whoever may write to the cluster may have changed it, so it is
read as any input is: what is not in order counts as not there.
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from providers.contract.manifest import Manifest, ObjectKey, canonical_json, key_of
from providers.contract.protocols import ManagedObject
from providers.contract.request import DeployRequest, Provenance, Rollout
from providers.workload.labels import (
    ANNOTATION_DIGEST,
    ANNOTATION_DISPLAY_NAME,
    ANNOTATION_LAUNCH,
    ANNOTATION_REVISION,
    LABEL_ID,
)

MOST_CHARACTERS = 20_000
MOST_DIGITS = 9
MOST_OF_A_MARK = 20

_Texts = Mapping[str, str | None]


def launch_annotations(request: DeployRequest) -> dict[str, str]:
    """Return what a workload bears beyond its companions: the launch in the catalogue's words.

    It counts in the digest, so that a revision that changes nothing else is written all the same.
    """
    told = request.provenance
    if told is None:
        return {}
    document = {
        "model": told.model,
        "template": told.template,
        "template_version": told.template_version,
        "overrides": told.overrides,
        "created_by": told.created_by,
        "rollout": request.rollout.value,
        **({"stopped": True} if told.stopped else {}),
        **({"restart": told.restart} if told.restart else {}),
    }
    return {ANNOTATION_LAUNCH: canonical_json(document)}


def managed_object(
    key: ObjectKey, uid: str, *, labels: _Texts, annotations: _Texts, is_workload: bool
) -> ManagedObject:
    """Return an object of ours with all that its labels and annotations say."""
    launch = _document(annotations.get(ANNOTATION_LAUNCH) or "")
    return ManagedObject(
        key=key,
        uid=uid,
        deployment_id=labels.get(LABEL_ID) or "",
        is_workload=is_workload,
        display_name=annotations.get(ANNOTATION_DISPLAY_NAME) or "",
        revision=_whole(annotations.get(ANNOTATION_REVISION) or ""),
        digest=annotations.get(ANNOTATION_DIGEST) or "",
        provenance=_provenance(launch),
        rollout=_rollout(launch.get("rollout")),
    )


def differences(manifests: Sequence[Manifest], objects: Sequence[ManagedObject]) -> tuple[str, ...]:
    """Name what was not written from these manifests, is missing or too many, in their order."""
    return tuple(_differences(manifests, {found.key: found for found in objects}))


def _differences(
    manifests: Sequence[Manifest], left: dict[ObjectKey, ManagedObject]
) -> Iterator[str]:
    for manifest in manifests:
        key = key_of(manifest)
        found = left.pop(key, None)
        annotations = manifest["metadata"].get("annotations") or {}
        if found is None:
            yield f"{key} is missing"
        elif found.digest != annotations.get(ANNOTATION_DIGEST):
            yield f"{key} was written from something else"
    for key in left:
        yield f"{key} is too many"


def _provenance(launch: Mapping[str, object]) -> Provenance | None:
    """Return what it was launched from; None for none, and for one that is not as we write it."""
    words = [launch.get(name) for name in ("model", "template", "template_version")]
    overrides = launch.get("overrides")
    if not all(isinstance(word, str) and word for word in words):
        return None
    if not isinstance(overrides, dict):
        return None
    return Provenance(
        model=str(words[0]),
        template=str(words[1]),
        template_version=str(words[2]),
        overrides=overrides,
        created_by=str(launch.get("created_by") or ""),
        stopped=launch.get("stopped") is True,
        restart=str(launch.get("restart") or "")[:MOST_OF_A_MARK],
    )


def _rollout(word: object) -> Rollout | None:
    return Rollout(word) if isinstance(word, str) and word in list(Rollout) else None


def _document(text: str) -> Mapping[str, object]:
    # JSON may spell characters that no database keeps.
    if len(text) > MOST_CHARACTERS or "\\u0000" in text or "\\ud" in text.lower():
        return {}
    try:
        document = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else 0
