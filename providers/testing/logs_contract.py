"""What the logs of a provider must do whose deployments can be looked into."""

from typing import cast

import pytest

from providers.contract.errors import Unavailable
from providers.contract.observing import Log, LogQuery, Observes
from providers.contract.protocols import Applied
from providers.contract.request import DeployRequest
from providers.testing.samples import ref_of
from providers.testing.stage import Stage, deadline, is_ready


class LogsContract:
    """Every test takes `stage`, and asks nothing of a provider that does not observe."""

    def test_a_log_is_chosen_told_and_stamped(self, stage: Stage) -> None:
        if not stage.provider.capabilities.observes:
            return
        request, applied = _ready(stage)
        log = _log(stage, request, applied)
        assert (log.note, log.is_absent, log.previous) == ("", False, False)
        assert (log.pod, log.container) in {(one.pod, one.container) for one in log.sources}
        assert log.lines
        times = [line.at for line in log.lines if line.at]
        assert len(times) == len(log.lines)
        assert times == sorted(times)

    def test_the_end_of_a_log_is_told_and_that_it_is_only_the_end(self, stage: Stage) -> None:
        if not stage.provider.capabilities.observes:
            return
        request, applied = _ready(stage)
        whole = _log(stage, request, applied)
        end = _log(stage, request, applied, tail_lines=1, pod=whole.pod)
        assert len(end.lines) == 1
        assert end.cut
        assert not whole.cut

    def test_what_a_reader_has_is_not_told_again(self, stage: Stage) -> None:
        if not stage.provider.capabilities.observes:
            return
        request, applied = _ready(stage)
        whole = _log(stage, request, applied)
        last = whole.lines[-1].at
        known = sum(line.at == last for line in whole.lines)
        seen = {line.at for line in whole.lines}
        more = _log(stage, request, applied, pod=whole.pod, since=last, known=known)
        assert not [line for line in more.lines if line.at in seen]
        again = _log(stage, request, applied, pod=whole.pod, since=last)
        assert again.lines[:known] == whole.lines[-known:]

    def test_a_pod_of_another_deployment_does_not_exist(self, stage: Stage) -> None:
        if not stage.provider.capabilities.observes:
            return
        request, applied = _ready(stage)
        other, theirs = _ready(stage, name="other")
        foreign = _log(stage, other, theirs).pod
        log = _log(stage, request, applied, pod=foreign)
        assert log.is_absent
        assert (log.lines, foreign in log.note) == ((), True)
        assert log.sources

    def test_a_container_that_is_not_there_does_not_exist(self, stage: Stage) -> None:
        if not stage.provider.capabilities.observes:
            return
        request, applied = _ready(stage)
        log = _log(stage, request, applied, container="no-such")
        assert (log.is_absent, log.lines) == (True, ())

    def test_a_container_that_ran_once_has_no_previous_log_and_says_so(self, stage: Stage) -> None:
        if not stage.provider.capabilities.observes:
            return
        request, applied = _ready(stage)
        log = _log(stage, request, applied, previous=True)
        assert (log.lines, log.is_absent) == ((), False)
        assert "previous" in log.note

    def test_before_there_is_a_pod_that_is_said(self, stage: Stage) -> None:
        if not stage.provider.capabilities.observes:
            return
        log = _log(stage, stage.request(), None)
        assert (log.lines, log.sources, log.is_absent) == ((), (), False)
        assert log.note

    def test_the_logs_of_a_silent_cluster_are_unavailable(self, stage: Stage) -> None:
        if not stage.provider.capabilities.observes:
            return
        ref = ref_of(stage.request(), None)
        observer = cast("Observes", stage.provider)
        with pytest.raises(Unavailable):
            observer.logs(ref, stage.silent, LogQuery(), deadline=deadline(0.5))


def _ready(stage: Stage, name: str = "ours") -> tuple[DeployRequest, Applied]:
    request = stage.request(name=name)
    applied = stage.create(request)
    stage.until(request, applied, is_ready)
    return request, applied


def _log(stage: Stage, request: DeployRequest, applied: Applied | None, **asked: object) -> Log:
    query = LogQuery(**asked)  # type: ignore[arg-type]  # a test names fields of it
    observer = cast("Observes", stage.provider)
    return observer.logs(ref_of(request, applied), stage.target, query, deadline=deadline())
