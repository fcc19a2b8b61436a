"""Listens to pages of a browser: what a reader would never see but nothing may hide.

Collects errors of the console, breaches of the content security policy, errors of scripts, answers
that say the server broke, and requests to anywhere but the console.
"""

from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, Response

# A search that a later one replaces is aborted, which htmx tells as it tells failures; those get
# a name of their own besides.
_ABORTED = ("htmx:afterRequest", "htmx:sendAbort", "htmx:abort")
# A refused form (422) and a page that is not there for one (404) are answers, not faults; the
# browser writes them into its console all the same.
_ANSWERS = ("status of 403", "status of 404", "status of 409", "status of 422", "status of 429")
_REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`policy: ${event.violatedDirective} refused ${event.blockedURI}`);
});
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Watch:
    """What was found on the pages of the contexts it watches."""

    home: str
    findings: list[str] = field(default_factory=list)

    def over(self, context: BrowserContext) -> BrowserContext:
        """Listen to every page that the context opens."""
        context.add_init_script(_REPORT_VIOLATIONS)
        # The driver keeps notes on the object that a bound method belongs to; this one is frozen.
        context.on("console", lambda message: self._console(message))  # noqa: PLW0108
        context.on("weberror", lambda error: self.findings.append(f"script: {error.error}"))
        context.on("request", lambda request: self._request(request))  # noqa: PLW0108
        context.on("response", lambda response: self._response(response))  # noqa: PLW0108
        return context

    def _console(self, message: ConsoleMessage) -> None:
        is_answer = "/static/" not in message.location["url"] and any(
            answer in message.text for answer in _ANSWERS
        )
        if message.type == "error" and not is_answer and not message.text.startswith(_ABORTED):
            self.findings.append(f"console: {message.text}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((f"{self.home}/", "data:", "blob:")):
            self.findings.append(f"left the host: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 500:
            self.findings.append(f"status {response.status}: {response.url}")
