"""A log of a real PX4: its topics become signals that belong together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pyrfly import ParameterError
from pyrfly.columns import Field
from pyrfly.identify import identify
from pyrfly.identify.flight import Flight, flight_of
from pyrfly.identify.own_rates import at_imu_times
from pyrfly.log import FlightData, Series, read_flight_data

pytest.importorskip("pyulog")

pytestmark = pytest.mark.slow

PATH = Path(__file__).parents[1] / "data" / "px4_ulog" / "sample_log_small.ulg"
GRAVITY = 9.82  # [m/s^2], at 63 degrees north


@pytest.fixture(name="data", scope="module")
def data_fixture() -> FlightData:
    return read_flight_data(PATH)


@pytest.fixture(name="flight", scope="module")
def flight_fixture(data: FlightData) -> Flight:
    """Return its signals with constant commands of motors, of which PX4 1.11 logs none."""
    time = data.columns["rate"].time
    throttle = Series(time, np.full((len(time), 4), 0.3), Field("throttle", 4, "1", "", "", ""))
    commanded = replace(data, columns={**data.columns, "throttle": throttle})
    return flight_of(at_imu_times(commanded, ("throttle",)), ("throttle",))


def test_signals_are_at_the_rate_of_the_gyroscope(data: FlightData, flight: Flight) -> None:
    assert flight.sources == {
        "force": "imu_accel",
        "rate": "imu_gyro",
        "vel": "vel",
        "att": "att",
    }
    assert 1 / flight.interval == pytest.approx(204.6, abs=0.1)
    assert flight.inputs["throttle"].shape == (len(flight), 1, 4)
    gaps = np.diff(data.columns["imu_gyro"].time)
    assert gaps.max() > 0.1  # of the log itself
    assert not flight.flying.all()


def test_signals_are_in_units_and_frames_that_belong_together(flight: Flight) -> None:
    """The turn of the attitude is the angular velocity, the specific force accelerates."""
    attitude = Rotation.from_quat(np.roll(flight.att, -1, axis=1))
    turned = (attitude[:-1].inv() * attitude[1:]).as_rotvec() / flight.interval
    for axis in (0, 1):
        assert np.corrcoef(turned[:, axis], flight.rate[1:, axis])[0, 1] > 0.98
    gained = flight.interval * attitude.apply(flight.force).sum(axis=0)[:2]
    np.testing.assert_allclose(gained, (flight.vel[-1] - flight.vel[0])[:2], atol=0.15)
    assert np.median(flight.force[:, 2]) == pytest.approx(-GRAVITY, abs=0.3)


def test_a_log_without_motors_is_refused() -> None:
    with pytest.raises(ParameterError, match="expected imu_gyro or rate, and throttle, got pos"):
        identify(PATH, "x450")
