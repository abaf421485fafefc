"""Learning environments: tasks of vehicles for Gymnasium, computed in the core.

Needs the extra ``rl``. ``import pyrfly.rl`` registers ``pyrfly/Hover-v0``, ``pyrfly/Position-v0``
and ``pyrfly/Recover-v0``.
"""

from pyrfly.rl.actions import ACTION_LEVELS
from pyrfly.rl.randomization import LAWS
from pyrfly.rl.registration import TASK_IDS, register
from pyrfly.rl.single import PyrflyEnv
from pyrfly.rl.tasks import TASKS, Start, Task
from pyrfly.rl.vector import PyrflyVectorEnv

__all__ = [
    "ACTION_LEVELS",
    "LAWS",
    "TASKS",
    "TASK_IDS",
    "PyrflyEnv",
    "PyrflyVectorEnv",
    "Start",
    "Task",
]

register()
