"""Write tests/data/rotorpy/hummingbird.json: flights of RotorPy [@rotorpy], compared with ours.

    pip install rotorpy==3.0.0
    python tools/record_rotorpy.py >tests/data/rotorpy/hummingbird.json

A Hummingbird begins in motion, in wind, with rotor speeds that are commanded anew every 0.1 s:
without air, with drag and inflow at the rotors, and with all of its aerodynamics. World and body
axes are forward, left and up; quaternions have the scalar last.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from rotorpy.vehicles.hummingbird_params import quad_params
from rotorpy.vehicles.multirotor import Multirotor

SECONDS, COMMANDED, SAMPLED = 3.0, 0.1, 0.05
START = {
    "x": [0.0, 0.0, 50.0],
    "v": [3.0, -2.0, 1.0],
    "q": [0.1, -0.2, 0.3, 0.9],
    "w": [0.5, -0.3, 0.8],
    "wind": [2.0, -1.0, 0.5],
    "rotor_speeds": [470.0, 480.0, 460.0, 465.0],
}
LEFT_OUT = {
    "none": {"aero": False},
    "rotors": {"c_Dx": 0.0, "c_Dy": 0.0, "c_Dz": 0.0, "k_h": 0.0},
    "all": {},
}
"""What is left out or switched off, by flight."""


def flown(changes: dict[str, Any], commands: np.ndarray) -> list[list[float]]:
    """Return times and states: position, velocity, attitude, rates and rotor speeds."""
    parameters = {**quad_params, **{k: v for k, v in changes.items() if k != "aero"}}
    exact = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-12}
    aero = changes.get("aero", True)
    vehicle = Multirotor(parameters, aero=aero, integrator_kwargs=exact)
    state = {key: np.array(value) for key, value in START.items()}
    state["q"] /= np.linalg.norm(state["q"])
    rows = []
    for i in range(round(SECONDS / SAMPLED) + 1):
        columns = [state[name] for name in ("x", "v", "q", "w", "rotor_speeds")]
        rows.append([i * SAMPLED, *np.concatenate(columns)])
        command = commands[min(int(i * SAMPLED / COMMANDED + 1e-9), len(commands) - 1)]
        state = vehicle.step(state, {"cmd_motor_speeds": command}, SAMPLED)
    return [[float(f"{value:.13g}") for value in row] for row in rows]


def main() -> None:
    """Fly, and print."""
    random = np.random.default_rng(1)
    commands = 469.0 + random.uniform(-12, 12, (round(SECONDS / COMMANDED), 4)).round(1)
    numbers = {k: v for k, v in quad_params.items() if isinstance(v, (int, float))}
    positions = [quad_params["rotor_pos"][f"r{i}"].tolist() for i in (1, 2, 3, 4)]
    found = {
        "parameters": numbers,
        "rotor_pos": positions,
        "rotor_directions": quad_params["rotor_directions"].tolist(),
        "wind": START["wind"],
        "commands": commands.tolist(),
        "flights": {name: flown(changes, commands) for name, changes in LEFT_OUT.items()},
    }
    print(json.dumps(found, indent=None, separators=(",", ":")).replace("],[", "],\n["))


if __name__ == "__main__":
    main()
