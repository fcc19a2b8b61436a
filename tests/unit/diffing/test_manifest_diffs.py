"""What differs between objects is told line by line, and nothing else is."""

import difflib
import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from deployments.diffing.folding import masked, without_bookkeeping
from deployments.diffing.lines import Side, hunks_of
from deployments.diffing.manifests import Fate, unified, unified_text
from providers.contract.manifest import BOOKKEEPING, Manifest
from providers.contract.overrides import Scaling
from providers.contract.request import DeployRequest, Provenance
from providers.kserve.render import ANNOTATION_POD_DIGEST
from providers.kubernetes.provider import provider
from providers.stormservice.render import LABEL_POD_DIGEST
from providers.testing.samples import make_request, make_target
from providers.workload import labels

TEXT = st.lists(st.sampled_from(["a: 1", "b: 2", "c: 3", "", "- d"]), max_size=12)
AN_ID = "11111111-2222-3333-4444-555555555555"


def request(**changes: object) -> DeployRequest:
    told = Provenance(model="m", template="chat", template_version="1.0.0")
    made = make_request(provider, deployment_id=AN_ID)
    return replace(made, provenance=told, **changes)  # type: ignore[arg-type]


def rendered(**changes: object) -> tuple[Manifest, ...]:
    return provider.render(request(**changes), make_target())


def several(low: int, high: int) -> Scaling:
    metric = request().scaling.metric
    return Scaling(min_replicas=low, max_replicas=high, autoscaled=high > low, metric=metric)


def pod_with(**env: str) -> Manifest:
    listed = [{"name": name, "value": text} for name, text in env.items()]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"env": listed}}


def test_the_same_objects_are_no_difference() -> None:
    assert unified(rendered(), rendered()) == ()
    assert unified_text(()) == ""


def test_the_order_in_which_a_database_keeps_members_is_no_difference() -> None:
    stored = json.loads(json.dumps(rendered(), sort_keys=True))
    assert json.dumps(stored) != json.dumps(rendered())
    assert unified(stored, rendered()) == ()


def test_a_revision_that_changes_only_its_number_is_no_difference() -> None:
    assert unified(rendered(revision=1), rendered(revision=2)) == ()


def test_marks_that_are_left_out_are_those_that_objects_bear() -> None:
    borne = {labels.ANNOTATION_REVISION, labels.ANNOTATION_DIGEST, labels.ANNOTATION_LAUNCH}
    assert borne | {LABEL_POD_DIGEST, ANNOTATION_POD_DIGEST} == BOOKKEEPING


def test_a_label_that_only_follows_from_the_rest_is_no_difference() -> None:
    before, after = ({"labels": {LABEL_POD_DIGEST: one, "role": "a"}} for one in ("1", "2"))
    assert without_bookkeeping(before) == without_bookkeeping(after) == {"labels": {"role": "a"}}


def test_an_autoscaler_that_comes_is_added_whole_and_replicas_leave_the_workload() -> None:
    workload, autoscaler = unified(rendered(), rendered(scaling=several(1, 3)))

    assert (workload.key.kind, workload.fate) == ("Deployment", Fate.CHANGED)
    changed = [str(line) for hunk in workload.hunks for line in hunk.lines if line.side != "both"]
    assert changed == ["-  replicas: 1"]
    assert (autoscaler.key.kind, autoscaler.fate) == ("HorizontalPodAutoscaler", Fate.ADDED)
    assert {line.side for hunk in autoscaler.hunks for line in hunk.lines} == {Side.AFTER}


def test_an_autoscaler_that_goes_is_removed_and_told_last() -> None:
    diffs = unified(rendered(scaling=several(1, 3)), rendered())

    assert [diff.fate for diff in diffs] == [Fate.CHANGED, Fate.REMOVED]
    assert diffs[1].text.startswith("--- before/HorizontalPodAutoscaler/")
    assert "+++ /dev/null\n@@ -1," in diffs[1].text


def test_three_lines_stand_around_what_differs() -> None:
    (diff,) = unified(rendered(), rendered(scaling=several(2, 2)))

    assert [line.side for line in diff.hunks[0].lines] == [
        *[Side.BOTH] * 3,
        Side.BEFORE,
        Side.AFTER,
        *[Side.BOTH] * 3,
    ]


@given(before=TEXT, after=TEXT)
def test_hunks_are_written_as_diff_u_writes_them(before: list[str], after: list[str]) -> None:
    own = [line for hunk in hunks_of(before, after) for line in str(hunk).split("\n")]
    library = list(difflib.unified_diff(before, after, lineterm=""))[2:]

    assert own == library


@given(before=TEXT, after=TEXT)
def test_numbers_of_lines_are_those_of_the_two_texts(before: list[str], after: list[str]) -> None:
    for line in (line for hunk in hunks_of(before, after) for line in hunk.lines):
        assert not line.before or before[line.before - 1] == line.text
        assert not line.after or after[line.after - 1] == line.text
        assert (bool(line.before), bool(line.after)) == (
            line.side != Side.AFTER,
            line.side != Side.BEFORE,
        )


def test_a_secret_that_changes_is_a_difference_that_shows_neither() -> None:
    (diff,) = unified([pod_with(MY_TOKEN="first-value")], [pod_with(MY_TOKEN="other-value")])

    text = diff.text
    assert '-      value: "[masked]"' in text
    assert '+      value: "[masked]"' in text
    assert "first-value" not in text
    assert "other-value" not in text


def test_a_secret_of_several_lines_is_masked_too() -> None:
    key = "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----"
    (diff,) = unified([pod_with(PLAIN="x")], [pod_with(PLAIN=key)])

    assert "abc" not in diff.text


def test_a_password_within_an_address_is_masked() -> None:
    proxy = pod_with(HTTPS_PROXY="http://me:hunter2@proxy:3128", NAME="qwen")

    assert masked(proxy)["spec"]["env"] == [
        {"name": "HTTPS_PROXY", "value": "http://me:[masked]@proxy:3128"},
        {"name": "NAME", "value": "qwen"},
    ]
