"""What people do, in words: each act's name, and how each way to end looks. Beside one another, so
that history and audit trail say the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from deployments.services.auditing import Outcome
from deployments.services.tracing import Source

# In the order in which they are offered to choose from.
ACTIONS: Mapping[str, str] = {
    "deployment.create": "Launch",
    "deployment.update": "Change",
    "deployment.rollback": "Rollback",
    "deployment.stop": "Stop",
    "deployment.start": "Start",
    "deployment.redeploy": "Redeployment",
    "deployment.reapply": "Applying again",
    "deployment.put_back": "Putting back",
    "deployment.delete": "Deletion",
    "deployment.forget": "Forgetting",
    "deployment.adopt": "Adoption",
    "cluster.remove_orphans": "Removal of objects without a record",
    "cluster.create": "New cluster",
    "cluster.change": "Change of a cluster",
    "cluster.delete": "Removal of a cluster",
    "cluster.confirm": "Confirmation of a cluster",
    "cluster.try": "Trying a cluster",
    "template.create": "New template",
    "template.update": "Change of a template",
    "template.activate": "Activation of a template",
    "template.deprecate": "Deprecation of a template",
    "template.delete": "Removal of a template",
    "model.create": "New model",
    "model.update": "Change of a model",
    "model.delete": "Removal of a model",
    "model_version.create": "New model version",
    "model_version.delete": "Removal of a model version",
    "user.create": "New person",
    "user.change": "Change of a person",
    "user.password": "Setting a password",
    "user.delete": "Removal of a person",
    "token.issue": "New token",
    "token.revoke": "Revoking a token",
}

SOURCES: Mapping[str, str] = {
    Source.PAGE.value: "Page",
    Source.API.value: "API",
    Source.ADMIN.value: "Admin",
    Source.COMMAND.value: "Command",
    Source.RECONCILER.value: "Reconciler",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class OutcomeLook:
    """How the outcome of an act is shown: words after the act, tone, icon."""

    words: str
    tone: str
    icon: str


OUTCOMES: Mapping[str, OutcomeLook] = {
    Outcome.ACCEPTED.value: OutcomeLook(words="asked for", tone="idle", icon="circle-user"),
    Outcome.SUCCEEDED.value: OutcomeLook(words="done", tone="idle", icon="circle-check"),
    Outcome.REFUSED.value: OutcomeLook(words="refused", tone="fail", icon="octagon-x"),
    Outcome.SUPERSEDED.value: OutcomeLook(words="overtaken", tone="idle", icon="circle-slash"),
    Outcome.UNKNOWN.value: OutcomeLook(
        words="end unknown", tone="warn", icon="circle-question-mark"
    ),
}


def words_of(action: str) -> str:
    """Return the name of an act, made from its code where nobody has named it."""
    return ACTIONS.get(action) or action.partition(".")[2].replace("_", " ").capitalize()
