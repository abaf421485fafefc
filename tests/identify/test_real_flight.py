"""A flight of a real Crazyflie 2.1 [@arpl-logs]."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pyrfly.columns import Field
from pyrfly.identify import identify
from pyrfly.log import Log

FILE = Path(__file__).parents[1] / "data" / "arpl_crazyflie" / "log15.npz"
TO_FRD = np.array([1.0, -1.0, -1.0])  # from forward, left, up
ORDER = [0, 2, 3, 1]  # of the rotors of quad_x in those of a Crazyflie


def flight() -> Log:
    data = np.load(FILE)
    columns = {
        "imu_accel": 9.81 * data["acc_g"] * TO_FRD,
        "imu_gyro": np.radians(data["gyro_deg_s"]) * TO_FRD,
        "throttle": data["motor"][:, ORDER] / 65535,
    }
    fields = {name: Field(name, v.shape[1], "", "", "", "") for name, v in columns.items()}
    rows = {name: values[:, None].astype(np.float64) for name, values in columns.items()}
    return Log(data["time_us"] / 1e6, np.array([1]), rows, fields)


@pytest.mark.slow
def test_the_motors_of_a_real_crazyflie_are_faster_than_those_of_the_set() -> None:
    """docs/identification.md says what that means."""
    names = ["motor_curve_2", "motor_tau", "inertia_xx", "inertia_yy"]
    found = identify(flight(), "cf2x_p250", free=names, known={"mass": 0.027}, segment=0.1, end=5)
    assert 0.05 < found["motor_tau"].value < 0.11
    assert found["motor_tau"].interval[1] < found["motor_tau"].start == pytest.approx(0.1258879)
    assert "drag_linear_x" not in found.estimates  # without a velocity
