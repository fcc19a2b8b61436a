"""Of a list that the API server takes as one value, only what differs in it is shown."""

from typing import Any

import pytest

from providers.workload.drifting.narrowing import only_what_differs

AT = ("spec", "template", "spec", "roles")


def role(name: str, **container: object) -> dict[str, Any]:
    engine = {"name": "engine", "image": "mock:1", "args": ["--a", "--b"], **container}
    return {"name": name, "replicas": 1, "template": {"spec": {"containers": [engine]}}}


def shown(name: str, **container: object) -> dict[str, Any]:
    return {
        "name": name,
        "template": {"spec": {"containers": [{"name": "engine", **container}]}},
    }


def test_one_field_of_one_role_is_shown_with_the_names_above_it() -> None:
    ours = [role("prefill"), role("decode")]
    theirs = [
        role("prefill"),
        role("decode", image="mock:2", imagePullPolicy="Always", terminationMessagePolicy="File"),
    ]
    assert only_what_differs(ours, theirs, AT) == (
        [shown("decode", image="mock:1")],
        [shown("decode", image="mock:2", imagePullPolicy="Always")],
    )


@pytest.mark.parametrize(
    ("ours", "theirs", "told"),
    [
        ({"a": 1, "b": 2}, {"b": 2}, ({"a": 1}, {})),
        (["--a", "--b"], ["--b", "--c"], (["--a"], ["--c"])),
        (["--a", "--b"], ["--b", "--a"], (["--a", "--b"], ["--b", "--a"])),
        ([{"a": 1}], [{"a": 1}, {"b": 2}], ([{"a": 1}], [{"a": 1}, {"b": 2}])),
        ("one", "two", ("one", "two")),
        (
            {"limits": {"cpu": "1000m", "memory": "1Gi"}},
            {"limits": {"cpu": "1", "memory": "2Gi"}},
            ({"limits": {"memory": "1Gi"}}, {"limits": {"memory": "2Gi"}}),
        ),
    ],
)
def test_what_is_the_same_is_left_out(ours: object, theirs: object, told: object) -> None:
    assert only_what_differs(ours, theirs, AT) == told
