"""The provider does what every provider must, on the cluster that Slipway simulates."""

from acme_replicas.provider import provider as acme

from providers.testing.sandbox_contract import SandboxContract


class TestAcmeReplicas(SandboxContract):
    provider = acme
