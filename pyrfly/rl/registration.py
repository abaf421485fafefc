"""Names of pyrfly's learning environments in the registry of Gymnasium."""

from __future__ import annotations

from pyrfly.rl.base import import_gymnasium

__all__ = ["TASK_IDS", "register"]

TASK_IDS = {
    "pyrfly/Hover-v0": "hover",
    "pyrfly/Wind-v0": "wind",
    "pyrfly/Position-v0": "position",
    "pyrfly/Track-v0": "track",
    "pyrfly/FigureEight-v0": "figure8",
    "pyrfly/Race-v0": "race",
    "pyrfly/Landing-v0": "landing",
    "pyrfly/Recover-v0": "recover",
    "pyrfly/Reach-v0": "reach",
}
"""The task of every environment of one vehicle."""


PARALLEL_IDS = {"pyrfly/Formation-v0": "formation", "pyrfly/Avoid-v0": "avoid"}
"""The task of every environment of several vehicles, in the registry of PettingZoo where that is
installed."""


def register() -> None:
    """Register the environments, unless they are."""
    gymnasium = import_gymnasium()
    for name, task in TASK_IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="pyrfly.rl:PyrflyEnv",
                vector_entry_point="pyrfly.rl:PyrflyVectorEnv",
                kwargs={"task": task},
            )
    try:
        import pettingzoo
    except ModuleNotFoundError:
        return
    if not hasattr(pettingzoo, "register"):
        return
    for name, task in PARALLEL_IDS.items():
        if name not in pettingzoo.parallel_registry:
            pettingzoo.register(
                "parallel",
                name,
                "pyrfly.rl.parallel:PyrflyParallelEnv",
                kwargs={"task": task},
            )
