"""A person with a browser and no JavaScript: cookies are kept, forms are sent."""

from http.cookies import SimpleCookie
from urllib.parse import urlencode

import urllib3

from tests.processes.console import ANSWER_SECONDS


class Visitor:
    """One visit; every call is a page, and nothing is followed."""

    def __init__(self, port: int) -> None:
        self._base = f"http://127.0.0.1:{port}"
        self._pool = urllib3.PoolManager(retries=False, timeout=ANSWER_SECONDS)
        self._cookies: SimpleCookie = SimpleCookie()

    def get(self, path: str) -> int:
        """Return the status of a page."""
        return self._ask("GET", path, "")

    def sign_in(self, name: str, password: str) -> int:
        """Send the form of the sign-in page; 302 lets in."""
        assert self.get("/sign-in") == 200
        token = self._cookies["csrftoken"].value
        fields = {"username": name, "password": password, "csrfmiddlewaretoken": token}
        return self._ask("POST", "/sign-in", urlencode(fields))

    def _ask(self, method: str, path: str, body: str) -> int:
        kept = "; ".join(f"{name}={one.value}" for name, one in self._cookies.items())
        headers = {"Cookie": kept, "Content-Type": "application/x-www-form-urlencoded"}
        answer = self._pool.request(
            method, self._base + path, body=body, headers=headers, redirect=False
        )
        for line in answer.headers.getlist("Set-Cookie"):
            self._cookies.load(line)
        return int(answer.status)
