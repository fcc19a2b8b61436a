"""Two revisions of one deployment held against each other, from what is stored of them."""

from dataclasses import dataclass

from deployments.diffing.facts import RevisionFacts
from deployments.diffing.manifests import ObjectDiff, unified
from deployments.diffing.words import IntentChange, intent_words
from deployments.models import Revision
from deployments.services.refs import scaling_from


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
