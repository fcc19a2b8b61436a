"""Where KServe fetches a model from: a template's source as its `storageUri`. Pure.

A model by its format lies in a folder of the pod before the runtime starts: an init container
downloads it, or the claim that holds it is mounted. What has no such address is refused by field.
Forms of addresses as KServe's own initializer reads them.
"""

import re
from collections.abc import Iterator, Mapping

from providers.contract.request import DeployRequest
from providers.contract.template import ModelSource
from providers.workload.reviewing import Fault

ANNOTATION_SECRET = "serving.kserve.io/storageSecretName"  # noqa: S105 - the name of a name
TOKEN_KEY = "HF_TOKEN"  # noqa: S105 - a key's name
MOUNT_SCHEME = "pvc://"
DOWNLOADED = frozenset({"hf", "s3"})
"""Schemes of addresses of ours that an init container fetches; a claim is mounted."""

_SOURCE = "spec.model_source"
_REPOSITORY = re.compile(r"[^/:]+/[^/:]+")
_REVISION = re.compile(r"[^/:]+")


def storage_uri(source: ModelSource, args: Mapping[str, str]) -> str:
    """Return the address of a source without faults; `args` may hold the revision, too."""
    if source.type == "local":
        inside = _inside_claim(source)
        claim = source.cache.claim if source.cache else ""
        return f"{MOUNT_SCHEME}{claim}/{inside}" if inside else f"{MOUNT_SCHEME}{claim}"
    if source.type == "s3":
        return source.uri
    revision = _revision(source, args)
    return f"hf://{source.uri}:{revision}" if revision else f"hf://{source.uri}"


def storage_orders(request: DeployRequest) -> dict[str, str]:
    """Return what tells the download which Secret holds its keys, nothing where none is needed."""
    source = request.source
    if request.spec.serving_runtime is None or source is None or source.auth_secret_ref is None:
        return {}
    return {} if source.type == "local" else {ANNOTATION_SECRET: source.auth_secret_ref.name}


def storage_faults(source: ModelSource, args: Mapping[str, str]) -> Iterator[Fault]:
    """Yield what of a source KServe cannot fetch, each by its field."""
    if source.type == "local":
        yield from _claim_faults(source)
    elif source.cache:
        yield (
            f"{_SOURCE}.cache",
            (
                "keeps nothing for a serving runtime, whose model is fetched at each start; leave "
                "it out, or serve the files of the claim with type local"
            ),
        )
    if source.type == "huggingface":
        yield from _hub_faults(source, _revision(source, args))
        return
    if source.type == "s3" and not source.uri.startswith("s3://"):
        message = f"must be an address like s3://bucket/model; {source.uri} was given"
        yield f"{_SOURCE}.uri", message
    if _revision(source, args):
        yield f"{_SOURCE}.revision", f"KServe knows none of type {source.type}; leave it out"


def _claim_faults(source: ModelSource) -> Iterator[Fault]:
    if source.cache is None:
        yield (
            f"{_SOURCE}.cache",
            (
                "is required: a serving runtime gets files of a claim, and none of an image; name "
                "claim and mount_path"
            ),
        )
    elif not _is_below(source.uri, source.cache.mount_path):
        message = f"must be in {source.cache.mount_path}, where its claim would be; {source.uri}"
        yield f"{_SOURCE}.uri", f"{message} was given"
    elif ".." in source.uri.split("/"):
        yield f"{_SOURCE}.uri", f"must be the plain path of a folder; {source.uri} was given"


def _hub_faults(source: ModelSource, revision: str) -> Iterator[Fault]:
    if not _REPOSITORY.fullmatch(source.uri):
        yield f"{_SOURCE}.uri", f"KServe fetches owner/repository only; {source.uri} was given"
    if revision and not _REVISION.fullmatch(revision):
        message = f"KServe takes a branch, tag or commit without / and :; {revision} was given"
        yield f"{_SOURCE}.revision", message
    if source.auth_secret_ref and source.auth_secret_ref.key != TOKEN_KEY:
        message = f"must be {TOKEN_KEY}, the only key that KServe's download reads"
        yield f"{_SOURCE}.auth_secret_ref.key", message


def _revision(source: ModelSource, args: Mapping[str, str]) -> str:
    return source.revision or args.get("revision", "")


def _is_below(path: str, folder: str) -> bool:
    return f"{path.rstrip('/')}/".startswith(f"{folder.rstrip('/')}/")


def _inside_claim(source: ModelSource) -> str:
    """Return the path of the files on their claim, empty for all of it."""
    folder = source.cache.mount_path if source.cache else ""
    return source.uri.rstrip("/").removeprefix(folder.rstrip("/")).strip("/")
