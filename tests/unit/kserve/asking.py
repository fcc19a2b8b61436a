"""Requests and targets for the tests of this kind, as the core would hand them over."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from providers.contract.request import DeployRequest
from providers.contract.target import AcceleratorMapping
from providers.kserve.provider import provider
from providers.testing.samples import make_request, make_target, spec_with

TARGET = make_target(accelerators={"H100": AcceleratorMapping(resource="nvidia.com/gpu")})
SCALED = {"min_replicas": 1, "max_replicas": 3, "enable_auto_scaling": True}


def asked(overrides: Mapping[str, object] | None = None, **parts: Any) -> DeployRequest:
    """Return a request with some parts of its template replaced."""
    spec = spec_with(**parts)
    return make_request(provider, spec=spec, overrides=overrides, deployment_id="1a2b3c4d-x")


def next_of(request: DeployRequest, **changes: Any) -> DeployRequest:
    return replace(request, revision=request.revision + 1, **changes)
