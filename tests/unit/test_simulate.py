"""The table of simulated failures: which words there are, and what is wrong with the others."""

import pytest

from providers.simulation.simulate import (
    ENVIRONMENT_VARIABLE,
    HEALTHY,
    NAMESPACE_ANNOTATION,
    PROMISES,
    Simulation,
    UnknownSimulationError,
    Word,
    parse_simulation,
    simulation_of,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", HEALTHY),
        ("crash", Simulation(word=Word.CRASH)),
        (" oom ", Simulation(word=Word.OOM)),
        ("slow-load:2.5", Simulation(word=Word.SLOW_LOAD, seconds=2.5)),
        ("slow-stop:0", Simulation(word=Word.SLOW_STOP)),
        ("evict", Simulation(word=Word.EVICT, seconds=2.0)),
        ("evict:7", Simulation(word=Word.EVICT, seconds=7.0)),
    ],
)
def test_a_word_is_read_with_its_seconds(text: str, expected: Simulation) -> None:
    assert parse_simulation(text) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("explode", "unknown word 'explode'; use one of image-not-found, unauthorized, crash"),
        ("slow-load", "slow-load needs seconds, as in slow-load:5"),
        ("slow-load:", "takes 0 to 86400 seconds, not ''"),
        ("slow-load:soon", "takes 0 to 86400 seconds, not 'soon'"),
        ("slow-load:-1", "takes 0 to 86400 seconds, not '-1'"),
        ("slow-load:nan", "takes 0 to 86400 seconds, not 'nan'"),
        ("slow-load:inf", "takes 0 to 86400 seconds, not 'inf'"),
        ("crash:3", "crash takes no number"),
        (":3", "takes no number"),
    ],
)
def test_a_word_that_makes_no_sense_is_refused_with_what_would(text: str, words: str) -> None:
    with pytest.raises(UnknownSimulationError, match=ENVIRONMENT_VARIABLE) as refused:
        parse_simulation(text)

    assert words in str(refused.value)


@pytest.mark.parametrize("word", list(Word))
def test_every_word_has_a_promise_and_reads_back_as_it_prints(word: Word) -> None:
    simulation = Simulation(word=word, seconds=3.0 if PROMISES[word].needs_seconds else 0.0)

    assert parse_simulation(str(simulation)) == simulation


def test_a_container_goes_before_its_namespace() -> None:
    annotations = {NAMESPACE_ANNOTATION: "crash"}
    own = {"name": "engine", "env": [{"name": ENVIRONMENT_VARIABLE, "value": "oom"}]}

    assert simulation_of(own, annotations).word is Word.OOM
    assert simulation_of({"name": "engine"}, annotations).word is Word.CRASH
    assert simulation_of({"name": "engine"}, {}) == HEALTHY
