"""Server-side apply without a cluster: who holds what, the same under every order of sets."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from providers.contract.manifest import Manifest
from providers.sandbox.messages import Refused
from providers.sandbox.ownership import apply

ROOT = Path(__file__).parents[3]
SCRIPT = """
import json
from tests.unit.sandbox.test_apply import slimmed
print(json.dumps(slimmed(), sort_keys=False))
"""


def applied(
    live: Manifest | None, config: Manifest, manager: str, *, force: bool = False
) -> Manifest:
    entry = {"manager": manager, "operation": "Apply", "apiVersion": "apps/v1", "time": "t"}
    return apply(live, config, entry, force=force)


def body(spec: Manifest, **containers: Manifest) -> Manifest:
    listed = [{"name": name, **fields} for name, fields in containers.items()]
    template = {"template": {"spec": {"containers": listed}}} if listed else {}
    return {"metadata": {"name": "d", "namespace": "n"}, "spec": {**spec, **template}}


def variables(*names: str) -> Manifest:
    return {"image": "i", "env": [{"name": name, "value": "1"} for name in names]}


def slimmed() -> Manifest:
    """Return what is left when a manager names far less than before."""
    full = body({"replicas": 2, "paused": True}, a=variables("X", "Y", "Z"), b=variables("Q"))
    full["metadata"]["labels"] = dict.fromkeys("abcdefgh", "1")
    live = applied(None, full, "one", force=True)
    live["spec"]["strategy"] = {"type": "filled in"}
    other = body({"minReadySeconds": 3})
    other["metadata"]["labels"] = {"c": "1"}
    live = applied(live, other, "two")
    return applied(live, body({}, a=variables("X")), "one")


def test_what_nobody_names_any_longer_goes_and_the_rest_stays() -> None:
    left = slimmed()
    container = {"name": "a", "image": "i", "env": [{"name": "X", "value": "1"}]}
    assert left["spec"] == {
        "minReadySeconds": 3,
        "strategy": {"type": "filled in"},
        "template": {"spec": {"containers": [container]}},
    }
    assert left["metadata"]["labels"] == {"c": "1"}


def test_a_map_that_nobody_names_any_longer_goes_with_what_was_filled_in() -> None:
    live = applied(None, body({"replicas": 1, "strategy": {"type": "Recreate"}}), "one")
    live["spec"]["strategy"]["filled"] = "in"
    assert applied(live, body({"replicas": 1}), "one")["spec"] == {"replicas": 1}


@pytest.mark.parametrize("seed", ["0", "1", "2", "3"])
def test_the_order_of_sets_changes_nothing(seed: str) -> None:
    told = []
    for given in ("9", seed):
        done = subprocess.run(  # noqa: S603 - this very interpreter on our own text
            [sys.executable, "-c", SCRIPT],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": given, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        told.append(done.stdout)
    assert told[0] == told[1] != ""


def test_the_same_value_is_shared_and_another_one_is_a_conflict() -> None:
    live = applied(None, body({"replicas": 3}), "one")
    shared = applied(live, body({"replicas": 3}), "two")
    assert [entry["manager"] for entry in shared["metadata"]["managedFields"]] == ["one", "two"]
    with pytest.raises(Refused) as refused:
        applied(shared, body({"replicas": 4}), "three")
    assert refused.value.status == 409
    assert [cause["field"] for cause in (refused.value.details or {})["causes"]] == [
        ".spec.replicas",
        ".spec.replicas",
    ]


def test_force_takes_a_field_from_everybody_else() -> None:
    live = applied(None, body({"replicas": 3}), "one")
    taken = applied(live, body({"replicas": 4}), "two", force=True)
    assert taken["spec"]["replicas"] == 4
    assert [entry["manager"] for entry in taken["metadata"]["managedFields"]] == ["two"]


def test_an_apply_changes_neither_what_it_is_given_nor_what_is_there() -> None:
    live = applied(None, body({"replicas": 3}, a=variables("X")), "one")
    config = body({"replicas": 4}, a=variables("X", "Y"))
    before = repr((live, config))
    merged = applied(live, config, "one")
    merged["spec"]["template"]["spec"]["containers"][0]["env"].clear()
    assert repr((live, config)) == before
