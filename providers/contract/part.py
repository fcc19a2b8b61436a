"""What every piece of the template schema has in common."""

from pydantic import BaseModel, ConfigDict


class Part(BaseModel):
    """A piece of the template: strict, closed, frozen."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
