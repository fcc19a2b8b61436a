import socket

from tests import ports
from tests.ports import LOOPBACK, free_port


def test_a_port_is_given_to_nobody_twice() -> None:
    assert ports._claim(free_port()) is False


def test_a_port_that_somebody_listens_on_is_not_given() -> None:
    with socket.create_server((LOOPBACK, 0)) as server:
        assert ports._claim(server.getsockname()[1]) is False


def test_whoever_asked_can_listen_there() -> None:
    with socket.create_server((LOOPBACK, free_port())) as server:
        assert server.getsockname()[1] in ports.CHOICE
