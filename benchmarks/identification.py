"""How often intervals of identified parameters hold the truth, of simulated flights.

python benchmarks/identification.py [SET [FLIGHTS [SECONDS]]]

Prints for each parameter the deviation of the estimates and the mean standard error, both over the
true value, and the share of intervals of 95 % that hold it.
"""

from __future__ import annotations

import sys

import numpy as np

from pyrfly import Sim
from pyrfly.identify import excitation, identify


def main(vehicle: str = "x450", flights: str = "24", seconds: str = "20") -> None:
    """Fly, identify and print."""
    sim = Sim(vehicle, int(flights))
    sim.sensors.enable_all("px4")
    sim.estimator.enable()
    sim.reset(pos=[0, 0, -30], hover=True, seed=1)
    sim.sleep(3)
    log = excitation.fly(sim, excitation.doublets(float(seconds)))
    found: dict[str, list[tuple[float, float, float]]] = {}
    for number in log.copter_ids:
        for one in identify(log, vehicle, copter_id=int(number)).estimates.values():
            if one.identified or one.status == "of the flight":
                row = one.value, one.start, one.deviation
                found.setdefault(one.name, []).append(row)
    print(f"{'parameter':20}{'flights':>8}{'truth':>12}{'spread':>10}{'error':>10}{'held':>8}")
    for name, rows in found.items():
        value, truth, deviation = np.array(rows).T
        held = np.mean(np.abs(value - truth) < 1.96 * deviation)
        print(
            f"{name:20}{len(rows):>8}{truth[0]:>12.5g}{value.std():>10.2g}"
            f"{deviation.mean():>10.2g}{held:>8.0%}"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
