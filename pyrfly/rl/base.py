"""What the environments of Gymnasium and PettingZoo share: their module, their copies."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from pyrfly.errors import MissingExtraError, import_extra

__all__ = ["RENDER_MODES", "Remade", "import_gymnasium", "spec_with_steps"]

RENDER_MODES = ("human", "rgb_array")


def import_gymnasium() -> Any:
    """Return the module gymnasium.

    Raises
    ------
    MissingExtraError
        It is not installed, or older than 1.2.
    """
    gymnasium = import_extra("gymnasium", "rl", "pyrfly.rl")
    version = gymnasium.__version__
    if tuple(int(part) for part in version.split(".")[:2] if part.isdigit()) < (1, 2):
        raise MissingExtraError(
            f"pyrfly.rl needs gymnasium 1.2 or later, got {version}: pip install 'pyrfly[rl]'"
        )
    return gymnasium


class Remade:
    """Environments whose copies and pickles are made anew of their arguments.

    A copy has to be reset, as a new environment has; the state of the vehicles is not copied.
    """

    _made_of: tuple[tuple[Any, ...], dict[str, Any]]

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Keep the arguments."""
        made = super().__new__(cls)
        made._made_of = (args, kwargs)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what makes the same again."""
        return _make, (type(self), *self._made_of)


def _make(kind: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return kind(*args, **kwargs)


def spec_with_steps(spec: Any, steps: int) -> Any:
    """Return a specification of Gymnasium with the number of steps of an episode; None of None."""
    if spec is None:
        return None
    copy = deepcopy(spec)
    copy.max_episode_steps = min(steps, copy.max_episode_steps or steps)
    return copy
