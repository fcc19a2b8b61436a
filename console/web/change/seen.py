"""What the person had before them: the revision that a change starts from, and the template chosen.

A form is prefilled with what that revision wants. Only a field that is otherwise was changed by the
person, whatever was changed by others meanwhile.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from console.web.change.state import VERSION, ChangeState
from console.web.launch.fields import template_value
from console.web.launch.state import ARGUMENT
from console.web.shown.again import entered_overrides
from deployments.models import Deployment, Revision
from deployments.selectors import revision_numbered
from providers.contract.template import TemplateSpec, parse_spec
from templates_app.exceptions import Missing
from templates_app.models import ModelDeploymentTemplate
from templates_app.selectors import find_template


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """A change together with what it was entered against.

    `template` is the one that shall run, `spec` its spec; `shown` that of the form's own fields.
    `lacks_template` tells that the chosen one is there no more, and what runs stands for it.
    """

    state: ChangeState
    deployment: Deployment
    revision: Revision
    template: ModelDeploymentTemplate
    spec: TemplateSpec
    shown: TemplateSpec
    lacks_template: bool = False

    @property
    def is_other_template(self) -> bool:
        """Tell whether the template is another one than that of the revision."""
        return self.template.pk != self.revision.template_id

    @property
    def overridden(self) -> Mapping[str, str]:
        """Return the overrides of the revision as a form has them, by field name."""
        given = self.revision.overrides
        version = given.get(VERSION)
        own = dict(entered_overrides(given))
        return {**own, VERSION: str(version)} if version else own

    @property
    def changed(self) -> Mapping[str, str]:
        """Return what the person entered otherwise than it was shown to them."""
        return {
            name: text
            for name, text in self.state.entered.items()
            if text != self._shown_value(name)
        }

    def value_of(self, name: str) -> str:
        """Return what a field of the form holds: as entered, else as wanted now."""
        entered = self.changed.get(name)
        if entered is not None:
            return entered
        return self.overridden.get(name, template_value(self.spec, name))

    def names(self) -> tuple[str, ...]:
        """Return the names of all fields that the template has."""
        arguments = [
            ARGUMENT + path.removeprefix("engine_args.")
            for path in self.spec.overridable
            if path.startswith("engine_args.")
        ]
        plain = (
            "min_replicas",
            "max_replicas",
            "enable_auto_scaling",
            "enable_multi_lora",
            "rollout",
        )
        return (*plain, *arguments)

    def _shown_value(self, name: str) -> str:
        return self.overridden.get(name, template_value(self.shown, name))


def see(state: ChangeState, deployment: Deployment) -> Seen:
    """Read what a change was entered against; raises NotVisible for a revision there is not."""
    revision = revision_numbered(deployment, state.base or deployment.revision)
    found = _template(state.template, deployment, revision)
    template = found or revision.template
    shown = (_template(state.shown, deployment, revision) if state.shown else None) or template
    return Seen(
        state=state,
        deployment=deployment,
        revision=revision,
        template=template,
        spec=_spec(template, revision),
        shown=_spec(shown, revision),
        lacks_template=found is None,
    )


def _template(
    key: str, deployment: Deployment, revision: Revision
) -> ModelDeploymentTemplate | None:
    """Return the template of a key, without one that of the revision; None where it is gone."""
    if not key or key == str(revision.template_id):
        return revision.template
    try:
        return find_template(deployment.model_id, key)
    except Missing:
        return None


def _spec(template: ModelDeploymentTemplate, revision: Revision) -> TemplateSpec:
    """Return a template's spec; of the one that runs, as it was when the revision was made."""
    is_own = template.pk == revision.template_id
    return parse_spec(revision.spec if is_own else template.spec)
