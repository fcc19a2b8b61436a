"""The kind is offered where nobody has named providers of their own."""

from providers import registry
from providers.kserve.provider import provider


def test_it_is_offered_unless_told_otherwise() -> None:
    registry.forget()
    assert provider.kind in registry.providers()
    assert registry.broken() == {}


def test_it_is_known_by_the_name_of_its_maker_too() -> None:
    registry.forget()
    assert registry.get("kserve") is provider
