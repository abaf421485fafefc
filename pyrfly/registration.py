"""Names of pyrfly's learning environments in the registry of Gymnasium, which calls `register`."""

from __future__ import annotations

__all__ = ["TASK_IDS", "register"]

TASK_IDS = {
    "pyrfly/Hover-v0": "hover",
    "pyrfly/Position-v0": "position",
    "pyrfly/Recover-v0": "recover",
}
"""The task of every environment."""


def register() -> None:
    """Register the environments, unless they are; nothing of them is imported."""
    from gymnasium.envs.registration import register as add
    from gymnasium.envs.registration import registry

    for name, task in TASK_IDS.items():
        if name not in registry:
            add(
                name,
                entry_point="pyrfly.rl:PyrflyEnv",
                vector_entry_point="pyrfly.rl:PyrflyVectorEnv",
                kwargs={"task": task},
            )
