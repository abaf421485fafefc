"""Faults of extreme numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.protocol.bits import FaultySensor, Sensor
from pyrfly.sim.fault_kinds import KINDS, VECTORS
from pyrfly.sim.interface import names_of


def extremes() -> list[tuple[str, dict[str, Any]]]:
    """Return every kind with what it may be of, and its largest and smallest values."""
    found: list[tuple[str, dict[str, Any]]] = []
    for name, kind in KINDS.items():
        first = {"actuator": [{"actuator": 1}], "link": [{"link": "rc"}]}
        items: list[dict[str, Any]] = [*first.get(kind.of, [{}])]
        if kind.of == "sensor":
            items = [
                {"sensor": s}
                for s in names_of(FaultySensor)
                if FaultySensor[s.upper()] & kind.sensors
            ]
        for bound in ("maximum", "minimum") if kind.values else ("maximum",):
            values = {
                key: [getattr(value, bound)] * 3 if value.width == 3 else getattr(value, bound)
                for key, value in kind.values.items()
            }
            for item in items:
                scalar = not FaultySensor[item.get("sensor", "gps").upper()] & VECTORS
                own = {k: v[0] if scalar and isinstance(v, list) else v for k, v in values.items()}
                found.append((name, {**item, **own}))
    return found


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_extreme_numbers_leave_states_finite(precision: str) -> None:
    """A vehicle that flies on its estimate for each of them, and then for a while without."""
    cases = extremes()
    sim = Sim("x450", len(cases), precision=precision)
    sim.environment.enable("atmosphere", "magnetic")
    sim.sensors.enable(*names_of(Sensor))
    sim.estimator.enable(fly=True)
    sim.power.enable()
    sim.reset(pos=np.arange(len(cases))[:, None] * [0, 9, 0] + [0, 0, -300], hover=True)
    for copter_id, (kind, arguments) in enumerate(cases, start=1):
        sim.faults.add(
            kind, ids=copter_id, **arguments, at=0.3, ramp=1e-9 * KINDS[kind].grows, duration=0.6
        )
    sim.sleep(1.2)
    for column in ("pos", "att", "rate", "gps_vel", "imu_accel", "pos_est", "att_output"):
        odd = ~np.isfinite(getattr(sim, column)).reshape(len(cases), -1).all(axis=1)
        assert not odd.any(), (column, [cases[k] for k in np.flatnonzero(odd)])
