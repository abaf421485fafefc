"""The family outside of the tree, under another name: the same vehicles."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pyrfly

from ..moved import moved_outside

# Prints what differs between a family and its copy, with all that calls functions of the core.
FLIGHT = """
import numpy as np
import pyrfly
from pyrfly.scene import Box, Scene
from pyrfly.terrain import TerrainMap

shapes = Scene([Box((20, 200, 2), (9, 0, -1))])
hill = TerrainMap(np.add.outer(np.linspace(0, 3, 50), np.linspace(0, 2, 50)), spacing=5)
places = np.column_stack([np.arange(37.0), np.zeros((37, 2))])
for precision in ("float64", "float32"):
    sims, seen = [], []
    for name in (pyrfly.names("rover")[0], pyrfly.names("rover_2")[0]):
        sim = pyrfly.Sim({name: 37}, precision=precision)
        sim.environment.set_terrain(hill)
        sim.environment.enable("atmosphere", "magnetic")
        sim.wind[:] = [3, 2, 0]
        sim.sensors.enable_all()
        sim.scene.set(shapes)
        sim.scene.let_range_see()
        sim.estimator.enable()
        sim.power.enable()
        sim.reset(pos=places - [0, 0, 3])
        sim.step(8)
        seen.append(sim.range_distance.copy())
        sim.reset(pos=places)
        sim.arm()
        sim.command_position(places + [3, 2, 0])
        sim.step(2000)
        sims.append(sim)
    for name in ("pos", "vel", "rate", "accel", "magnetic_field", "battery_energy"):
        first, second = (getattr(sim, name) for sim in sims)
        print(precision, name, np.array_equal(first, second), np.ptp(first) > 0)
    print(precision, "range", np.array_equal(*seen), np.ptp(seen[0]) > 0)
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler: cc")
def test_it_has_the_same_bits_with_every_instruction_set(tmp_path: Path) -> None:
    family = moved_outside("rover", tmp_path, "rover_2")
    for simd in pyrfly.simd_info()["available"]:
        done = subprocess.run(
            [sys.executable, "-c", FLIGHT],
            env={**os.environ, "PYRFLY_FAMILIES": str(family), "PYRFLY_SIMD": simd},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "False" not in done.stdout, f"{simd}\n{done.stdout}"
