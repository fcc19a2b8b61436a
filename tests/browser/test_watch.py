"""The watch over all journeys hears what it is there for."""

import pytest
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from tests.browser.watch import Watch

FOREIGN = "document.body.insertAdjacentHTML('beforeend', '<img src=\"http://elsewhere.invalid/\">')"
INLINE = "document.body.setAttribute('onclick', 'alert(1)')"
BROKEN = "setTimeout(() => { throw new Error('stumbled') })"
TRIES = 300


@pytest.mark.usefixtures("transactional_db")
@pytest.mark.parametrize(
    ("deed", "bypass_csp", "heard"),
    [
        (FOREIGN, False, "policy: img-src"),
        (FOREIGN, True, "left the host: http://elsewhere.invalid/"),
        (INLINE, False, "policy: script-src"),
        (BROKEN, True, "script: stumbled"),
    ],
)
def test_what_no_page_may_do_is_heard(
    browser: Browser, live_server: LiveServer, deed: str, *, bypass_csp: bool, heard: str
) -> None:
    context = browser.new_context(base_url=live_server.url, bypass_csp=bypass_csp)
    watch = Watch(home=live_server.url)
    page = watch.over(context).new_page()
    page.goto("/sign-in")
    assert watch.findings == []
    page.evaluate(deed)
    for _ in range(TRIES):
        if any(heard in finding for finding in watch.findings):
            break
        page.wait_for_timeout(100)
    context.close()
    assert any(heard in finding for finding in watch.findings), watch.findings
