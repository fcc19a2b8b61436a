"""The launch flow, one view per step; what was entered stands in the query string until the end."""

from collections.abc import Callable
from functools import partial, wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRedirect, replace_url

from console.web.decorators import launcher_required
from console.web.htmx import is_fragment
from console.web.launch import models, places, templates
from console.web.launch.answers import answered, overrides_context
from console.web.launch.passing import BACK, fault_of, notes_of, pass_place, told_later
from console.web.launch.state import read_state
from console.web.launch.steps import StepFault, progress, url_of
from templates_app import selectors as catalogue

View = Callable[[HttpRequest], HttpResponse]


def in_flow(view: View) -> View:
    """Send a person back to the step that is at fault; that step says why.

    A browser may keep the page, so that its Back button shows what was ticked and typed.
    """

    @cache_control(private=True, no_cache=True)
    @wraps(view)
    def checked(request: HttpRequest, /) -> HttpResponse:
        try:
            return view(request)
        except StepFault as fault:
            return go(request, f"{url_of(fault.step, read_state(request.GET))}&{BACK}=1")

    return checked


def fault_in(
    request: HttpRequest, key: str, chosen: str, choose: Callable[[], object]
) -> StepFault | None:
    """Return what is wrong with a step's own choice, once one was made or asked for."""
    is_back = BACK in request.GET
    fault = fault_of(choose, is_asked=is_back or bool(chosen))
    if fault or not is_back:
        return fault
    return told_later(read_state(request.GET), key, user=request.user)


def go(request: HttpRequest, url: str) -> HttpResponse:
    """Lead on to another page, also where HTMX asked and would swap that page into this one."""
    return HttpResponseClientRedirect(url) if is_fragment(request) else redirect(url)


@require_safe
@launcher_required
@in_flow
def launch_model(request: HttpRequest) -> HttpResponse:
    """First step: which model, and which of its versions."""
    state, given = read_state(request.GET), request.GET
    wanted = models.read_search(given)
    page = models.find_models(wanted)
    fault = fault_in(request, "model", state.model, partial(models.choose_model, state))
    context = {
        "state": state,
        "steps": progress("model", state, {}),
        "wanted": wanted,
        "page": page,
        "offers": models.offer_models(models.with_chosen(page, state, fault)),
        "categories": catalogue.categories(),
        "carried": state.without("model"),
    }
    return answered(request, "launch/model.html", context, fault, fragment="models")


@require_safe
@launcher_required
@in_flow
def launch_template(request: HttpRequest) -> HttpResponse:
    """Second step: which template."""
    state = read_state(request.GET)
    model = models.choose_model(state)
    choose = partial(templates.choose_template, state, model)
    fault = fault_in(request, "template", state.template, choose)
    clusters = places.enabled_clusters(request.user)
    places.count_uncounted(clusters)
    counts = templates.counts_of(clusters)
    offers = templates.offer_templates(model, state, counts)
    context = {
        "state": state,
        "steps": progress("template", state, notes_of(state, model)),
        "model": model,
        "offers": offers,
        "picked": templates.picked(offers, state),
        "counts": counts,
        "carried": state.without("template"),
    }
    return answered(request, "launch/template.html", context, fault)


@require_safe
@launcher_required
@in_flow
def launch_place(request: HttpRequest) -> HttpResponse:
    """Third step: which cluster, which namespace, which implementation."""
    state = read_state(request.GET)
    model = models.choose_model(state)
    chosen = templates.choose_template(state, model)
    clusters = places.enabled_clusters(request.user)
    choose = partial(places.choose_place, state, clusters, chosen.spec)
    fault = fault_in(request, "place", state.place or state.kind, choose)
    places.count_uncounted(clusters)
    kinds = places.offer_kinds(clusters, chosen.spec)
    context = {
        "state": places.with_defaults(state, clusters, kinds),
        "steps": progress("place", state, notes_of(state, model, chosen)),
        "chosen": chosen,
        "offers": places.offer_places(clusters, chosen.spec),
        "kinds": kinds,
        "carried": state.without("place", "kind"),
    }
    return answered(request, "launch/place.html", context, fault)


@require_safe
@launcher_required
@in_flow
def launch_overrides(request: HttpRequest) -> HttpResponse:
    """Fourth step: name, scaling and what else the template opens."""
    state = read_state(request.GET)
    passed = pass_place(state, user=request.user)
    context, fault = overrides_context(passed, is_asked=BACK in request.GET)
    answer = answered(request, "launch/overrides.html", context, fault, fragment="outlook")
    if is_fragment(request):
        # So that Back from the next step comes to what was typed here.
        replace_url(answer, url_of("overrides", state))
    return answer
