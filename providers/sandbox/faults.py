"""Faults on request: one list of rules, the first that matches a request has its way.

Off unless somebody asks. Set by Python in tests, by a path outside the Kubernetes API in the demo.
"""

import random
from dataclasses import asdict, dataclass, fields, replace

from providers.contract.manifest import Manifest
from providers.sandbox.answers import Refused, Response, bad_request

PATH = "/sandbox/faults"
REASONS = {
    400: "BadRequest",
    401: "Unauthorized",
    403: "Forbidden",
    404: "NotFound",
    409: "Conflict",
    410: "Expired",
    429: "TooManyRequests",
    500: "InternalError",
    503: "ServiceUnavailable",
    504: "Timeout",
}
MESSAGES = {
    401: "Unauthorized",
    410: "The provided continue parameter is too old to display a consistent list result.",
    429: "the server has received too many requests and has asked us to try again later",
    500: "Internal error occurred: a fault was asked for",
    503: "the server is currently unable to handle the request",
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
    name: str = ""
    continued: bool | None = None
    times: int | None = None
    probability: float = 1.0
    status: int = 0
    retry_after: int = 0
    latency: float = 0.0
    drop: bool = False
    truncate: int | None = None


DOWN = Fault(drop=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """What a request asks for, as rules match it."""

    verb: str
    resource: str = ""
    namespace: str = ""
    name: str = ""
    continued: bool = False


class Faults:
    """The rules in force."""

    def __init__(self, chance: random.Random) -> None:
        self.rules: list[Fault] = []
        self._chance = chance

    def add(self, fault: Fault) -> None:
        """Let a fault happen from now on."""
        self.rules.append(fault)

    def clear(self) -> None:
        """Let everything be well again."""
        self.rules.clear()

    def take(self, asked: Asked) -> Fault | None:
        """Return the fault that befalls a request, counting it."""
        for number, rule in enumerate(self.rules):
            if _matches(rule, asked) and self._chance.random() < rule.probability:
                if rule.times is not None:
                    self.rules[number : number + 1] = (
                        [replace(rule, times=rule.times - 1)] if rule.times > 1 else []
                    )
                return rule
        return None

    def as_list(self) -> list[Manifest]:
        """Return the rules as the demo's path shows them."""
        return [asdict(rule) for rule in self.rules]


def read_fault(body: object) -> Fault:
    """Return the fault that a body asks for; raises Refused naming what it may hold."""
    known = {field.name for field in fields(Fault)}
    if not isinstance(body, dict) or not set(body) <= known:
        raise bad_request(f"a fault is an object with some of: {', '.join(sorted(known))}")
    return Fault(**body)


def befallen(fault: Fault, response: Response) -> Response:
    """Return what becomes of a response under a fault."""
    if fault.status:
        message = MESSAGES.get(fault.status, "a fault was asked for")
        response = Refused(fault.status, REASONS.get(fault.status, ""), message).response()
        if fault.retry_after:
            response = replace(response, headers={"Retry-After": str(fault.retry_after)})
    return replace(response, delay=fault.latency, dropped=fault.drop, cut=fault.truncate)


def _matches(rule: Fault, asked: Asked) -> bool:
    pairs = (
        (rule.verb, asked.verb),
        (rule.resource, asked.resource),
        (rule.namespace, asked.namespace),
        (rule.name, asked.name),
    )
    fits = all(not wanted or wanted == found for wanted, found in pairs)
    return fits and rule.continued in {None, asked.continued}
