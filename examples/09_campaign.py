"""In which wind do two quadrotors hold their place? 480 flights, their table, report and worst one.

A campaign is a table of what is swept and what is drawn at random. A call of `run` flies what its
folder does not have yet, so that an interrupted campaign goes on when it is called again.

Last line: 480 flights, ... of them successful; run ... is the worst, again with an error of ... m
"""

from typing import Any

import numpy as np

from pyrfly import Sim
from pyrfly.campaign import Campaign, write_report

PLACE = np.array([0.0, 0.0, -20.0])


def hold(sim: Sim) -> dict[str, Any]:
    """Fly to a place, then measure the largest distance from it for 5 s."""
    sim.reset(pos=PLACE)
    sim.arm()
    sim.command_position(PLACE, yaw=0.0)
    sim.run(10)
    error = np.zeros(sim.n)
    for _ in range(100):
        sim.run(0.05)
        error = np.maximum(error, np.sqrt(np.square(sim.pos - PLACE).sum(axis=1)))
    return {"error": error}


def turbulent(sim: Sim) -> None:
    """Let the wind be turbulent."""
    sim.environment.set_turbulence("severe")


campaign = Campaign(
    function=hold,
    configure=turbulent,
    samples=40,
    sweep={"vehicle": ["x450", "x500"], "wind": [[north, 0, 0] for north in range(12, 24, 2)]},
    randomize={"mass": ("scale", 0.9, 1.1), "motor_tau": ("log-uniform", 0.02, 0.06)},
    limits={"error": 0.5},
)
results = campaign.run("wind-campaign")
print(write_report(results, worst=3))

worst = int(results.worst(1)[0])
again = campaign.replay(worst)
again.log.save("wind-campaign/worst.npz")
print(
    f"{len(results)} flights, {results.success_rate.share:.0%} of them successful; run {worst} is "
    f"the worst, again with an error of {again.row['error']:.3f} m"
)
