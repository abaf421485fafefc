"""Flights compared: closed forms, formats of one flight, frames, gaps, and what is refused."""

import math
import warnings
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.compare import compare, comparison_table
from pyrfly.frames import LocalFrame, quaternion_of_euler
from pyrfly.log import Recorder, SensorRecorder, export_log, series_of_log

TIME = np.arange(0, 60, 0.02)
WAVE = 2 * np.pi * TIME / 6  # ten periods
HOME = (47.397742, 8.545594, 488.0)


def zeros(column):
    return np.column_stack((column, np.zeros((len(column), 2))))


def attitudes(yaw):
    return quaternion_of_euler(np.column_stack((0.1 * np.sin(TIME), 0 * TIME, yaw)))


@pytest.fixture(name="log", scope="module")
def log_fixture():
    """Return a log of two vehicles in gusts."""
    sim = Sim("x450", 2)
    sim.origin = HOME
    sim.reset(pos=[[0, 0, -50], [10, 5, -60]], yaw=[3.1, 1])
    sim.arm()
    recorder = Recorder(sim, ("pos", "vel", "att", "rate", "armed"))
    for number in range(8):
        sim.command_position([[number * 2, number, -50], [number, 5, -60 - number]])
        sim.run(0.5, record=recorder)
    return recorder.log()


@pytest.mark.parametrize("phase", [0.0, 0.5, np.pi / 2, np.pi])
def test_a_sine_has_the_figures_of_its_phase(flight, phase):
    a, b = flight(TIME, terrain=2 * np.sin(WAVE)), flight(TIME, terrain=2 * np.sin(WAVE - phase))
    found = compare(a, b, align_by=False).signals["terrain"]
    assert found.rms == pytest.approx(2 * math.sqrt(1 - math.cos(phase)), abs=1e-12)
    assert found.maximum == pytest.approx(4 * abs(math.sin(phase / 2)), abs=1e-3)
    assert found.r == pytest.approx(math.cos(phase), abs=1e-9)
    assert found.mean == pytest.approx(0, abs=1e-12)
    assert (found.unit, found.samples, found.rate) == ("m", 3000, pytest.approx(50))


def test_aligned_sines_are_alike(flight):
    a, b = flight(TIME, terrain=np.sin(WAVE)), flight(TIME, terrain=np.sin(WAVE - 0.5) + 3)
    found = compare(a, b)
    assert found.shift == pytest.approx(0.5 * 6 / (2 * np.pi), abs=1e-4)
    assert found.alignment.signal == "terrain"
    assert found.r["terrain"] == pytest.approx(1, abs=1e-6)
    assert found.rms["terrain"] == pytest.approx(3, abs=1e-3)


def test_a_battery_that_runs_down_is_compared_at_equal_times(flight):
    a = flight(TIME, battery_voltage=16.8 - 0.02 * TIME)
    found = compare(a, a)
    assert (found.shift, found.rms["battery_voltage"]) == (0.0, 0.0)
    assert found.notes


def test_what_rounding_alone_moves_is_constant(flight):
    rounding = np.random.default_rng(8).normal(size=(2, TIME.size)) * 1e-15
    a, b = (flight(TIME, pos=np.column_stack((np.sin(WAVE), r, 2e-6 * TIME))) for r in rounding)
    found = compare(a, b)
    assert math.isnan(found.r["pos_east"])
    assert (found.r["pos_north"], found.r["pos_down"]) == pytest.approx((1, 1))


def test_a_given_shift_is_taken(flight):
    a, b = flight(TIME, terrain=np.sin(TIME)), flight(TIME + 1e6, terrain=np.sin(TIME))
    found = compare(a, b, shift=1e6)
    assert (found.shift, found.alignment.signal) == (1e6, None)
    assert found.rms["terrain"] < 1e-6


