from copy import deepcopy
from typing import Any

import pytest

from providers.contract.drifting import Drift
from providers.contract.manifest import Manifest
from providers.contract.masking import MASK
from providers.workload.drifting.telling import MOST_CHARACTERS

from .drifted import CONTAINER, MANIFEST, change, drift_of, live_of

EDIT = "kubectl-edit"
REPLICAS = ("spec", "replicas")


def added(name: str, value: str) -> tuple[Any, Manifest]:
    return (("name", name),), {"name": name, "value": value}


def test_of_long_lists_of_words_only_those_that_differ_are_told() -> None:
    path = (*CONTAINER, "args")
    live = change(live_of(), path, ["--model=m", "--port=9000", "--verbose"], manager=EDIT)

    (found,) = drift_of(live)

    assert (found.ours, found.theirs) == ("--port=8000", "--port=9000 --verbose")


def test_words_in_another_order_are_told_in_full() -> None:
    live = change(live_of(), (*CONTAINER, "args"), ["--port=8000", "--model=m"], manager=EDIT)

    (found,) = drift_of(live)

    assert (found.ours, found.theirs) == ("--model=m --port=8000", "--port=8000 --model=m")


@pytest.mark.parametrize(
    ("name", "value"), [("HF_TOKEN", "s3cret"), ("NOTE", "password=hunter2"), ("A", "hf_12345678")]
)
def test_secrets_are_masked_and_yet_another_value_is_another_fingerprint(
    name: str, value: str
) -> None:
    keys, item = added(name, value)
    path = (*CONTAINER, "env", keys)

    (found,) = drift_of(change(live_of(), path, item, manager=EDIT))
    (other,) = drift_of(change(live_of(), path, {**item, "value": value + "0"}, manager=EDIT))

    assert MASK in found.theirs
    assert value.partition("=")[2] not in found.theirs or not value.partition("=")[2]
    assert value not in found.theirs
    assert found.fingerprint != other.fingerprint


def test_the_value_of_a_variable_that_is_called_like_a_secret_is_masked_by_itself() -> None:
    manifest = deepcopy(MANIFEST)
    env = manifest["spec"]["template"]["spec"]["containers"][0]["env"]
    env.append({"name": "API_KEY", "value": "old"})
    path = (*CONTAINER, "env", (("name", "API_KEY"),), "value")

    (found,) = drift_of(change(live_of(manifest), path, "new", manager=EDIT), manifest)

    assert (found.ours, found.theirs) == (MASK, MASK)


def test_a_very_long_value_is_cut() -> None:
    path = ("metadata", "annotations", "slipway.dev/display-name")

    (found,) = drift_of(change(live_of(), path, "x" * 5000, manager=EDIT))

    assert len(found.theirs) <= MOST_CHARACTERS + 1


def test_the_digest_of_a_drift_is_another_one_for_another_drift_and_empty_for_none() -> None:
    two = Drift(fields=tuple(drift_of(change(live_of(), REPLICAS, 4))))
    other = Drift(fields=tuple(drift_of(change(live_of(), REPLICAS, 5))))

    assert Drift().digest == ""
    assert two.digest != other.digest
    assert two.digest == Drift(fields=two.fields).digest
