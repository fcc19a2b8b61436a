"""The body of an answer: read within a deadline, and unpacked.

A page of a big list comes in hundreds of pieces. They are unpacked together at the end, into memory
of the size that the last of them names, which takes half as long as one by one.
"""

import gzip
import zlib

import urllib3
from urllib3.exceptions import DecodeError

from providers.contract.protocols import Deadline
from providers.kube.clock import seconds_left

_PIECE = 1 << 18
_WITH_GZIP_HEADER = 31
_SIZE_BYTES = 4
# What is made ready at once on the word of a server; what is longer grows as it comes.
_MOST_AT_ONCE = 1 << 26


def read_body(
    response: urllib3.BaseHTTPResponse, deadline: Deadline, most: int
) -> tuple[bytes, bool]:
    """Read piece by piece, so that a server that drips cannot outlast the deadline.

    Return what was read, and whether it went on beyond `most` bytes; 0 is no bound. Raises
    TimeoutError, and urllib3's errors for what breaks off or cannot be unpacked.
    """
    is_packed = not most and response.headers.get("Content-Encoding") == "gzip"
    pieces: list[bytes] = []
    size = 0
    while piece := response.read1(_PIECE, decode_content=not is_packed):
        pieces.append(piece)
        size += len(piece)
        if most and size > most:
            response.close()
            return b"".join(pieces)[:most], True
        _bound(response, deadline)
    response.release_conn()
    body = b"".join(pieces)
    return _unpacked(body) if is_packed else body, False


def _bound(response: urllib3.BaseHTTPResponse, deadline: Deadline) -> None:
    """Wait for the next piece until the deadline only."""
    left = seconds_left(deadline)
    if left <= 0:
        response.close()
        raise TimeoutError
    socket = getattr(response.connection, "sock", None)
    if socket is not None:
        socket.settimeout(left)


def _unpacked(body: bytes) -> bytes:
    """Return what was packed in one part or, by a proxy's leave, in several."""
    size = int.from_bytes(body[-_SIZE_BYTES:], "little")
    unpacking = zlib.decompressobj(_WITH_GZIP_HEADER)
    try:
        unpacked = unpacking.decompress(body, min(size, _MOST_AT_ONCE))
        is_whole = unpacking.eof and not unpacking.unused_data
        return unpacked if is_whole else gzip.decompress(body)
    except (EOFError, OSError, zlib.error) as error:
        raise DecodeError(f"the answer cannot be unpacked: {error}") from error
