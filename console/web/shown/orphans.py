"""Objects without a record in words: whose they were, what is known of that, what can be done."""

from dataclasses import dataclass

from deployments.exceptions import SlipwayError
from deployments.services.adoptable import Adoption
from deployments.services.orphan_groups import OrphanGroup

NAMELESS = "Without a name"


@dataclass(frozen=True, kw_only=True, slots=True)
class GroupShown:
    """One deployment's objects; `hindrance` says why it can only be removed, empty if it need not.

    `known` is what there is to manage it by again, empty for nothing.
    """

    group: OrphanGroup
    title: str
    known: str
    hindrance: str


@dataclass(frozen=True, kw_only=True, slots=True)
class AdoptionShown:
    """One adoption to confirm; `name` stands in the field `field`, `fault` is what is wrong there.

    `reason` says why it cannot be done at all, `refusal` why it could not be done just now.
    """

    shown: GroupShown
    field: str
    name: str
    plan: Adoption | None = None
    reason: str = ""
    fault: str = ""
    refusal: str = ""

    @property
    def may_be_sent(self) -> bool:
        """Tell whether it can be adopted, if need be under another name."""
        return not self.reason


def show_group(group: OrphanGroup) -> GroupShown:
    """Return a group in words."""
    return GroupShown(
        group=group,
        title=group.display_name or NAMELESS,
        known=_known(group),
        hindrance=group.hindrance,
    )


def sentence_of(error: SlipwayError) -> str:
    """Return what an error says as a sentence, without the name of its field."""
    text = fault_of(error)
    return f"{text[:1].upper()}{text[1:]}" if text.partition(" ")[0].isalpha() else text


def fault_of(error: SlipwayError) -> str:
    """Return what an error says beside its field; it may begin with a name."""
    text = next((texts[0] for texts in error.fields.values()), error.message)
    return text if text.endswith(".") else f"{text}."


def field_of(group: OrphanGroup) -> str:
    """Return the name of the field that a group's new name stands in."""
    return f"name:{group.key}"


def _known(group: OrphanGroup) -> str:
    by = f" by {group.author}" if group.author else ""
    if group.record is not None:
        state = "is closed" if group.record.is_closed else "is open"
        return f"Launched{by}; its record {state}."
    told = group.workload.provenance if group.workload else None
    if told:
        return (
            f"Launched{by} from the template {told['template']} {told['template_version']} "
            f"of {told['model']}; there is no record of it."
        )
    return ""
