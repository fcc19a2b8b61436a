"""What can stand against looking at what others changed, putting it back, or taking it over."""

from deployments.exceptions import Category, FieldConflict, SlipwayError


class NotCompared(SlipwayError):
    """The kind that carries a deployment cannot tell what others changed."""

    code = "not_compared"
    category = Category.UNSUPPORTED

    def __init__(self, kind: str) -> None:
        """Name the kind."""
        super().__init__(
            f"the implementation {kind} cannot tell what others changed; compare the manifests "
            "with the cluster yourself"
        )


class ChangeUnderWay(SlipwayError):
    """What is wanted is not on the cluster yet, so that nothing can be compared with it."""

    code = "change_under_way"
    category = Category.CONFLICT

    def __init__(self, name: str) -> None:
        """Name the deployment."""
        super().__init__(f"a change of {name} is on its way; look again once it is applied")


class DriftChanged(FieldConflict):
    """What differs now is not what the person looked at."""

    code = "drift_changed"

    def __init__(self) -> None:
        """Say what to do."""
        super().__init__("digest", "what others changed is not what you looked at; look again")


class NothingToPutBack(SlipwayError):
    """Nothing of what differs can be put back; the message says why."""

    code = "nothing_to_put_back"
    category = Category.CONFLICT


class NotExpressible(SlipwayError):
    """No override says what others changed; the message names what would have to be changed."""

    code = "not_expressible"
    category = Category.CONFLICT
