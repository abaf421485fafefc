"""How often intervals of identified parameters hold the truth, of simulated flights.

python benchmarks/identification.py [SET] [--flights N] [--seconds S] [--turbulence SEVERITY]

Each vehicle has parameters of its own, up to a tenth off those of the set from which its search
begins, and sensors with noise of their own. A multirotor flies doublets of velocity, a plane
multisines of its surfaces. Prints for each parameter the number of flights that tell it; of the
errors of the estimates the mean, the deviation and the standard error, all over the true value; and
the share of intervals of 95 % that hold it.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pyrfly import Sim
from pyrfly.identify import Estimate, excitation, identify
from pyrfly.log import Log
from pyrfly.vehicles import family_named, load
from pyrfly.vehicles.identifying import Parameter, Recipe

Array = NDArray[np.float64]

LARGEST_CHANGE = 0.1
LARGEST_WIND = 5.0  # m/s, of any direction, in turbulence


def drawn(sim: Sim, table: list[Parameter], random: np.random.Generator) -> dict[str, Array]:
    """Draw a value of each parameter for each vehicle, write them, and return them by name."""
    values = {}
    for one in table:
        factors = 1 + LARGEST_CHANGE * random.uniform(-1, 1, sim.n)
        values[one.name] = one.start * factors
        view = getattr(sim, one.column)
        view[...] += one.change(values[one.name]).reshape(view.shape)
    return values


def begin(sim: Sim, recipe: Recipe, turbulence: str | None, random: np.random.Generator) -> None:
    """Bring vehicles to where their manoeuvre begins: hover, or level flight."""
    if turbulence is not None:
        speed, angle = random.uniform(0, LARGEST_WIND, sim.n), random.uniform(0, 2 * np.pi, sim.n)
        sim.wind[:, 0], sim.wind[:, 1] = speed * np.cos(angle), speed * np.sin(angle)
        sim.environment.set_turbulence(turbulence)
    sim.sensors.enable_all("px4")
    sim.estimator.enable()
    if recipe.deflections is None:
        sim.reset(pos=[0, 0, -30], hover=True, seed=1)
        sim.sleep(4)
        return
    sim.reset(pos=[0, 0, -300], seed=1)
    sim.arm()
    sim.command_position([5000, 0, -300])
    sim.sleep(25)


def estimated(log: Log, vehicle: str, copter_id: int) -> list[Estimate]:
    """Return the estimates of a vehicle of a log that its flight tells."""
    found = identify(log, vehicle, copter_id=copter_id).estimates
    return [one for one in found.values() if one.identified]


def printed(found: list[list[Estimate]], truth: dict[str, Array]) -> None:
    """Print a line for each parameter, and the share of all intervals."""
    print(f"{'parameter':24}{'flights':>8}{'bias':>9}{'spread':>9}{'error':>9}{'held':>7}")
    every: list[bool] = []
    for name, values in truth.items():
        rows = [
            (one.value - value, one.deviation, abs(value))
            for own, value in zip(found, values, strict=True)
            for one in own
            if one.name == name
        ]
        if not rows:
            continue
        error, deviation, size = np.array(rows).T
        held = np.abs(error) < 1.96 * deviation
        every += held.tolist()
        shares = (error / size).mean(), (error / size).std(), (deviation / size).mean()
        columns = "".join(f"{share:>9.2%}" for share in shares)
        print(f"{name:24}{len(rows):>8}{columns}{held.mean():>7.0%}")
    print(f"{'all':59}{np.mean(every):>7.1%}")


def main() -> None:
    """Fly, identify and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("vehicle", nargs="?", default="x450", help="a parameter set")
    parser.add_argument("--flights", type=int, default=24)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--turbulence", choices=("light", "moderate", "severe"))
    options = parser.parse_args()
    given = load(options.vehicle)
    recipe = family_named(given.family).recipe()
    base = recipe.prepare(given)
    table = recipe.parameters(base, frozenset({"force", "rate", "vel", "att"}))
    usual = recipe.usual(tuple(one.name for one in table), frozenset())
    moved = [one for one in table if one.start and one.name in usual and not one.nuisance]
    sim, random = Sim(base, options.flights), np.random.default_rng(1)
    truth = drawn(sim, moved, random)
    begin(sim, recipe, options.turbulence, random)
    if recipe.deflections is None:
        log = excitation.fly(sim, excitation.doublets(options.seconds))
    else:
        log = excitation.fly_surfaces(sim, options.seconds)
    with ProcessPoolExecutor() as pool:
        each = partial(estimated, log, options.vehicle)
        printed([*pool.map(each, map(int, log.copter_ids))], truth)


if __name__ == "__main__":
    main()
