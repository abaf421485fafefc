"""Logs of ArduPilot, with pymavlink's own reader as the truth of what is in them."""

import math
import sys

import numpy as np
import pytest

from pyrfly import MissingExtraError
from pyrfly.frames import LocalFrame, euler_of_quaternion
from pyrfly.log import Log, read_flight_data

from .dataflash_files import dataflash, description, message

DFReader = pytest.importorskip("pymavlink.DFReader")

ORIGIN = (-35.3632621, 149.1652374, 584.0)
"""Of ArduPilot's simulator."""


def flight(seconds=2.0):
    """Yield the messages of a flight, each at a rate of its own."""
    yield message("PARM", 1, b"SYSID_THISMAV", 7.0)
    lat, lon = round(ORIGIN[0] * 1e7), round(ORIGIN[1] * 1e7)
    yield message("ORGN", 2, 0, lat, lon, round(ORIGIN[2] * 100))
    for tick in range(int(seconds * 400)):
        now, time = 5_000_000 + tick * 2500, tick / 400
        if tick % 8 == 0:
            for instance in (0, 1):
                spin, force = (0.1 * instance, 0.2, time), (0.5, time, -9.8 + instance)
                yield message("IMU", now, instance, *spin, *force)
        if tick % 40 == 0:
            angles = [round(100 * x) for x in (0, 10 * math.sin(time), 0, -5, 0, 350 - 360 * 0)]
            yield message("ATT", now, *angles[:5], angles[5] - 36000)
            yield message("XKF1", now, 0, 1, 2, 3, time, 2 * time, -time)
            yield message("XKF1", now, 1, 9, 9, 9, 9, 9, 9)
            yield message("RATE", now, 90.0, 0.0, -180.0)
            yield message("MAG", now, 0, 200, -100, 500)
            yield message("BARO", now, 0, 1.5, 95000.0 + time)
        if tick % 80 == 0:
            place = (lat + 100, lon + 200, round(ORIGIN[2] * 100) + 500)
            yield message("GPS", now, 0, 3 if tick else 1, *place, 5.0, 90.0, -0.5)


@pytest.fixture(name="path")
def path_fixture(tmp_path):
    path = tmp_path / "flight.BIN"
    path.write_bytes(dataflash(flight()))
    return path


def of_pymavlink(path, kind, *fields):
    """Return times and fields of the messages of a kind, as pymavlink reads them."""
    reader, rows = DFReader.DFReader_binary(str(path)), []
    while (found := reader.recv_match(type=kind)) is not None:
        if getattr(found, "I", getattr(found, "C", 0)) == 0:
            rows.append([found.TimeUS / 1e6, *(getattr(found, field) for field in fields)])
    reader.filehandle.close()
    return np.array(rows)


@pytest.mark.parametrize(
    ("column", "kind", "fields", "scale"),
    [
        ("imu_gyro", "IMU", ("GyrX", "GyrY", "GyrZ"), 1),
        ("imu_accel", "IMU", ("AccX", "AccY", "AccZ"), 1),
        ("pos", "XKF1", ("PN", "PE", "PD"), 1),
        ("vel", "XKF1", ("VN", "VE", "VD"), 1),
        ("rate", "RATE", ("R", "P", "Y"), math.pi / 180),
        ("magnetometer", "MAG", ("MagX", "MagY", "MagZ"), 1e-7),
        ("barometer_pressure", "BARO", ("Press",), 1),
    ],
)
def test_columns_are_the_fields_that_pymavlink_reads(path, column, kind, fields, scale):
    found, truth = read_flight_data(path).columns[column], of_pymavlink(path, kind, *fields)
    np.testing.assert_allclose(found.time, truth[:, 0], rtol=0, atol=1e-9)
    values = found.values.reshape(found.time.size, -1)
    np.testing.assert_allclose(values, truth[:, 1:] * scale, rtol=1e-12)


