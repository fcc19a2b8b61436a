"""Reads the log of one container of a deployment, live; access is the caller's business."""

from deployments.exceptions import NoLog, NoSuchLog
from deployments.models import Deployment
from deployments.services.answers import answer_of
from deployments.services.looking import look
from deployments.services.refs import ref_of
from providers.contract.observing import Log, LogQuery


def look_at_log(deployment: Deployment, query: LogQuery) -> Log:
    """Return the end of a log with the choice of others; where there is none it says why.

    Raises as every look into a deployment.
    """
    ref = ref_of(deployment)
    return look(
        deployment,
        "logs",
        lambda into, at, by: answer_of(Log, into.logs(ref, at, query, deadline=by)),
    )


def require_log(deployment: Deployment, query: LogQuery) -> Log:
    """Return the end of a log; raises NoSuchLog for what is not there, NoLog where it is empty
    for a reason.
    """
    log = look_at_log(deployment, query)
    if log.is_absent:
        raise NoSuchLog(log.note)
    if log.note:
        raise NoLog(log.note)
    return log
