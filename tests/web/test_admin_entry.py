from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client


@pytest.mark.parametrize(
    ("groups", "code"),
    [((), 404), (("viewer",), 404), (("deployer",), 404), (("curator",), 200), (("admin",), 200)],
)
def test_the_admin_is_entered_by_group(
    person: Callable[..., User], groups: tuple[str, ...], code: int
) -> None:
    client = Client()
    client.force_login(person("pat", *groups))
    assert client.get("/admin/", follow=True).status_code == code


def test_the_staff_flag_alone_opens_nothing(person: Callable[..., User]) -> None:
    user = person("pat", "viewer")
    user.is_staff = True
    user.save()
    client = Client()
    client.force_login(user)
    assert client.get("/admin/", follow=True).status_code == 404


@pytest.mark.django_db
def test_nobody_is_led_through_the_console_s_own_sign_in(anonymous: Client) -> None:
    answer = anonymous.get("/admin/", follow=True)
    assert answer.redirect_chain[-1] == ("/sign-in?next=%2Fadmin%2F", 302)
