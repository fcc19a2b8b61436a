"""What another version of its template would make of a deployment, told without its cluster.

For who looks around: whoever goes on to change it gets the whole review.
"""

from deployments.diffing.manifests import unified
from deployments.diffing.words import intent_words
from deployments.models import Deployment
from deployments.services.answers import manifests_of
from deployments.services.calling import calling
from deployments.services.change_bases import read_base
from deployments.services.change_orders import ChangeOrder
from deployments.services.comparing import Comparison, facts_of, facts_of_request
from deployments.services.orders import TemplateChoice
from deployments.services.translating import translating
from deployments.services.wanting import want
from templates_app.models import ModelDeploymentTemplate


def preview_template(deployment: Deployment, template: ModelDeploymentTemplate) -> Comparison:
    """Return what would be otherwise with the overrides as they are.

    Raises InvalidOrder where these do not fit the template, a conflict for what cannot be changed.
    """
    choice = TemplateChoice(template_id=str(template.pk))
    with translating():
        base = read_base(deployment, expected=None)
        wanted = want(ChangeOrder(template=choice), base)
        with calling(base.provider.kind, "render"):
            manifests = manifests_of(base.provider.render(wanted.request, base.target))
    after = facts_of_request(
        wanted.request,
        template=template,
        overrides=wanted.overrides.as_document(),
        stopped=wanted.stopped,
    )
    return Comparison(
        words=intent_words(facts_of(base.revision), after),
        objects=unified(base.revision.manifests, manifests),
    )
