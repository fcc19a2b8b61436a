"""What can stand against ending a record without its cluster, or making anew what was removed."""

from deployments.exceptions import Category, SlipwayError


class NotForgettable(SlipwayError):
    """Its cluster answers and has it: it can be deleted, and must not be forgotten."""

    code = "not_forgettable"
    category = Category.CONFLICT

    def __init__(self, name: str) -> None:
        """Say what to do instead, and when a record may be forgotten."""
        super().__init__(
            f"{name} is on a cluster that answers; delete it instead. Only a record is forgotten "
            "that is being deleted, whose objects were removed outside, whose cluster does not "
            "answer or is disabled, or whose implementation is not installed in this console"
        )


class InUse(SlipwayError):
    """Somebody is at work on the deployment just now."""

    code = "in_use"
    category = Category.CONFLICT

    def __init__(self, name: str) -> None:
        """Say that it passes."""
        super().__init__(
            f"something is being done to {name} just now; try again in a quarter of a minute"
        )


class NotRemoved(SlipwayError):
    """There is nothing to apply again: what runs the model is there, or is on its way."""

    code = "not_removed"
    category = Category.CONFLICT

    def __init__(self, name: str, told: str) -> None:
        """Take what is known of it now."""
        super().__init__(f"{name} cannot be applied again: {told}")
