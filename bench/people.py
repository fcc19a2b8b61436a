"""The people and the template of a benchmark, made through the services as anyone's are."""

from collections.abc import Mapping, Sequence

from django.contrib.auth.models import Group, User
from knox.models import AuthToken

from templates_app import services
from templates_app.entries import parse_model, parse_template


def make_people(count: int) -> Sequence[str]:
    """Return the tokens of so many deployers."""
    group, _ = Group.objects.get_or_create(name="deployer")
    return [_token(f"bench-{number}", group) for number in range(count)]


def make_template(name: str, spec: Mapping[str, object]) -> Mapping[str, str]:
    """Return model and template ids of an active template, of a model with the same name."""
    model = services.create_model(parse_model({"id": name, "name": name}), by=None)
    entry = parse_template(name=name, version="1.0.0", spec=spec)
    template = services.create_template(model, entry, by=None)
    services.activate_template(template, by=None)
    return {"model_id": model.pk, "template_id": str(template.pk)}


def _token(name: str, group: Group) -> str:
    user = User.objects.create_user(name)
    user.groups.add(group)
    _, token = AuthToken.objects.create(user)
    return str(token)
