"""What a container's probes allow: how long it may load, how often it is asked, in which words it
fails.

Defaults are those of the Kubernetes API (period 10 s, 3 failures, no initial delay).
"""

from dataclasses import dataclass

from providers.contract.manifest import Manifest

DEFAULT_PERIOD_SECONDS = 10
DEFAULT_FAILURES = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Probe:
    """One probe of a container, as far as time and words go."""

    kind: str
    delay: float
    period: float
    failures: int
    url: str

    @property
    def budget(self) -> float:
        """Seconds after which a container that never answered is killed."""
        return self.delay + self.period * self.failures

    @property
    def refused(self) -> str:
        """The kubelet's words while nothing listens on the port yet."""
        address = self.url.removeprefix("http://").partition("/")[0]
        words = f"dial tcp {address}: connect: connection refused"
        return f'{self.kind} probe failed: Get "{self.url}": {words}'

    @property
    def unhealthy(self) -> str:
        """The kubelet's words when the engine answers that it is not ready."""
        return f"{self.kind} probe failed: HTTP probe failed with statuscode: 503"


def probe_of(container: Manifest, kind: str, *, pod_ip: str) -> Probe | None:
    """Return the Startup, Liveness or Readiness probe of a container, None where it has none."""
    spec = container.get(f"{kind.lower()}Probe")
    if not spec:
        return None
    return Probe(
        kind=kind,
        delay=float(spec.get("initialDelaySeconds") or 0),
        period=float(spec.get("periodSeconds") or DEFAULT_PERIOD_SECONDS),
        failures=int(spec.get("failureThreshold") or DEFAULT_FAILURES),
        url=_url(container, spec, pod_ip),
    )


def _url(container: Manifest, spec: Manifest, pod_ip: str) -> str:
    action = spec.get("httpGet") or spec.get("tcpSocket") or {}
    return f"http://{pod_ip}:{_port(container, action.get('port'))}{action.get('path') or '/'}"


def _port(container: Manifest, port: object) -> object:
    named = {entry.get("name"): entry["containerPort"] for entry in container.get("ports") or []}
    return named.get(port, port)
