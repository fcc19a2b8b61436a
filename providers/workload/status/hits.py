"""What one rule found: a row of the status table with its verdict and the sentence about it."""

from dataclasses import dataclass

from providers.contract.status import Evidence, Phase


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """One finding; `object` is what it was seen on, as in `Pod qwen-1a2b3c4d-x`."""

    row: int
    phase: Phase
    reason: str
    message: str = ""
    object: str = ""
    closed: bool = False

    def as_evidence(self) -> Evidence:
        """Return what is kept of it."""
        return Evidence(reason=self.reason, message=self.message, object=self.object, row=self.row)
