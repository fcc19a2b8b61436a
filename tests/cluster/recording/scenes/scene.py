"""One scene: what happens on its stage, and whether it bears others beside it."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.cluster.recording.stage import Stage


@dataclass(frozen=True, kw_only=True, slots=True)
class Scene:
    """`alone`: it touches all nodes or the controllers themselves."""

    play: Callable[[Stage], None]
    alone: bool = False

    @property
    def name(self) -> str:
        """What the scene is called."""
        return self.play.__name__
