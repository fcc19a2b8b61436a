"""A console and a simulated cluster in this process, and Debian's Chromium in front of both."""

import os
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.contrib.auth.models import Group, User
from django.core.cache import cache
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from console.environment import KubernetesEnvironment
from console.intervals import Intervals
from console.management.commands.load_demo import DEMO
from deployments.models import Cluster
from deployments.services.clusters import SANDBOX_NAME, synchronise_default_cluster
from deployments.services.heartbeat import beat
from deployments.services.refreshing import refresh_cluster
from providers import registry
from providers.contract.target import Connection
from providers.sandbox.cluster import Cluster as SimulatedCluster
from providers.sandbox.demo import fill
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.server import serving
from providers.simulation.pod_life.pace import Pace
from providers.testing.controllers.running import Aibrix, Kserve, working
from templates_app.models import Model, ModelDeploymentTemplate
from templates_app.seeding import load_and_activate_catalog
from tests.browser.cast import CAST, EVERY_KIND, GROUPS, PASSWORD, Visit
from tests.browser.clock import Clock
from tests.browser.watch import Watch

HERE = Path(__file__).parent
CHROMIUM = Path(os.environ.get("SLIPWAY_CHROMIUM", "/usr/bin/chromium"))
MISSING = f"{CHROMIUM} is missing; on Debian: apt-get install chromium fonts-dejavu-core"
# Nothing of the browser's own may leave this machine, and no name but ours is looked up.
FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--no-first-run",
    "--no-sandbox",
]
PACE = Pace(pull_seconds=0.3, load_seconds=1.5, crash_seconds=0.3, back_off_scale=0.05)
_WIDE = (1280, 900)
_PATIENCE = 60_000  # milliseconds; a machine may be busy


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say it loudly; read from the reports, since the tests may have run in other processes."""
    reports = [*terminalreporter.getreports("skipped"), *terminalreporter.getreports("error")]
    if any(MISSING in str(report.longrepr) for report in reports):
        terminalreporter.write_line(f"BROWSER TESTS DID NOT RUN: {MISSING}", red=True, bold=True)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        _do_without()
    expect.set_options(timeout=_PATIENCE)
    with sync_playwright() as playwright:
        # Playwright runs an event loop in this thread; nothing of Django's runs inside it.
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


def _do_without() -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(MISSING, pytrace=False)
    pytest.skip(MISSING)


@pytest.fixture(scope="session")
def live_server() -> Iterator[LiveServer]:
    """Serve the console on an address that needs no look-up."""
    server = LiveServer("127.0.0.1")
    yield server
    server.stop()


@dataclass
class Catalogue:
    """The catalogue's rows, kept between tests: to read its files takes as long as a journey."""

    models: list[Model] = field(default_factory=list)
    templates: list[ModelDeploymentTemplate] = field(default_factory=list)

    def load(self) -> None:
        """Store the whole catalogue, the demo's as well."""
        if not self.models:
            load_and_activate_catalog()
            load_and_activate_catalog(DEMO)
            self.models = list(Model.objects.all())
            self.templates = list(ModelDeploymentTemplate.objects.all())
            return
        Model.objects.bulk_create(self.models)
        ModelDeploymentTemplate.objects.bulk_create(self.templates)


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return Catalogue()


@pytest.fixture
def every_kind() -> bool:
    """Tell whether the cluster has StormServices and InferenceServices, and stand-ins to act."""
    return False


@pytest.fixture
def clock() -> Clock:
    """Return the simulated cluster's clock, for what must not go on while somebody looks."""
    return Clock()


@pytest.fixture
def cluster(
    transactional_db: None,
    settings: Settings,
    tmp_path: Path,
    catalogue: Catalogue,
    clock: Clock,
    *,
    every_kind: bool,
) -> Iterator[Cluster]:
    """Run the demo's cluster as the row `sandbox`, counted once, with the whole catalogue."""
    simulated = SimulatedCluster(pace=PACE, usage=20, foreign=every_kind, now=clock)
    fill(simulated)
    with serving(simulated, token="a-token-of-tests") as server, ExitStack() as stack:
        kubeconfig = write_kubeconfig(tmp_path / "kubeconfig", url=server.url, namespace="models")
        if every_kind:
            connection = Connection(kubeconfig=str(kubeconfig))
            stack.enter_context(working(Aibrix(connection), Kserve(connection)))
        settings.SANDBOX_KUBECONFIG, settings.K8S = str(kubeconfig), KubernetesEnvironment()
        settings.SLIPWAY_PROVIDERS = EVERY_KIND if every_kind else EVERY_KIND[:1]
        registry.forget()
        synchronise_default_cluster()
        catalogue.load()
        row = Cluster.objects.get(name=SANDBOX_NAME)
        refresh_cluster(row)
        # As if a worker acted: no test waits so long that it were late.
        settings.REFRESH = Intervals(moving_seconds=600, full_seconds=3600)
        beat()
        yield row
    registry.forget()


@pytest.fixture
def cast(cluster: Cluster) -> dict[str, User]:
    """One person of each role, named after it."""
    cache.clear()
    people = {}
    for role, name in CAST.items():
        people[role] = User.objects.create_user(name, password=PASSWORD)
        people[role].groups.add(Group.objects.get_or_create(name=GROUPS.get(role, role))[0])
    return people


@pytest.fixture
def visit(browser: Browser, live_server: LiveServer, cast: dict[str, User]) -> Iterator[Visit]:
    """Open the console as somebody, signed in through its page; at the end nothing was amiss."""
    contexts: list[BrowserContext] = []
    watch = Watch(home=live_server.url)

    def open_as(
        role: str = "",
        *,
        size: tuple[int, int] = _WIDE,
        scheme: str = "light",
        javascript: bool = True,
        bypass_csp: bool = False,
    ) -> Page:
        context = browser.new_context(
            base_url=live_server.url,
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if scheme == "dark" else "light",
            java_script_enabled=javascript,
            bypass_csp=bypass_csp,
            reduced_motion="reduce",
        )
        context.set_default_timeout(_PATIENCE)
        contexts.append(watch.over(context))
        page = context.new_page()
        if role:
            sign_in(page, CAST[role])
        return page

    yield open_as
    for page in [page for context in contexts for page in context.pages]:
        page.wait_for_timeout(1)  # so that what the page has said by now is heard
    # A page that is closed may stumble over its own end, which nobody sees.
    findings = list(watch.findings)
    for context in contexts:
        context.close()
    assert findings == []


def sign_in(page: Page, name: str, password: str = PASSWORD) -> None:
    page.goto("/sign-in")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(re.compile(r"/deployments"))


@pytest.fixture(params=[True, False], ids=["with-javascript", "without-javascript"])
def javascript(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)