@pytest.mark.slow
def test_one_flight_in_two_formats_is_the_same(log, tmp_path):
    log.save(tmp_path / "a.npz")
    log.save(tmp_path / "a.parquet")
    export_log(log, tmp_path / "b.csv")
    export_log(log, tmp_path / "c.ulg", copter_id=2)
    for other, precision in (("a.parquet", 1e-12), ("b.csv", 1e-9), ("c.ulg", 1e-4)):
        found = compare(tmp_path / "a.npz", tmp_path / other, copter_id=2)
        assert abs(found.shift) < 1e-6, other
        for name, one in found.signals.items():
            assert one.maximum < precision, (other, name)
            assert one.r > 1 - precision or math.isnan(one.r), (other, name)
            assert one.samples == len(log)
        assert "yaw" in found.signals
        assert "armed" not in found.signals


def test_vehicles_of_one_log_are_chosen_by_number(log):
    found = compare(log, log, copter_id=1, copter_id_b=2, align_by=False, signals=["pos_east"])
    assert found.signals["pos_east"].difference[0] == pytest.approx(5)
    with pytest.raises(ValueError, match=r"copter_id: expected one of \[1 2\], got 3"):
        compare(log, log, copter_id=3)


def test_yaw_differs_by_the_smaller_angle(flight):
    yaw = np.cumsum(np.full(TIME.size, 0.01))  # several turns
    a, b = flight(TIME, att=attitudes(yaw)), flight(TIME, att=attitudes(yaw + np.pi - 0.2))
    found = compare(a, b, align_by=False).signals["yaw"]
    assert found.rms == pytest.approx(180 - math.degrees(0.2), abs=1e-9)
    assert found.r == pytest.approx(1)
    assert found.unit == "deg"
    found = compare(a, flight(TIME, att=-attitudes(yaw + 2 * np.pi + 0.01)), align_by=False)
    assert found.rms["yaw"] == pytest.approx(math.degrees(0.01), abs=1e-9)


def test_positions_of_another_origin_are_moved(flight):
    there = LocalFrame(*HOME).to_lla([100.0, -50.0, 10.0])
    pos = np.column_stack((TIME, np.sin(TIME), -TIME))
    moved = LocalFrame(*there).to_ned(LocalFrame(*HOME).to_lla(pos))
    a, b = flight(TIME, HOME, pos=pos), flight(TIME, tuple(there), pos=moved)
    assert max(compare(a, b, align_by=False).maximum.values()) < 1e-6
    unknown = flight(TIME, None, pos=moved)
    assert compare(a, unknown, align_by=False).rms["pos_north"] == pytest.approx(100, abs=0.1)
    assert compare(a, unknown, align_by=False, relative=True).rms["pos_north"] < 0.01


def test_signals_have_the_lower_one_of_their_rates(flight):
    fast, slow = flight(TIME, terrain=np.sin(TIME)), flight(TIME[::5], terrain=np.sin(TIME[::5]))
    found = compare(fast, slow, align_by=False).signals["terrain"]
    assert found.rate == pytest.approx(10)
    assert found.maximum < 2e-3
    assert compare(fast, fast, align_by=False, rate=5).signals["terrain"].rate == 5


def test_only_common_times_and_the_span_count(flight):
    a, b = flight(TIME, terrain=np.sin(TIME)), flight(TIME + 20, terrain=np.sin(TIME + 20))
    found = compare(a, b, align_by=False).signals["terrain"]
    assert (found.time[0], found.samples) == (pytest.approx(20), 2000)
    found = compare(a, b, align_by=False, span=(30, 40)).signals["terrain"]
    assert (found.time[0], found.samples) == (pytest.approx(30), 501)


def test_gaps_and_nan_are_no_samples(flight):
    values = np.sin(TIME)
    values[1000:1500] = np.nan
    a = flight(np.delete(TIME, np.s_[200:300]), terrain=np.delete(values, np.s_[200:300]))
    found = compare(a, flight(TIME, terrain=np.sin(TIME)), align_by=False).signals["terrain"]
    assert found.samples == 3000 - 500 - 100
    assert found.maximum < 1e-12


