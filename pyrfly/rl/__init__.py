"""Learning environments: tasks of vehicles for Gymnasium, computed in the core.

Needs the extra ``rl``. ``import pyrfly.rl`` registers the environments of `TASK_IDS`, such as
``pyrfly/Hover-v0``.
"""

from pyrfly.protocol.bits import EndReason
from pyrfly.rl.actions import ACTION_LEVELS
from pyrfly.rl.registration import TASK_IDS, register
from pyrfly.rl.single import PyrflyEnv
from pyrfly.rl.tasks import TASKS, Curve, Start, Task, track_of_gates
from pyrfly.rl.vector import PyrflyVectorEnv
from pyrfly.sim.laws import LAWS

__all__ = [
    "ACTION_LEVELS",
    "LAWS",
    "TASKS",
    "TASK_IDS",
    "Curve",
    "EndReason",
    "PyrflyEnv",
    "PyrflyVectorEnv",
    "Start",
    "Task",
    "track_of_gates",
]

register()