def test_angles_and_places_are_in_the_frames_of_the_simulation(path):
    data = read_flight_data(path, 7)
    euler = np.degrees(euler_of_quaternion(data.columns["att"].values))
    np.testing.assert_allclose(euler[:, 1:], [[-5, -10]] * len(euler), atol=1e-6)
    np.testing.assert_allclose(euler[:, 0], of_pymavlink(path, "ATT", "Roll")[:, 1], atol=1e-6)
    assert data.origin == pytest.approx(ORIGIN, abs=1e-7)
    place = data.columns["gps_pos"].values
    assert np.isnan(place[0]).all()  # without a fix
    lla = LocalFrame(*ORIGIN).to_lla(place[1])
    np.testing.assert_allclose(lla - ORIGIN, [1e-5, 2e-5, 5], atol=1e-7)
    np.testing.assert_allclose(data.columns["gps_vel"].values[1], [0, 5, -0.5], atol=1e-12)


def test_a_log_has_the_last_values_at_the_times_of_the_position(path):
    log = Log.load(path)
    assert log.copter_ids.tolist() == [7]
    np.testing.assert_allclose(log.time, 5 + np.arange(20) / 10)
    np.testing.assert_allclose(log["imu_accel"][:, 0, 1], log.time - 5, atol=1e-6)
    assert np.isnan(log["gps_pos"][:2, 0]).all()
    assert log.metadata["origin"] == pytest.approx(ORIGIN, abs=1e-7)


def test_without_an_estimator_the_place_is_that_of_pos(tmp_path):
    lat, lon = round(ORIGIN[0] * 1e7), round(ORIGIN[1] * 1e7)
    messages = [message("ORGN", 2, 0, lat, lon, 58400)]
    messages += [message("POS", i * 1000, lat, lon, 584.0 + i) for i in range(5)]
    path = tmp_path / "a.bin"
    path.write_bytes(dataflash(messages))
    found = read_flight_data(path).columns["pos"].values
    np.testing.assert_allclose(found, [[0, 0, -i] for i in range(5)], atol=1e-6)


def test_damage_costs_only_what_is_damaged(path, tmp_path):
    data = bytearray(path.read_bytes())
    whole = read_flight_data(path).columns["imu_gyro"].time.size
    data[len(data) // 2 : len(data) // 2 + 200] = bytes(200)
    broken = tmp_path / "broken.bin"
    broken.write_bytes(data[: -len(data) // 4 - 5])
    size = read_flight_data(broken).columns["imu_gyro"].time.size
    assert 0.6 * whole < size < 0.8 * whole


@pytest.mark.parametrize("length", [0, 1, 3, 255])
@pytest.mark.parametrize("letters", ["Q", "Q?", ""])
def test_a_description_that_is_none_ends(length, letters, tmp_path):
    path = tmp_path / "a.bin"
    odd = description(99, "ATT", "Q", "TimeUS", length).replace(b"Q\0", letters.encode() + b"\0")
    path.write_bytes(odd + b"\xa3\x95\x63" * 1000)
    with pytest.raises(ValueError, match=r"a\.bin: expected a DataFlash log.*such as ATT or IMU"):
        Log.load(path)


@pytest.mark.parametrize("data", [b"", b"\xa3", b"\xa3\x95\x80", b"no log at all"])
def test_what_is_no_such_log_is_refused(data, tmp_path, capfd):
    path = tmp_path / "a.bin"
    path.write_bytes(data)
    for read in (Log.load, read_flight_data):
        with pytest.raises(ValueError, match=r"a\.bin: expected a DataFlash log of ArduPilot"):
            read(path)
    assert capfd.readouterr() == ("", "")


def test_pymavlink_that_is_missing_is_named(path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pymavlink.DFReader", None)
    with pytest.raises(MissingExtraError, match=r"a \.bin file needs pymavlink.*pyrfly\[mavlink\]"):
        read_flight_data(path)
