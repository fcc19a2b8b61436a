"""Who runs what: the deployments on a version of a template, and those still on older ones.

Rows only; a person sees here what they may see anywhere.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Case, Value, When

from deployments.access import deployments_for
from deployments.models import DeploymentQuerySet
from deployments.selectors import open_count_by_template
from templates_app.access import Person
from templates_app.models import ModelDeploymentTemplate
from templates_app.selectors import versions_up_to


@dataclass(frozen=True, kw_only=True, slots=True)
class Runs:
    """What is open of a template's version and of older ones.

    `versions` begin with this one, the newest first; `rows` stand in their order, then by name.
    """

    versions: tuple[ModelDeploymentTemplate, ...]
    counts: Mapping[UUID, int]
    rows: DeploymentQuerySet

    @property
    def on_this(self) -> int:
        """Return how many are on the version itself."""
        return self.counts.get(self.versions[0].pk, 0)

    @property
    def on_older(self) -> int:
        """Return how many are on older versions."""
        return sum(self.counts.values()) - self.on_this

    def older_in_use(self) -> Iterator[tuple[ModelDeploymentTemplate, int]]:
        """Yield every older version that something runs, with how many."""
        for version in self.versions[1:]:
            if self.counts.get(version.pk):
                yield version, self.counts[version.pk]


def runs_of(template: ModelDeploymentTemplate, user: Person) -> Runs:
    """Return who runs a template's version or an older one, of what a person may see."""
    versions = versions_up_to(template)
    of_these = deployments_for(user).open().filter(template_id__in=[one.pk for one in versions])
    places = [When(template_id=one.pk, then=Value(n)) for n, one in enumerate(versions)]
    return Runs(
        versions=tuple(versions),
        counts=open_count_by_template(of_these),
        rows=of_these.order_by(Case(*places), "name_key", "id").for_list(),
    )
