"""Requests and targets for the tests of this kind, as the core would hand them over."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from providers.contract.request import DeployRequest
from providers.contract.target import AcceleratorMapping
from providers.stormservice.provider import provider
from providers.testing.samples import make_request, make_target, spec_with

TARGET = make_target(accelerators={"H100": AcceleratorMapping(resource="nvidia.com/gpu")})
SGLANG = {"type": "sglang", "version": "0.5.3", "image": "docker.io/lmsysorg/sglang:v0.5.3"}
SEVERAL = {"multi-node", "disaggregated"}


def asked(overrides: Mapping[str, object] | None = None, **parts: Any) -> DeployRequest:
    """Return a request with some parts of its template replaced.

    The engine is a mock for one pod, else SGLang, which can be several.
    """
    several = {"engine": SGLANG} if parts.get("topology", {}).get("kind", "") in SEVERAL else {}
    spec = spec_with(**{**several, **parts})
    return make_request(provider, spec=spec, overrides=overrides, deployment_id="1a2b3c4d-x")


def roles(*given: Mapping[str, object]) -> Mapping[str, object]:
    """Return the topology of roles that ask for no accelerators unless they say so."""
    return {
        "kind": "disaggregated",
        "roles": [{"accelerator": {"type": "cpu"}, **role} for role in given],
    }


def nodes(count: int = 2) -> Mapping[str, object]:
    return {"kind": "multi-node", "nodes": count}


def next_of(request: DeployRequest, **changes: Any) -> DeployRequest:
    return replace(request, revision=request.revision + 1, **changes)
