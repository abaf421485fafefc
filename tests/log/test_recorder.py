"""Recording a simulation."""

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.log import Log, Recorder, flight_columns


def test_samples_are_the_values_of_the_columns_at_those_times():
    sim = Sim("x450")
    sim.reset(pos=(0, 0, -50))
    recorder = Recorder(sim, ("pos", "vel"), every=10)
    sim.run(0.1, record=recorder)
    log = recorder.log()
    again = Sim("x450")
    again.reset(pos=(0, 0, -50))
    np.testing.assert_allclose(log.time, np.arange(11) * 0.01, atol=1e-12)
    for sample in range(11):
        np.testing.assert_array_equal(log["pos"][sample], again.pos)
        np.testing.assert_array_equal(log["vel"][sample], again.vel)
        again.step(10)


def test_events_are_in_the_log(tmp_path):
    sim = Sim("x450", 2)
    recorder = Recorder(sim, every=10)
    sim.at(0.02, [2, 1], ramp=0.01, mass=[2, 3])
    sim.at(0.01, every=1, wind=[3, 0, 0])
    sim.run(0.05, record=recorder)
    recorder.log().save(tmp_path / "log.npz")
    ramp, gust = Log.load(tmp_path / "log.npz").metadata["events"]
    assert (ramp["time"], ramp["ids"], ramp["ramp"], ramp["every"]) == (0.02, [1, 2], 0.01, None)
    assert ramp["columns"] == {"mass": [3, 2]}
    assert (gust["number"], gust["every"], gust["times"]) == (2, 1, None)
    assert gust["columns"] == {"wind": [3, 0, 0]}
    assert "events" not in Recorder(Sim("x450")).log().metadata


def test_shapes_follow_vehicles_and_width(flown):
    log = flown()
    assert log["pos"].shape == (6, 2, 3)
    assert log["throttle"].shape == (6, 2, 4)
    assert log["armed"].shape == (6, 2)
    assert log.units == {"pos": "m", "throttle": "1", "armed": "bool"}


def test_the_last_sample_is_the_end_even_between_two(flown):
    assert flown(seconds=0.05, every=20).time[-1] == pytest.approx(0.05)


def test_only_selected_vehicles_are_recorded_in_the_given_order(flown):
    log = flown(ids=[2, 1])
    assert log.copter_ids.tolist() == [2, 1]
    np.testing.assert_array_equal(log["pos"][0], [[1, 2, -60], [0, 0, -50]])


def test_outputs_are_recorded_like_columns(flown):
    log = flown(("specific_force", "euler"))
    assert np.abs(log["specific_force"][0]).max() < 0.1  # free fall, before drag


def test_a_mixed_fleet_is_recorded_together_where_widths_agree():
    sim = Sim({"x450": 1, "hex_x": 2})
    recorder = Recorder(sim, ("pos", "mass"))
    recorder.sample()
    np.testing.assert_array_equal(recorder.log()["mass"][0], sim.mass)
    with pytest.raises(ValueError, match="columns: expected"):
        Recorder(sim, ("rotor_speed",))


def test_a_second_sample_of_a_moment_replaces_the_first():
    sim = Sim("x450")
    recorder = Recorder(sim, ("pos",))
    recorder.sample()
    sim.pos[:] = [1, 2, 3]
    recorder.sample()
    assert len(recorder) == 1
    np.testing.assert_array_equal(recorder.log()["pos"][0, 0], [1, 2, 3])


@pytest.mark.parametrize("to_folder", [False, True])
def test_an_interrupted_sample_is_not_counted(to_folder, tmp_path):
    sim = Sim("x450")
    folder = tmp_path / "flight" if to_folder else None
    recorder = Recorder(sim, ("pos", "vel"), folder=folder, chunk_samples=3)
    view = type(sim.groups[0]).view

    def interrupted(group, name):
        if name == "vel":
            raise KeyboardInterrupt
        return view(group, name)

    for _ in range(7):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(sim.groups[0]), "view", interrupted)
            with pytest.raises(KeyboardInterrupt):
                recorder.sample()
        if to_folder:
            assert len(recorder.log()) == len(recorder)
        recorder.sample()
        sim.step()
    recorder.close()
    for log in (recorder.log(), Log.load(folder) if to_folder else recorder.log()):
        np.testing.assert_allclose(log.time, 1e-3 * np.arange(7))
        assert np.isfinite(log["vel"]).all()


def test_many_samples_outgrow_a_chunk():
    sim = Sim("x450")
    recorder = Recorder(sim, ("pos",), every=1)
    sim.run(5.0, record=recorder)
    log = recorder.log()
    assert len(log) == 5001
    assert np.all(np.diff(log.time) > 0)


def test_time_that_goes_back_needs_a_new_recorder():
    sim = Sim("x450")
    recorder = Recorder(sim)
    sim.run(0.1, record=recorder)
    sim.reset()
    with pytest.raises(RuntimeError, match="time: expected at least"):
        recorder.sample()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"columns": ("poss",)}, "no column 'poss'; try pos"),
        ({"columns": ("xyzzy",)}, r"no column 'xyzzy'; try those of fields\(\) of the Sim$"),
        ({"columns": ()}, "columns: expected names"),
        ({"columns": ("pos", "pos")}, "columns: expected names, each once"),
        ({"every": 0}, "every: expected"),
        ({"every": 1.5}, "every: expected"),
        ({"chunk_samples": 0}, "chunk_samples: expected"),
        ({"ids": [3]}, "ids: expected CopterIDs from 1 to 2"),
        ({"ids": [1, 1]}, "ids: expected CopterIDs, each once"),
    ],
)
def test_bad_recorders_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Recorder(Sim("x450", 2), **arguments)


def test_as_a_listener_it_records_whatever_steps():
    sim = Sim("x450")
    recorder = Recorder(sim, ("pos",))
    sim.add_listener(recorder.sample, 0.02)
    for _ in range(10):
        sim.step(7)
    np.testing.assert_allclose(recorder.log().time, [0, 0.02, 0.04, 0.06], atol=1e-12)


def test_the_log_of_a_flight_has_the_battery_where_there_is_one():
    sim = Sim("x450")
    battery = {"battery_voltage", "battery_current", "state_of_charge"}
    assert battery.isdisjoint(flight_columns(sim))
    sim.power.enable(cells=4, capacity=5)
    assert battery <= set(flight_columns(sim))
