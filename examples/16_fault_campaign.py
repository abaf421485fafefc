"""How likely is a fault to lose a quadrotor? 2000 flights with faults of four kinds, and a report.

Each kind is a campaign of 500 flights with a strength that is drawn, and so are mass, wind and the
time at which the fault begins. Lost is who crosses a boundary: the ground or a circle of 20 m. The
folders faults/motor, ... have results and reports. Figure: faults/losses.png.

Last line: of 2000 flights ... are lost: motor ..., stuck ..., gyroscope ..., gps ...
"""

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

from pyrfly import Sim
from pyrfly.campaign import Campaign, write_report
from pyrfly.campaign.losses import losses, lost_runs

PLACE = np.array([0.0, 0.0, -40.0])
FAULTS: dict[str, dict[str, Any]] = {
    "motor": {"kind": "motor", "actuator": 1, "effectiveness": ("uniform", 0, 0.5)},
    "stuck": {"kind": "actuator_stuck", "actuator": 1, "value": ("uniform", 0, 1)},
    "gyroscope": {
        "kind": "sensor_bias",
        "sensor": "gyroscope",
        "bias": [("uniform", 0, 1), 0, 0],  # rad/s
    },
    "gps": {"kind": "sensor_drift", "sensor": "gps", "drift": [("uniform", 0, 10), 0, 0]},  # m/s
}


def prepare(sim: Sim) -> None:
    """Let the vehicles fly on what they sense, within boundaries."""
    sim.sensors.enable("imu", "magnetometer", "barometer", "gps", profile="px4")
    sim.estimator.enable(fly=True)
    sim.safety.add("height", minimum=0.5, action="freeze")
    sim.safety.add("area", centre=PLACE[:2], radius=20, action="freeze")


def hold(sim: Sim) -> dict[str, Any]:
    """Hold a place for 15 s; return who is lost, and which boundary it crossed."""
    sim.reset(pos=PLACE, hover=True)
    sim.command_position(PLACE, yaw=0.0)
    sim.run(15)
    reason = np.full(sim.n, "none", "U32")
    for crossing in sim.safety.crossings():
        reason[crossing.copter_id - 1] = crossing.boundary
    return {"success": reason == "none", "reason": reason}


found = {}
for name, fault in FAULTS.items():
    campaign = Campaign(
        vehicle="x450",
        function=hold,
        configure=prepare,
        samples=500,
        faults=[{"name": name, "at": ("uniform", 2, 4), **fault}],
        randomize={
            "mass": ("scale", 0.9, 1.1),
            "wind": [("uniform", -5, 5), ("uniform", -5, 5), 0],
        },
    )
    found[name] = campaign.run(Path("faults") / name)
    print(write_report(found[name], worst=3))

figure, panels = plt.subplots(2, 2, sharey=True, figsize=(9, 7), layout="constrained")
for axes, results in zip(panels.ravel(), found.values(), strict=True):
    strength, rates = next(iter(losses(results).items()))
    share = np.array([rate.share for rate in rates.values()])
    bars = [[r.share - r.low for r in rates.values()], [r.high - r.share for r in rates.values()]]
    axes.errorbar(range(len(rates)), share, yerr=np.abs(bars), fmt="o-", capsize=3)
    axes.set_xticks(range(len(rates)), list(rates), rotation=45, ha="right")
    axes.set(title=strength, ylim=(-0.02, 1.02))
for axes in panels[:, 0]:
    axes.set_ylabel("probability of loss")
figure.savefig("faults/losses.png")

shares = {name: float(lost_runs(results).mean()) for name, results in found.items()}
total = sum(len(results) for results in found.values())
lost = sum(int(lost_runs(results).sum()) for results in found.values())
kinds = ", ".join(f"{name} {share:.0%}" for name, share in shares.items())
print(f"of {total} flights {lost} are lost: {kinds}")
