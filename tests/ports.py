"""Ports on loopback that nobody else is given: neither a test beside this one, nor the kernel's own
choice for somebody's outgoing connection, while the program that is to listen there starts or is
started again.
"""

import random
import socket

LOOPBACK = "127.0.0.1"
# Below the range from which the kernel takes ports by itself (net.ipv4.ip_local_port_range).
CHOICE = range(20_000, 32_000)
# UDP has numbers of its own: who holds one there keeps other tests from the same number of TCP.
_claims: list[socket.socket] = []


def free_port() -> int:
    """Return a port that nobody listens on; it stays ours as long as this process lives."""
    for port in random.sample(CHOICE, len(CHOICE)):
        if _claim(port):
            return port
    raise RuntimeError(f"no port from {CHOICE.start} to {CHOICE.stop - 1} is free")


def _claim(port: int) -> bool:
    claim = socket.socket(type=socket.SOCK_DGRAM)
    try:
        claim.bind((LOOPBACK, port))
        with socket.socket() as listener:
            listener.bind((LOOPBACK, port))
    except OSError:
        claim.close()
        return False
    _claims.append(claim)
    return True