def test_what_is_constant_has_no_correlation(flight):
    a, b = flight(TIME, terrain=0 * TIME + 5), flight(TIME, terrain=np.sin(TIME))
    found = compare(a, b)
    assert math.isnan(found.r["terrain"])
    assert found.notes
    assert found.to_dict()["signals"]["terrain"]["r"] is None
    assert comparison_table(found).splitlines()[-1].split()[5] == "-"


def test_flags_are_held_where_they_are_named(flight):
    armed = (TIME > 30).astype(np.uint32)
    a, b = flight(TIME, armed=armed, terrain=TIME), flight(TIME[::5], armed=armed[::5])
    found = compare(a, b, signals=["armed"], align_by=False).signals["armed"]
    assert found.rms == 0
    assert set(np.unique(found.a)) == {0, 1}


def test_logs_of_sensors_beside_a_log_are_read_with_it(tmp_path):
    sim = Sim("x450")
    sim.sensors.enable("imu", "magnetometer", "barometer", "gps", profile="px4")
    sim.reset(pos=[0, 0, -50], seed=1)
    flight, sensors = Recorder(sim), SensorRecorder(sim)
    sim.run(1.0, record=flight)
    logs = {"flight": flight.log(), **{f"flight-{k}": v for k, v in sensors.logs().items()}}
    for name, log in logs.items():
        log.save(tmp_path / f"{name}.npz")
    found = compare(tmp_path / "flight.npz", list(logs.values()), align_by=False)
    assert {"imu_gyro_x", "magnetometer_z", "barometer_pressure", "gps_pos_north"} < set(found.r)
    assert max(one.maximum for one in found.signals.values() if one.samples) < 1e-9
    assert found.signals["imu_gyro_x"].rate == pytest.approx(250)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"signals": ["rol"]},
            "signals: expected some of both flights, got 'rol', which the first",
        ),
        ({"signals": []}, "signals: expected at least one"),
        ({"align_by": "down"}, "which the first does not have"),
        ({"align_by": "pos_down"}, "align_by: expected a signal that is alike in both"),
        ({"rate": 0}, "rate: expected a number above 0, got 0"),
        ({"rate": math.nan}, "rate: expected"),
        ({"shift": math.inf}, "shift: expected"),
        ({"shift": 1e9}, r"common times, got 0 to 59.98 s and -1e\+09"),
        ({"span": (math.nan, math.nan)}, "span: expected a begin before an end"),
        ({"copter_id": 99}, "copter_id: expected 1, the only vehicle of a, got 99"),
        ({"span": (100, 200)}, "common times within 100 to 200 s"),
    ],
)
def test_what_cannot_be_compared_is_refused(flight, options, words):
    a = flight(TIME, pos=zeros(np.sin(TIME)))
    with pytest.raises(ValueError, match=words):
        compare(a, a, **options)


def test_a_signal_of_impossible_numbers_is_named(flight):
    a, b = flight(TIME, terrain=np.sin(TIME)), flight(TIME, terrain=np.full(TIME.size, 1e308))
    with pytest.raises(ValueError, match=r"no number up to 1e\+60 in terrain"):
        compare(a, b)


def test_a_log_without_samples_is_refused():
    sim = Sim("x450")
    recorder = Recorder(sim)
    recorder.sample()
    log = recorder.log()
    empty = replace(log, time=log.time[:0], columns={n: v[:0] for n, v in log.columns.items()})
    with pytest.raises(ValueError, match="log: expected samples, got none"):
        compare(empty, log)


def test_flights_without_common_signals_are_told(flight):
    words = r"got terrain in the first flight and pos_north, .*down in the second"
    with pytest.raises(ValueError, match=words):
        compare(flight(TIME, terrain=TIME), flight(TIME, pos=zeros(TIME)))


