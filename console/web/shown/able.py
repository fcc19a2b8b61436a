"""What the kind of a deployment can do, so that pages offer nothing else."""

from deployments.models import Deployment
from providers import registry
from providers.contract.protocols import Capabilities


def able_of(deployment: Deployment) -> Capabilities:
    """Return what its implementation says; the usual where nobody is there to say it."""
    provider = registry.providers().get(deployment.kind)
    return provider.capabilities if provider else Capabilities()
