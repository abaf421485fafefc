"""Names of pyrfly's learning environments in the registry of Gymnasium."""

from __future__ import annotations

from pyrfly.errors import import_extra

__all__ = ["TASK_IDS", "register"]

TASK_IDS = {
    "pyrfly/Hover-v0": "hover",
    "pyrfly/Position-v0": "position",
    "pyrfly/Recover-v0": "recover",
}
"""The task of every environment."""


def register() -> None:
    """Register the environments, unless they are."""
    gymnasium = import_extra("gymnasium", "rl", "pyrfly.rl")
    for name, task in TASK_IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="pyrfly.rl:PyrflyEnv",
                vector_entry_point="pyrfly.rl:PyrflyVectorEnv",
                kwargs={"task": task},
            )
