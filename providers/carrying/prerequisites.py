"""What must be there before a launch: namespace, secret, claim, pull secrets, account, quota.

Each question is one read. What we may not look at is unknown, never a fault. The values of secrets
are never decoded: only the names of their keys are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from providers.carrying.carrier import Carrier
from providers.carrying.own_share import without_own_share
from providers.contract.checks import Check, Result
from providers.contract.manifest import Manifest
from providers.contract.protocols import Deadline
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.contract.template import SecretRef
from providers.kube.client import KubeClient
from providers.kube.lists import Read, Selection, read_list, read_one
from providers.kube.resources import (
    CLAIMS,
    NAMESPACES,
    QUOTAS,
    SECRETS,
    SERVICE_ACCOUNTS,
    Resource,
)
from providers.workload.capacity import count_quotas
from providers.workload.checks import check_quotas
from providers.workload.objects import Item, Namespace, ResourceQuota

NAMESPACE_FIELD = "target.namespace"
SECRET_FIELD = "spec.model_source.auth_secret_ref"  # noqa: S105 - a path, not a password
CLAIM_FIELD = "spec.model_source.cache.claim"
S3_KEYS = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")


class SecretKeys(Item, kw_only=True, frozen=True):
    """A Secret of which only the names of keys are looked at."""

    data: dict[str, msgspec.Raw] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """Everything that a check needs to ask."""

    client: KubeClient
    carrier: Carrier
    request: DeployRequest
    target: ClusterTarget
    deadline: Deadline


def check_namespace(asked: Question) -> Check:
    """Look for the namespace; only the one that a launch may make may be missing."""
    name = asked.request.namespace
    read = read_one(asked.client, NAMESPACES, Namespace, name, deadline=asked.deadline)
    if read.trouble:
        return _unknown("NamespaceUnknown", read.trouble, NAMESPACE_FIELD)
    if not read.items:
        return _missing_namespace(name, asked.target)
    if read.items[0].is_ending:
        text = f"namespace {name} is being deleted; wait until it is gone, or take another"
        return _fail("NamespaceTerminating", text, NAMESPACE_FIELD)
    return _passed("NamespaceFound", f"namespace {name} is there")


def check_secret(asked: Question) -> tuple[Check, ...]:
    """Look for the source's secret and its keys."""
    source = asked.request.source
    ref = source.auth_secret_ref if source else None
    if source is None or ref is None:
        return ()
    read = _one(asked, SECRETS, SecretKeys, ref.name)
    if read.trouble:
        return (_unknown("SecretUnknown", read.trouble, SECRET_FIELD),)
    if not read.items:
        text = f"secret {ref.name} does not exist in namespace {asked.request.namespace}"
        return (_fail("SecretMissing", text, SECRET_FIELD),)
    wanted = S3_KEYS if source.type == "s3" else (ref.key,)
    return tuple(_key_checks(ref, wanted, read.items[0]))


def check_claim(asked: Question) -> tuple[Check, ...]:
    """Look for the claim of the cache."""
    cache = asked.request.source.cache if asked.request.source else None
    if cache is None:
        return ()
    read = _one(asked, CLAIMS, Item, cache.claim)
    if read.trouble:
        return (_unknown("VolumeClaimUnknown", read.trouble, CLAIM_FIELD),)
    if not read.items:
        where = f"in namespace {asked.request.namespace}"
        text = f"PersistentVolumeClaim {cache.claim} does not exist {where}"
        return (_fail("VolumeClaimMissing", text, CLAIM_FIELD),)
    return (_passed("VolumeClaimFound", f"PersistentVolumeClaim {cache.claim} is there"),)


def check_pull_secret(asked: Question, name: str) -> tuple[Check, ...]:
    """Look for one image pull secret: images may still come without it, so it only warns."""
    read = _one(asked, SECRETS, SecretKeys, name)
    if read.trouble:
        return (_unknown("PullSecretUnknown", read.trouble, ""),)
    if read.items:
        return ()
    text = f"image pull secret {name} does not exist in namespace {asked.request.namespace}"
    return (Check(code="PullSecretMissing", result=Result.WARN, message=text),)


def check_account(asked: Question) -> tuple[Check, ...]:
    """Look for the service account that the cluster's row names."""
    name = asked.target.service_account
    if not name:
        return ()
    read = _one(asked, SERVICE_ACCOUNTS, Item, name)
    if read.trouble:
        return (_unknown("ServiceAccountUnknown", read.trouble, ""),)
    if read.items:
        return ()
    text = f"service account {name} does not exist in namespace {asked.request.namespace}"
    return (_fail("ServiceAccountMissing", text, ""),)


def read_quotas(asked: Question) -> Read[ResourceQuota]:
    """Read the quotas of the namespace."""
    selection = Selection(namespace=asked.request.namespace)
    return read_list(asked.client, QUOTAS, ResourceQuota, selection, deadline=asked.deadline)


def check_quota(
    asked: Question, read: Read[ResourceQuota], wanted: Manifest, running: Manifest | None
) -> tuple[Check, ...]:
    """Hold the launch of a workload against what the quotas of the namespace have left.

    `running` is the workload that is there already: what it counts for is not asked for twice.
    """
    if read.trouble:
        return (_unknown("QuotaUnknown", read.trouble, NAMESPACE_FIELD),)
    lines = (line for space in count_quotas(read.items) for line in space.quotas)
    left = without_own_share(asked.carrier, lines, running)
    beside = asked.carrier.made_beside(wanted)
    return check_quotas(asked.request, asked.target, left, beside)


def _one(asked: Question, kind: Resource, struct: type[Item], name: str) -> Read[Item]:
    return read_one(
        asked.client, kind, struct, name, asked.request.namespace, deadline=asked.deadline
    )


def _missing_namespace(name: str, target: ClusterTarget) -> Check:
    if name == target.creatable_namespace:
        text = f"namespace {name} does not exist yet; the launch makes it"
        return _unknown("NamespaceToBeMade", text, NAMESPACE_FIELD)
    text = f"namespace {name} does not exist; make it with: kubectl create namespace {name}"
    return _fail("NamespaceMissing", text, NAMESPACE_FIELD)


def _key_checks(ref: SecretRef, wanted: Sequence[str], found: Item) -> Iterator[Check]:
    keys = (found.data or {}) if isinstance(found, SecretKeys) else {}
    for key in wanted:
        if key not in keys:
            text = f"secret {ref.name} has no key {key}"
            yield _fail("SecretKeyMissing", text, SECRET_FIELD)
    if all(key in keys for key in wanted):
        yield _passed("SecretFound", f"secret {ref.name} has {' and '.join(wanted)}")


def _passed(code: str, text: str) -> Check:
    return Check(code=code, result=Result.PASS, message=text)


def _fail(code: str, text: str, at: str) -> Check:
    return Check(code=code, result=Result.FAIL, message=text, field=at)


def _unknown(code: str, text: str, at: str) -> Check:
    return Check(code=code, result=Result.UNKNOWN, message=text, field=at)
