"""A log of a real PX4: its sensors are read at their own rates, in SI units and NED."""

from pathlib import Path

import numpy as np
import pytest

from pyrfly.compare import compare
from pyrfly.log import Log, read_flight_data

pytest.importorskip("pyulog")

PATH = Path(__file__).parents[1] / "data" / "px4_ulog" / "sample_log_small.ulg"

pytestmark = pytest.mark.slow


@pytest.fixture(name="data", scope="module")
def data_fixture():
    return read_flight_data(PATH)


def test_each_topic_has_its_own_rate(data):
    span = data.columns["att"].time[-1] - data.columns["att"].time[0]
    rates = {name: series.time.size / span for name, series in data.columns.items()}
    expected = {"att": 200, "imu_gyro": 200, "magnetometer": 50, "barometer_pressure": 18.5}
    for name, rate in expected.items():
        assert rates[name] == pytest.approx(rate, rel=0.05), name


def test_sensors_measure_gravity_the_field_and_the_air_there(data):
    median = {k: np.median(series.values, axis=0) for k, series in data.columns.items()}
    assert median["imu_accel"][2] == pytest.approx(-9.82, abs=0.3)
    # World Magnetic Model at Trondheim: 52 uT, inclination 74 degrees
    assert np.linalg.norm(median["magnetometer"]) == pytest.approx(52e-6, rel=0.25)
    assert 95_000 < median["barometer_pressure"] < 104_000
    assert data.origin == pytest.approx((63.417, 10.408, 67), abs=0.5)
    assert np.abs(np.nanmedian(data.columns["gps_pos"].values, axis=0)).max() < 20


def test_a_log_has_the_sensors_at_the_times_of_the_position(data):
    log = Log.load(PATH)
    np.testing.assert_array_equal(log.time, data.columns["pos"].time)
    assert set(log.columns) == set(data.columns)
    assert log["armed"].dtype == np.uint32


def test_the_flight_begins_later_by_its_shift(data):
    later = read_flight_data(PATH)
    for name, series in later.columns.items():
        later.columns[name] = type(series)(series.time + 3.21, series.values, series.field)
    found = compare(data, later)
    assert found.shift == pytest.approx(3.21, abs=1e-4)
    assert min(r for r in found.r.values() if np.isfinite(r)) > 0.999