def test_a_span_of_ages_does_not_take_all_memory(flight):
    time = np.r_[np.arange(100) * 1e-6, 1e9 + np.arange(100) * 1e-6]
    a = flight(time, terrain=np.sin(np.arange(200.0)))
    with pytest.raises(ValueError, match="rate: expected one at which terrain has at most"):
        compare(a, a, align_by=False)


@pytest.mark.parametrize("given", [5, [], [1], None, "no/such.npz"])
def test_what_is_no_flight_is_refused(given):
    with pytest.raises((TypeError, OSError), match=r"a: expected a path|such\.npz"):
        compare(given, given)


def test_turns_the_other_way_around_end_at_one_angle(flight):
    """A turn to the left by 170 degrees and one to the right by 190."""
    angle = np.radians(np.clip(TIME - 20, 0, 20) / 20)
    a, b = flight(TIME, att=attitudes(-170 * angle)), flight(TIME, att=attitudes(190 * angle))
    found = compare(a, b, align_by=False).signals["yaw"]
    assert abs(found.difference[0]) < 1e-9
    assert abs(found.difference[-1]) < 1e-9
    assert found.maximum == pytest.approx(180, abs=1)
    assert found.b[-1] == pytest.approx(found.a[-1])


def test_turns_of_both_flights_are_no_agreement(flight):
    """Headings that wind together, one of them off by up to 140 degrees."""
    yaw, off = 2 * np.pi * TIME / 20, np.radians(140) * np.sin(WAVE)
    a, b = flight(TIME, att=attitudes(yaw)), flight(TIME, att=attitudes(yaw + off))
    found = compare(a, b, align_by=False).signals["yaw"]
    assert found.maximum == pytest.approx(140, abs=0.1)
    angles = np.std(np.linspace(0, 360, 1000))
    cross = angles / math.hypot(angles, 140 / math.sqrt(2))
    assert found.r == pytest.approx(cross, abs=0.02)


def test_an_angle_within_a_turn_has_the_r_of_its_values(flight):
    a, b = np.radians(170 * np.sin(WAVE)), np.radians(170 * np.sin(WAVE + 0.4))
    found = compare(*(flight(TIME, att=attitudes(x + 3)) for x in (a, b)), align_by=False)
    assert found.r["yaw"] == pytest.approx(np.corrcoef(a, b)[0, 1], abs=1e-9)


def test_values_of_sensors_that_are_held_count_once(tmp_path):
    sim = Sim("x450")
    sim.sensors.enable("gps", profile="px4")
    sim.reset(pos=[0, 0, -50], seed=1)
    recorder = Recorder(sim, ("pos", "gps_pos", "gps_updates"))
    sim.run(3.0, record=recorder)
    gps = series_of_log(recorder.log()).columns["gps_pos"]
    assert 13 <= gps.time.size <= 15
    assert (np.diff(gps.values[:, 2]) != 0).all()


@pytest.mark.parametrize(
    ("time", "values"),
    [
        (np.arange(100) / 10, np.tile([1e307, -1e307], 50)),
        (np.r_[np.arange(50) * 1e-300, np.arange(1, 51)], np.arange(100.0)),
        (np.r_[np.arange(50.0), np.linspace(1e300, 1e307, 50)], np.arange(100.0)),
        (np.arange(100) / 10, np.r_[np.inf, -np.inf, np.full(98, np.nan)]),
        (np.zeros(0), np.zeros(0)),
    ],
)
def test_what_no_sensor_measures_is_no_number(flight, time, values):
    odd = flight(time, HOME, pos=zeros(values), terrain=values)
    usual = flight(TIME, (-90.0, 180.0, 1e8), pos=zeros(TIME), terrain=np.sin(TIME))
    for a, b in ((odd, usual), (usual, odd), (odd, odd)):
        with warnings.catch_warnings(), suppress(ValueError):
            warnings.simplefilter("error")
            comparison_table(compare(a, b))


def test_a_place_that_is_none_is_refused(flight):
    with pytest.raises(ValueError, match=r"origin: expected latitude"):
        flight(TIME, (47.0, 8.0, 1e300), terrain=TIME)
