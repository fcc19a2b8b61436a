"""Events as lines: folded, counted, newest first, whatever fashion their times are in."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from providers.contract.observing import EventLine
from providers.workload.objects.looked import ToldEvent, VersionedMeta
from providers.workload.states.events import LONGEST, event_lines


def event(message: str = "pulling", /, **fields: object) -> ToldEvent:
    about = {"kind": "Pod", "name": "d-6d9f7c8b54-x7k2p"}
    given = {
        "type": "Normal",
        "reason": "Pulling",
        "message": message,
        "involvedObject": about,
        **fields,
    }
    return msgspec.convert(given, ToldEvent)


def only(*events: ToldEvent) -> EventLine:
    [line] = event_lines(events)
    return line


def quota(pod: str, second: int) -> ToldEvent:
    return event(
        f'Error creating: pods "d-6d9f7c8b54-{pod}" is forbidden: exceeded quota: team',
        type="Warning",
        reason="FailedCreate",
        count=1,
        involvedObject={"kind": "ReplicaSet", "name": "d-6d9f7c8b54"},
        lastTimestamp=f"2026-11-30T12:00:0{second}Z",
        firstTimestamp=f"2026-11-30T12:00:0{second}Z",
    )


def test_a_warning_with_another_pods_name_in_it_is_one_line_in_its_newest_words() -> None:
    line = only(quota("x7k2p", 2), quota("m4d8z", 5), quota("q9t5c", 1))
    assert (line.count, line.is_warning, line.object) == (3, True, "ReplicaSet d-6d9f7c8b54")
    assert "m4d8z" in line.message
    assert line.at is not None
    assert line.first_at is not None
    assert (line.at.second, line.first_at.second) == (5, 1)


def test_what_is_no_warning_keeps_every_name() -> None:
    lines = event_lines([event("Created pod: d-x7k2p"), event("Created pod: d-m4d8z")])
    assert len(lines) == 2


def test_the_same_words_about_another_object_are_another_line() -> None:
    other = {"kind": "Pod", "name": "d-6d9f7c8b54-m4d8z"}
    assert len(event_lines([event(), event(involvedObject=other)])) == 2


def test_the_schedulers_events_bear_one_time_and_a_series_counts() -> None:
    line = only(
        event(
            eventTime="2026-11-30T12:00:00.123456Z",
            series={"count": 7, "lastObservedTime": "2026-11-30T12:03:00.000000Z"},
            reportingComponent="default-scheduler",
        )
    )
    assert (line.count, line.source) == (7, "default-scheduler")
    assert line.at is not None
    assert line.first_at is not None
    assert (line.at.minute, line.first_at.minute) == (3, 0)


def test_an_old_recorder_names_its_source() -> None:
    assert only(event(source={"component": "kubelet"})).source == "kubelet"


def test_events_without_any_time_come_last() -> None:
    timed = event("with a time", lastTimestamp="2026-11-30T12:00:00Z")
    assert [line.message for line in event_lines([event("without"), timed])] == [
        "with a time",
        "without",
    ]


def test_of_one_second_what_was_written_last_comes_first() -> None:
    steps = ("Scheduled", "Pulled", "Created", "Started")
    at = "2026-11-30T12:00:00Z"
    told = [
        event(step, lastTimestamp=at, metadata={"resourceVersion": str(998 + number)})
        for number, step in enumerate(steps)
    ]
    mixed = [told[2], told[0], told[3], told[1]]
    assert [line.message for line in event_lines(mixed)] == list(reversed(steps))


def test_of_one_second_who_tells_no_fractions_comes_in_the_order_of_writing() -> None:
    seconds, fractions = "2026-11-30T12:00:00Z", "2026-11-30T12:00:00.900000Z"
    told = [
        event("Scheduled", eventTime=fractions, metadata={"resourceVersion": "7"}),
        event("Pulling", lastTimestamp=seconds, metadata={"resourceVersion": "8"}),
        event("Pulled", lastTimestamp=seconds, metadata={"resourceVersion": "9"}),
    ]
    assert [line.message for line in event_lines(told)] == ["Pulled", "Pulling", "Scheduled"]


def test_a_warning_repeated_within_a_second_is_told_in_the_words_written_last() -> None:
    told = [
        msgspec.structs.replace(quota(pod, 2), metadata=VersionedMeta(resource_version=version))
        for pod, version in (("x7k2p", "10"), ("m4d8z", "9"))
    ]
    assert "x7k2p" in only(*told).message


def test_an_event_that_says_nothing_is_still_a_line() -> None:
    line = only(msgspec.convert({}, ToldEvent))
    assert (line.object, line.count, line.reason, line.at) == ("? ?", 1, "", None)


def test_a_message_is_one_line_of_bearable_length() -> None:
    assert only(event("a\n  b\tc")).message == "a b c"
    assert len(only(event("word " * 1000)).message) == LONGEST


@given(
    st.lists(
        st.builds(
            event,
            st.text(max_size=20),
            type=st.sampled_from(["Normal", "Warning", None, "Odd"]),
            count=st.none() | st.integers(min_value=1, max_value=9),
            lastTimestamp=st.none() | st.sampled_from(["2026-11-30T12:00:00Z", "", "yesterday"]),
        ),
        max_size=8,
    )
)
def test_folding_loses_no_event_and_does_not_mind_their_order(events: list[ToldEvent]) -> None:
    lines = event_lines(events)
    assert sum(line.count for line in lines) == sum(one.times for one in events)
    again = event_lines(list(reversed(events)))
    assert {(line.object, line.reason, line.count) for line in lines} == {
        (line.object, line.reason, line.count) for line in again
    }
