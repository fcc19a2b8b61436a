"""Who may do what: four roles, from the groups a person is in. The one place of roles.

A superuser is an admin. Who is inactive, or in none of the groups, has no role and sees nothing.
"""

from enum import IntEnum

from django.contrib.auth.models import AnonymousUser, User

Person = User | AnonymousUser

_REMEMBERED = "_slipway_role"


class Role(IntEnum):
    """The roles in rising order; a higher one may do all that a lower one may."""

    VIEWER = 1
    DEPLOYER = 2
    CURATOR = 3
    ADMIN = 4

    @property
    def group(self) -> str:
        """Return the name of the group that gives the role."""
        return self.name.lower()


GROUPS = tuple(role.group for role in Role)


def role_of(user: Person) -> Role | None:
    """Return the highest role of a person, asked of the database once per loaded user."""
    if not user.is_active or isinstance(user, AnonymousUser):
        return None
    if user.is_superuser:
        return Role.ADMIN
    if not hasattr(user, _REMEMBERED):
        setattr(user, _REMEMBERED, _highest_role(user))
    role: Role | None = getattr(user, _REMEMBERED)
    return role


def can_read(user: Person) -> bool:
    """Tell whether a person sees anything at all."""
    return _is_at_least(user, Role.VIEWER)


def can_launch(user: Person) -> bool:
    """Tell whether a person may launch, and change what they launched."""
    return _is_at_least(user, Role.DEPLOYER)


def can_curate(user: Person) -> bool:
    """Tell whether a person may change models and templates."""
    return _is_at_least(user, Role.CURATOR)


def is_admin(user: Person) -> bool:
    """Tell whether a person may do everything, for everyone."""
    return _is_at_least(user, Role.ADMIN)


def _is_at_least(user: Person, wanted: Role) -> bool:
    role = role_of(user)
    return role is not None and role >= wanted


def _highest_role(user: User) -> Role | None:
    memberships = User.groups.through.objects.filter(user_id=user.pk)
    names = set(memberships.values_list("group__name", flat=True))
    return max((role for role in Role if role.group in names), default=None)
