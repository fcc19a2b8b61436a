"""What stands against a template: the engine's findings, and those that no engine knows of.

The same findings are warnings while a draft is saved and refusals when it is activated; some stay
warnings even then.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.contrib.auth.models import User

from providers import registry
from providers.contract.fitting import lack_of
from providers.contract.template import TemplateSpec
from providers.engines import Finding, Weight, review_spec
from templates_app.access import is_admin
from templates_app.entries import parse_spec_document
from templates_app.exceptions import Invalid, NotActivable
from templates_app.models import ModelDeploymentTemplate


@dataclass(frozen=True, kw_only=True, slots=True)
class Notice:
    """A warning about a template: `path` begins with `spec`."""

    path: str
    message: str

    def as_dict(self) -> dict[str, str]:
        """Return the JSON form that the API answers."""
        return {"path": self.path, "message": self.message}


def warnings_of(template: ModelDeploymentTemplate) -> list[Notice]:
    """Return everything that stands against a template, refusals of its engine among it."""
    try:
        spec = parse_spec_document(template.spec)
    except Invalid as refusal:
        return [Notice(path=path, message=texts[0]) for path, texts in refusal.fields.items()]
    findings = review_template(spec, serving_name=template.model.serving_name)
    return [Notice(path=finding.path, message=finding.message) for finding in findings]


def review_template(spec: TemplateSpec, *, serving_name: str) -> tuple[Finding, ...]:
    """Return the findings of the engine and of the core, each once."""
    engine = review_spec(spec, source=spec.model_source, serving_name=serving_name)
    return tuple(dict.fromkeys((*engine, *_findings_of_core(spec))))


def refuse_unless_activable(template: ModelDeploymentTemplate, *, by: User | None) -> None:
    """Raise NotActivable with every refusal by path; a command of the operator acts as an admin."""
    try:
        spec = parse_spec_document(template.spec)
    except Invalid as refusal:
        raise NotActivable(refusal.message, fields=refusal.fields) from refusal
    faults: dict[str, tuple[str, ...]] = {}
    for finding in review_template(spec, serving_name=template.model.serving_name):
        if finding.weight is Weight.REFUSE:
            faults[finding.path] = (*faults.get(finding.path, ()), finding.message)
    if spec.engine.allow_remote_code and by is not None and not is_admin(by):
        path = "spec.engine.allow_remote_code"
        faults[path] = ("runs code from the model's repository; only an admin may activate it",)
    if faults:
        raise NotActivable.of(faults)


def _findings_of_core(spec: TemplateSpec) -> Iterator[Finding]:
    if not spec.engine.image and spec.serving_runtime is None:
        yield _warn("engine.image", "is missing; a launch is refused until it names an image")
    if _has_no_source(spec):
        yield Finding(
            weight=Weight.REFUSE,
            path="spec.model_source",
            message="is required unless overridable lists model_version",
        )
    yield from _findings_about_kinds(spec)
    scaling = spec.scaling_defaults
    on_cpu = scaling.enable_auto_scaling and scaling.metric.type == "cpu"
    if on_cpu and not spec.accelerator.is_cpu:
        yield _warn(
            "scaling_defaults.metric.type",
            "cpu says little about the load of an accelerator; use a pods metric of the engine",
        )


def _findings_about_kinds(spec: TemplateSpec) -> Iterator[Finding]:
    known = registry.providers()
    named = spec.compatibility.implementation_kinds if spec.compatibility else ()
    for kind in named:
        if not _is_known(kind):
            yield _warn(
                "compatibility.implementation_kinds",
                f"{kind} is not available here; available are {', '.join(known) or 'none'}",
            )
    allowed = [
        provider
        for provider in known.values()
        if any(spec.allows_kind(name) for name in (provider.kind, *provider.aliases))
    ]
    lacks = [lack_of(provider.capabilities, spec) for provider in allowed]
    lack = next(iter(lacks), None)
    if lack and all(lacks):
        path = lack.field.removeprefix("spec.")
        yield _warn(path, f"no available implementation can run {lack.what}")
    elif known and not allowed:
        yield _warn("compatibility", "allows no implementation that is available here")


def _is_known(kind: str) -> bool:
    try:
        registry.get(kind)
    except registry.UnknownKind:
        return False
    return True


def _has_no_source(spec: TemplateSpec) -> bool:
    has_one = spec.model_source is not None or "model_version" in spec.overridable
    return spec.needs_source and not has_one


def _warn(path: str, message: str) -> Finding:
    return Finding(weight=Weight.WARN, path=f"spec.{path}", message=message)
