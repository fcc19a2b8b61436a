"""Faults on request: one list of rules, the first that matches a request has its way.

Off unless somebody asks. Set by Python in tests, by a path outside the Kubernetes API in the demo.
"""

from dataclasses import replace
from http import HTTPStatus

import msgspec

from providers.sandbox.messages import Refused, Request, Response, answer, bad_request

PATH = "/sandbox/faults"


class Fault(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
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
        asked = (request.verb, request.kind.plural, request.namespace) if request else ("", "", "")
        wanted = (self.verb, self.resource, self.namespace)
        is_continued = bool(request and "continue" in request.query)
        fits = all(one in {"", other} for one, other in zip(wanted, asked, strict=True))
        return fits and (is_continued or not self.continued)

    def befall(self, response: Response) -> Response:
        """Return what becomes of a response."""
        if self.status:
            reason = HTTPStatus(self.status).phrase.replace(" ", "")
            response = Refused(self.status, reason, "a fault was asked for").response()
            headers = {"Retry-After": str(self.retry_after)} if self.retry_after else {}
            response = replace(response, headers=headers)
        return replace(response, delay=self.latency, dropped=self.drop, cut=self.truncate)


class Faults(list[Fault]):
    """The rules in force."""

    def take(self, request: Request | None) -> Fault:
        """Return the fault that befalls a request, counting it; without one, what does nothing."""
        fault = next((rule for rule in self if rule.matches(request)), Fault())
        if fault.times:
            number = self.index(fault)
            left = [msgspec.structs.replace(fault, times=fault.times - 1)]
            self[number : number + 1] = left if fault.times > 1 else []
        return fault

    def change(self, method: str, body: bytes) -> Response:
        """Answer the demo's path; raises Refused naming the field that a fault does not have."""
        if method == "POST":
            try:
                self.append(msgspec.json.decode(body, type=Fault))
            except msgspec.DecodeError as error:
                known = ", ".join(Fault.__struct_fields__)
                raise bad_request(f"{error}; a fault has some of: {known}") from None
        elif method == "DELETE":
            self.clear()
        return answer({"faults": msgspec.to_builtins(list(self))})
