"""Faults on request: one list of rules, the first that matches a request has its way.

Off unless somebody asks. Set by Python in tests, by a path outside the Kubernetes API in the demo.
"""

from dataclasses import asdict, dataclass, fields, replace

from providers.contract.manifest import Manifest
from providers.sandbox.messages import Refused, Request, Response, bad_request

PATH = "/sandbox/faults"
REASONS = {
    401: "Unauthorized",
    403: "Forbidden",
    409: "Conflict",
    410: "Expired",
    429: "TooManyRequests",
    500: "InternalError",
    503: "ServiceUnavailable",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """What to match (empty: anything) and what happens then.

    `status` answers with it, `latency` waits that many seconds first, `drop` closes the connection
    without a word, `truncate` after so many bytes. `times` is how often, None for ever.
    """

    verb: str = ""
    resource: str = ""
    namespace: str = ""
    continued: bool = False
    times: int | None = None
    status: int = 0
    retry_after: int = 0
    latency: float = 0.0
    drop: bool = False
    truncate: int | None = None

    def matches(self, request: Request | None) -> bool:
        """Tell whether it befalls a request, or a question for what is served."""
        if request is None:
            return not (self.verb or self.resource or self.namespace or self.continued)
        return (
            self.verb in {"", request.verb}
            and self.resource in {"", request.kind.plural}
            and self.namespace in {"", request.namespace}
            and (not self.continued or "continue" in request.query)
        )

    def befall(self, response: Response) -> Response:
        """Return what becomes of a response."""
        if self.status:
            told = Refused(self.status, REASONS.get(self.status, ""), "a fault was asked for")
            headers = {"Retry-After": str(self.retry_after)} if self.retry_after else {}
            response = replace(told.response(), headers=headers)
        return replace(response, delay=self.latency, dropped=self.drop, cut=self.truncate)


DOWN = Fault(drop=True)


class Faults:
    """The rules in force."""

    def __init__(self) -> None:
        self.rules: list[Fault] = []

    def add(self, fault: Fault) -> None:
        """Let a fault happen from now on."""
        self.rules.append(fault)

    def clear(self) -> None:
        """Let everything be well again."""
        self.rules.clear()

    def take(self, request: Request | None) -> Fault | None:
        """Return the fault that befalls a request, counting it."""
        rule = next((rule for rule in self.rules if rule.matches(request)), None)
        if rule and rule.times:
            number = self.rules.index(rule)
            left = [replace(rule, times=rule.times - 1)] if rule.times > 1 else []
            self.rules[number : number + 1] = left
        return rule

    def as_list(self) -> list[Manifest]:
        """Return the rules as the demo's path shows them."""
        return [asdict(rule) for rule in self.rules]


def read_fault(body: object) -> Fault:
    """Return the fault that a body asks for; raises Refused naming what it may hold."""
    known = {field.name for field in fields(Fault)}
    if not isinstance(body, dict) or not set(body) <= known:
        raise bad_request(f"a fault is an object with some of: {', '.join(sorted(known))}")
    return Fault(**body)
