"""A network namespace for each pod, reached from this machine and from nowhere else.

Each pod has a pair of virtual cables; the end on this side has the route to the pod's address. The
names bear the number of the process that made them, so that what a killed one left is found.
"""

import os
import socket
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import count

PREFIX = "slipway-"
SECONDS = 20.0
# A range that pods have in many clusters, so that the API server's proxy goes there.
RANGE = "10.244"
# Addresses end with .2 to .254, so one process may have that many pods in its life.
_NUMBERS = count(2)
_CLAIMS: list[socket.socket] = []


class NoNetwork(RuntimeError):
    """No namespace can be made here; the message is that of `ip`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PodNetwork:
    """One namespace and the address in it."""

    name: str
    address: str

    def remove(self) -> None:
        """Take the namespace away, and both ends of its cable with it."""
        _ip("netns", "delete", self.name)


def make_network() -> PodNetwork:
    """Return a namespace of its own, with a route there and back."""
    number, subnet = next(_NUMBERS), _own_subnet()
    here, cable = f"{subnet}.1", f"sw{os.getpid()}-{number}"
    made = PodNetwork(name=f"{PREFIX}{os.getpid()}-{number}", address=f"{subnet}.{number}")
    inside = ("-n", made.name)
    _ip("netns", "add", made.name)
    _ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", made.name)
    _ip("address", "add", f"{here}/32", "dev", cable)
    _ip("link", "set", cable, "up")
    _ip("route", "add", f"{made.address}/32", "dev", cable, "src", here)
    _ip(*inside, "link", "set", "lo", "up")
    _ip(*inside, "address", "add", f"{made.address}/32", "dev", "eth0")
    _ip(*inside, "link", "set", "eth0", "up")
    _ip(*inside, "route", "add", here, "dev", "eth0")
    return made


@cache
def _own_subnet() -> str:
    """Return the subnet of this process; a name in the kernel, gone with us, keeps others off."""
    for number in (each % 256 for each in range(os.getpid(), os.getpid() + 256)):
        claim = socket.socket(socket.AF_UNIX)
        with suppress(OSError):
            claim.bind(f"\0{PREFIX}{RANGE}.{number}")
            _CLAIMS.append(claim)
            return f"{RANGE}.{number}"
        claim.close()
    raise NoNetwork(f"every subnet of {RANGE} is taken")


def why_not() -> str:
    """Return why no namespace can be made here, empty where it can; remove what others left."""
    try:
        remove_left_over()
        make_network().remove()
    except (NoNetwork, OSError) as error:
        return f"network namespaces need root and the program ip (package iproute2): {error}"
    return ""


def remove_left_over() -> None:
    """Remove the namespaces of processes that are no more."""
    for line in _ip("netns", "list").splitlines():
        name = line.split(" ")[0]
        if name.startswith(PREFIX) and not _lives(name.removeprefix(PREFIX).split("-")[0]):
            with suppress(NoNetwork):  # a test beside this one has removed it
                _ip("netns", "delete", name)


def _lives(number: str) -> bool:
    return os.path.exists(f"/proc/{number}")  # noqa: PTH110 - a question to the kernel, no file


def _ip(*words: str) -> str:
    done = subprocess.run(
        ["ip", *words], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    if done.returncode:
        raise NoNetwork(f"ip {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout
