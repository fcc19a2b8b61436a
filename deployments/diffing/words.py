"""What is wanted otherwise by a later revision, one sentence each, in the words of the forms."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from deployments.diffing.facts import RevisionFacts
from deployments.diffing.flattening import flat
from deployments.diffing.folding import masked_text
from deployments.diffing.labels import ARGUMENT, label_of
from providers.contract.bounds import Metric
from providers.contract.overrides import Scaling
from providers.contract.template import parse_spec

NONE = "none"
# Told otherwise, once they are resolved; or they bound what people may do, and change nothing.
_TOLD_ELSEWHERE = {
    "engine_args",
    "model_source",
    "scaling_defaults",
    "rollout",
    "overridable",
    "compatibility",
}
_RESOLVED = ("min_replicas", "max_replicas", "enable_auto_scaling", "enable_multi_lora", "rollout")


@dataclass(frozen=True, kw_only=True, slots=True)
class IntentChange:
    """One thing that is wanted otherwise; `field` is its path, an empty text is none.

    Where both texts are the same the sentence says what is otherwise.
    """

    field: str
    label: str
    before: str
    after: str
    sentence: str


def intent_words(before: RevisionFacts, after: RevisionFacts) -> tuple[IntentChange, ...]:
    """Return what differs in words, what matters most to who runs it first."""
    return tuple(_changes(before, after))


def _changes(before: RevisionFacts, after: RevisionFacts) -> Iterator[IntentChange]:
    if before.stopped != after.stopped:
        yield _whether_it_runs(before, after)
    yield from _template(before, after)
    if _replicas(before.scaling) != _replicas(after.scaling) and not after.stopped:
        yield _change("scaling", "Replicas", _replicas(before.scaling), _replicas(after.scaling))
    yield from _texts(_plain(before), _plain(after))
    yield from _pins(before, after)
    if after.restart not in ("", before.restart):
        text = "Every pod is restarted"
        yield IntentChange(field="restart", label="Restart", before="", after="", sentence=text)


def _whether_it_runs(before: RevisionFacts, after: RevisionFacts) -> IntentChange:
    first, second = ("stopped" if one.stopped else "runs" for one in (before, after))
    sentence = f"{first.capitalize()} → {second}"
    return IntentChange(
        field="stopped", label="State", before=first, after=second, sentence=sentence
    )


def _template(before: RevisionFacts, after: RevisionFacts) -> Iterator[IntentChange]:
    if before.template != after.template:
        names = [f"{one.template} {one.template_version}" for one in (before, after)]
        yield _change("template", "Template", *names)
    elif before.template_version != after.template_version:
        label = f"Template {before.template}"
        yield _change("template_version", label, before.template_version, after.template_version)


def _plain(facts: RevisionFacts) -> Mapping[str, str]:
    """Return everything that is compared text by text, by path, in the order of telling."""
    spec = parse_spec(facts.spec).model_dump(mode="json", exclude=_TOLD_ELSEWHERE)
    overrides = {key: facts.overrides.get(key) for key in ("model_version", "region")}
    return dict(
        [
            *flat(overrides),
            ("serving_name", facts.serving_name),
            *flat({"source": facts.source}),
            *flat({"engine": spec.pop("engine")}),
            *flat({"engine_args": facts.engine_args}),
            ("enable_multi_lora", "on" if facts.enable_multi_lora else "off"),
            *flat(spec),
            ("rollout", facts.rollout),
        ]
    )


def _texts(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[IntentChange]:
    for path in dict.fromkeys((*after, *before)):
        old, new = before.get(path, ""), after.get(path, "")
        if old != new:
            yield _change(path, label_of(path), old, new)


def _pins(before: RevisionFacts, after: RevisionFacts) -> Iterator[IntentChange]:
    """Tell of overrides that change nothing now: only with another template, or once it runs."""
    old, new = _overridden(before), _overridden(after)
    told_before, told_after = _told(before), _told(after)
    for path in dict.fromkeys((*new, *old)):
        if old.get(path) == new.get(path) or told_before.get(path) != told_after.get(path):
            continue
        if path in old and path in new:
            yield _change(path, label_of(path), old[path], new[path])
        else:
            yield _pin(path, new.get(path) or old[path], is_new=path in new)


def _pin(path: str, text: str, *, is_new: bool) -> IntentChange:
    value, label = _shown(path, text), label_of(path)
    fate = "is an override from now on" if is_new else "follows the template from now on"
    return IntentChange(
        field=f"overrides.{path}",
        label=label,
        before=value,
        after=value,
        sentence=f"{label}: stays {value}, and {fate}",
    )


def _overridden(facts: RevisionFacts) -> Mapping[str, str]:
    return {path: text for path, text in flat(facts.overrides) if _may_be_pinned(path)}


def _may_be_pinned(path: str) -> bool:
    return path.startswith(ARGUMENT) or path in _RESOLVED


def _told(facts: RevisionFacts) -> Mapping[str, object]:
    """Return what an override amounts to once it is resolved, by its path."""
    scaling = facts.scaling
    return {
        **{f"{ARGUMENT}{name}": text for name, text in facts.engine_args.items()},
        **dict.fromkeys(("min_replicas", "max_replicas", "enable_auto_scaling"), scaling),
        "enable_multi_lora": facts.enable_multi_lora,
        "rollout": facts.rollout,
    }


def _replicas(scaling: Scaling) -> str:
    low, high = scaling.min_replicas, scaling.max_replicas
    if not scaling.autoscaled:
        return str(low)
    span = f"{low} to {high}" if high > low else f"{low}"
    return f"{span}, autoscaled on {_metric(scaling.metric)}"


def _metric(metric: Metric) -> str:
    if metric.type == "pods":
        return f"{metric.name} {metric.target}"
    return f"{metric.type} {metric.target} %" if metric.target else metric.type


def _change(path: str, label: str, before: str, after: str) -> IntentChange:
    old, new = _shown(path, before), _shown(path, after)
    told = f"{old or NONE} → {new or NONE}" if old != new else "another one, which is not shown"
    return IntentChange(field=path, label=label, before=old, after=new, sentence=f"{label}: {told}")


def _shown(path: str, text: str) -> str:
    return masked_text(path.rpartition(".")[2], text)


def sentences(changes: Iterable[IntentChange]) -> tuple[str, ...]:
    """Return the sentences alone."""
    return tuple(change.sentence for change in changes)
