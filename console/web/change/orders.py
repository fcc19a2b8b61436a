"""From what was entered to an order: the document that the API takes, read by the same rules."""

from collections.abc import Mapping

from console.web.change.seen import Seen
from console.web.change.state import ON, Deed
from console.web.launch.fields import template_value
from console.web.launch.orders import override_value
from console.web.launch.state import ARGUMENT
from deployments.services.change_bases import read_base
from deployments.services.change_orders import read_change, read_rollback
from deployments.services.change_plans import AnyOrder, judge_change


def order_of(seen: Seen, *, expected: int | None, token: str = "", reason: str = "") -> AnyOrder:
    """Return the order; raises InvalidOrder by the paths of the API."""
    state = seen.state
    about = {"reason": reason, "change": token}
    if state.deed is Deed.ROLLBACK:
        return read_rollback({"revision": state.rollback, **about}, expected=expected)
    body: dict[str, object] = {**about, "overrides": overrides_document(seen)}
    if seen.is_other_template:
        template = seen.template
        body["template"] = {"model_id": template.model_id, "template_id": str(template.pk)}
    if state.stopped:
        body["stopped"] = state.stopped == ON
    if state.redeploy:
        body["redeploy"] = True
    return read_change(body, expected=expected)


def overrides_document(seen: Seen) -> Mapping[str, object]:
    """Return the overrides that shall be otherwise; null takes one back to the template's value."""
    document: dict[str, object] = {}
    arguments: dict[str, object] = {}
    for name, text in seen.changed.items():
        is_template_s = text in ("", template_value(seen.spec, name))
        if is_template_s and name not in seen.overridden:
            continue
        value = None if is_template_s else override_value(name, text)
        if name.startswith(ARGUMENT):
            arguments[name.removeprefix(ARGUMENT)] = value
        else:
            document[name] = value
    return {**document, "engine_args": arguments} if arguments else document


def judge_seen(seen: Seen) -> None:
    """Judge all that needs no cluster; raises InvalidOrder with every field, or a conflict."""
    judge_change(order_of(seen, expected=None), read_base(seen.deployment, expected=None))
