"""The kinds that the simulated cluster knows, where they live, and what is filled in for each.

The rows stand in `kinds.yaml`; a kind that is only kept, as a custom one is, needs no more.
"""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from providers.contract.manifest import Manifest

VERSION = "v1.36.3"


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """One kind of object; of those with `generation` the changes of the spec are counted.

    A `foreign` one is of other makers: a cluster has it only where it is installed. `teller` is
    who tells the events of one.
    """

    name: str
    plural: str
    group: str = ""
    version: str = "v1"
    namespaced: bool = True
    generation: bool = False
    foreign: bool = False
    teller: str = ""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    schema: Mapping[str, Any] = field(default_factory=dict)

    @property
    def api_version(self) -> str:
        """Return what objects bear as apiVersion."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def root(self) -> str:
        """Return where in a URL its version is served."""
        return f"/{'apis' if self.group else 'api'}/{self.api_version}"

    def titled(self, word: str, name: str) -> str:
        """Return how messages name an object by its kind or plural: `Deployment.apps "d"`."""
        return f'{word}.{self.group} "{name}"' if self.group else f'{word} "{name}"'

    def named(self, name: str) -> Manifest:
        """Return how the details of a Status name an object."""
        return {"name": name, "kind": self.plural} | ({"group": self.group} if self.group else {})


def read_yaml(name: str) -> list[Any]:
    """Return the documents of a file beside this module."""
    return list(YAML(typ="safe", pure=True).load_all(Path(__file__).with_name(name)))


KINDS = tuple(Kind(**row) for row in read_yaml("kinds.yaml")[0]["kinds"])
BY_PLURAL: Mapping[str, Kind] = {kind.plural: kind for kind in KINDS}
BY_NAME: Mapping[str, Kind] = {kind.name: kind for kind in KINDS}
FOREIGN_ROOTS = tuple({kind.root for kind in KINDS if kind.foreign})


def describe(path: str) -> Manifest | None:
    """Return what discovery answers at a path, None where there is nothing."""
    if path == "/version":
        return {"gitVersion": VERSION}
    served = [{"name": kind.plural, "kind": kind.name} for kind in KINDS if kind.root == path]
    version = path.split("/", 2)[-1]
    told = {"kind": "APIResourceList", "groupVersion": version, "resources": served}
    return told if served else None


def fill_in(body: Manifest, defaults: Mapping[str, Any]) -> None:
    """Fill in, in place, what a body leaves out."""
    for name, default in defaults.items():
        if name.endswith("[]"):
            for item in body.get(name[:-2]) or ():
                fill_in(item, default)
        elif name.endswith("?"):
            if body.get(name[:-1]):
                fill_in(body[name[:-1]], default)
        elif isinstance(default, dict):
            fill_in(body.setdefault(name, {}), default)
        else:
            body.setdefault(name, deepcopy(default))
