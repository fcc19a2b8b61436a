"""Why no answer came, in plain words: what the sockets and TLS say, without their addresses."""

import ssl

from urllib3 import exceptions


def cause_of(error: Exception, seconds: float) -> str:
    """Return one clause about an error of urllib3 or of a socket; `seconds` is what was waited."""
    if type(error) is exceptions.NewConnectionError:  # a kind of ConnectTimeoutError by name only
        return _refused_or_reset(error)
    for kinds, clause in _CLAUSES:
        if isinstance(error, kinds):
            return clause.format(seconds=f"{max(seconds, 0.1):.1f}")
    if isinstance(error, exceptions.SSLError | ssl.SSLError):
        return _tls(error)
    return _refused_or_reset(error)


def is_stale(error: Exception) -> bool:
    """Tell whether a kept connection had been closed by the other side before it answered."""
    return isinstance(error, exceptions.ProtocolError) and not isinstance(
        error, exceptions.IncompleteRead
    )


_CLAUSES: tuple[tuple[type[Exception] | tuple[type[Exception], ...], str], ...] = (
    (exceptions.NameResolutionError, "its name cannot be resolved"),
    (exceptions.ConnectTimeoutError, "no connection within {seconds} s"),
    ((exceptions.ReadTimeoutError, TimeoutError), "no answer within {seconds} s"),
    (exceptions.ProxyError, "the proxy in front of it cannot be reached"),
)


def _tls(error: Exception) -> str:
    text = str(error)
    if "CERTIFICATE_VERIFY_FAILED" in text:
        return "its certificate is not trusted by the certificate authority in the kubeconfig"
    if "timed out" in text:
        return "the TLS handshake did not end"
    return "TLS could not be agreed on"


def _refused_or_reset(error: Exception) -> str:
    text = str(error).casefold()
    if "refused" in text:
        return "connection refused"
    if "unreachable" in text:
        return "no route to it"
    if isinstance(error, exceptions.ProtocolError):
        return "the connection was closed before an answer came"
    return "the connection failed"
