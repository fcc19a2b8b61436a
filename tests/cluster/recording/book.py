"""The cases that were recorded: each judged again from its document before it is written."""

from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from providers.contract.manifest import Manifest
from providers.contract.status import Phase, Status
from providers.workload.status import derive_status
from tests.cluster.recording.documents import (
    Look,
    expect_document,
    in_terms_of,
    later,
    normalised,
    write,
)
from tests.unit.workload.cases import RECORDED, Case, read_case

FOLDER = RECORDED


@dataclass(kw_only=True, slots=True)
class Book:
    """What was recorded in this run, by name."""

    folder: Path = FOLDER
    documents: dict[str, Manifest] = field(default_factory=dict)

    def comes_out(self, look: Look, namespace: str) -> bool:
        """Tell whether a look's document says what the look did, now and in half a second."""
        document = normalised(look.document(""), namespace)
        case = read_case("", document)
        status, soon = _judged(case), _judged(case, seconds=0.5)
        return status.says_the_same(soon) and expect_document(status) == document["expect"]

    def keep(self, name: str, look: Look, *, seen: str, namespace: str) -> None:
        """Write a look down, in terms of the first one of its scene."""
        document = normalised(look.document(seen), namespace)
        first = next(iter(self.documents), "")
        self.documents[name] = document
        if first:
            document = {**document, **in_terms_of(document, first, self.documents[first])}
        write(self.folder / f"{name}.yaml", document)

    def keep_later(
        self, name: str, of: str, *, seen: str, seconds: int, wanted: tuple[Phase, str]
    ) -> None:
        """Write down what comes of a case so many seconds later; raises where it is not that."""
        earlier = self.documents[of]
        status = _judged(read_case(of, earlier))
        document = later(earlier, seen=seen, seconds=seconds, status=status)
        found = _judged(read_case(name, document))
        if (found.phase, found.reason) != wanted:
            raise AssertionError(f"{name}: {found.phase} {found.reason}: {found.message}")
        first = next(iter(self.documents))
        shared = in_terms_of(document, first, self.documents[first])
        write(
            self.folder / f"{name}.yaml", {**document, "expect": expect_document(found), **shared}
        )


def _judged(case: Case, seconds: float = 0.0) -> Status:
    return derive_status(case.bundle(), case.known, case.now + timedelta(seconds=seconds))
