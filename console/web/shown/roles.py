"""What each role may do, in words."""

from collections.abc import Mapping
from dataclasses import dataclass

from templates_app.access import Role


@dataclass(frozen=True, kw_only=True, slots=True)
class RoleInWords:
    """A role's name and one sentence of what it may do."""

    name: str
    sentence: str


ROLES_IN_WORDS: Mapping[Role, RoleInWords] = {
    Role.VIEWER: RoleInWords(
        name="Viewer", sentence="You see everything that is deployed, and change nothing."
    ),
    Role.DEPLOYER: RoleInWords(
        name="Deployer",
        sentence="You launch models, and change or delete what you launched yourself.",
    ),
    Role.CURATOR: RoleInWords(
        name="Curator",
        sentence="You launch models, and you edit the models and templates of the catalogue.",
    ),
    Role.ADMIN: RoleInWords(
        name="Admin",
        sentence="You may do everything, for everyone, and you look after the clusters.",
    ),
}
