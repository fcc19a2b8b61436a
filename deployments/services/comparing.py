"""What is wanted otherwise: by another revision of a deployment, by another version of a template.

Told from what is stored; no cluster is asked.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from deployments.diffing.facts import RevisionFacts
from deployments.diffing.manifests import ObjectDiff, unified
from deployments.diffing.words import IntentChange, intent_words
from deployments.models import Revision
from deployments.services.refs import scaling_from
from providers.contract.errors import InvalidRequest
from providers.contract.overrides import Overrides, resolve_scaling
from providers.contract.request import DeployRequest
from providers.contract.template import parse_spec
from templates_app.models import ModelDeploymentTemplate


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """What differs: the intent in words, and the objects that are not the same."""

    words: tuple[IntentChange, ...]
    objects: tuple[ObjectDiff, ...]

    @property
    def is_same(self) -> bool:
        """Tell whether nothing differs."""
        return not self.words and not self.objects


def compare_revisions(before: Revision, after: Revision) -> Comparison:
    """Return what differs between two revisions, stored or not, of the same deployment."""
    return Comparison(
        words=intent_words(facts_of(before), facts_of(after)),
        objects=unified(before.manifests, after.manifests),
    )


def facts_of(revision: Revision) -> RevisionFacts:
    """Return what a revision wants, without a look at what became of it."""
    return RevisionFacts(
        template=revision.template.name,
        template_version=revision.template_version,
        spec=revision.spec,
        source=revision.source,
        serving_name=revision.serving_name,
        scaling=scaling_from(revision.scaling),
        rollout=revision.rollout,
        overrides=revision.overrides,
        engine_args=revision.engine_args,
        enable_multi_lora=revision.enable_multi_lora,
        stopped=revision.stopped,
        restart=revision.restart,
    )


def facts_of_request(
    request: DeployRequest,
    *,
    template: ModelDeploymentTemplate,
    overrides: Mapping[str, object],
    stopped: bool,
) -> RevisionFacts:
    """Return what a revision would want that is not stored yet."""
    source = request.source
    return RevisionFacts(
        template=template.name,
        template_version=template.version,
        spec=request.spec.as_document(),
        source=None if source is None else source.model_dump(mode="json", exclude_unset=True),
        serving_name=request.serving_name,
        scaling=request.scaling,
        rollout=request.rollout.value,
        overrides=overrides,
        engine_args=request.engine_args,
        enable_multi_lora=request.enable_multi_lora,
        stopped=stopped,
        restart=request.restart,
    )


def facts_of_template(template: ModelDeploymentTemplate) -> RevisionFacts:
    """Return what a template alone wants; raises InvalidRequest for one that leaves that open."""
    spec = parse_spec(template.spec)
    return RevisionFacts(
        template=template.name,
        template_version=template.version,
        spec=template.spec,
        source=template.spec.get("model_source"),
        serving_name=template.model.serving_name,
        scaling=resolve_scaling(spec, Overrides()),
        rollout=spec.rollout.strategy,
        engine_args=spec.engine_args,
    )


def compare_templates(
    before: ModelDeploymentTemplate, after: ModelDeploymentTemplate
) -> tuple[IntentChange, ...] | None:
    """Return what differs between two templates without overrides; None if that cannot be told."""
    try:
        return intent_words(facts_of_template(before), facts_of_template(after))
    except InvalidRequest:
        return None
