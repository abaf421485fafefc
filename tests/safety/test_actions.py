"""What crossings of safety boundaries do."""

from __future__ import annotations

import contextlib
import pickle

import numpy as np
import pytest

import pyrfly
from pyrfly import Sim
from pyrfly.protocol.bits import Fault

LIMIT = 5.0


def climbing(action: str, n: int = 2) -> Sim:
    """Return vehicles that climb to 10 m, the last of which may not be above 5 m."""
    sim = Sim("x450", n)
    sim.safety.add("height", ids=n, maximum=LIMIT, action=action)
    sim.arm()
    sim.command_position([0, 0, -10])
    return sim


def test_a_report_changes_nothing() -> None:
    sim = climbing("report")
    sim.sleep(4)
    assert sim.pos[0].tolist() == sim.pos[1].tolist()
    (crossing,) = sim.safety.crossings()
    assert (crossing.copter_id, crossing.boundary, crossing.limit) == (2, "height", LIMIT)
    assert LIMIT < crossing.value < LIMIT + 0.05


def test_a_frozen_vehicle_stays_where_it_crossed() -> None:
    sim = climbing("freeze")
    sim.sleep(4)
    (crossing,) = sim.safety.crossings()
    assert -sim.pos[1, 2] == crossing.value
    assert -sim.pos[0, 2] > 9
    assert sim.status.tolist() == [0, Fault.FROZEN]
    assert "safety boundary" in sim.check().text


def test_a_disarmed_vehicle_falls() -> None:
    sim = climbing("disarm")
    sim.sleep(4)
    assert sim.armed.tolist() == [1, 0]
    assert -sim.pos[1, 2] < 1


def test_a_run_ends_at_the_tick_of_the_crossing() -> None:
    sim = climbing("terminate")
    end = sim.run(20)
    assert end is not None
    crossing = end.crossing
    assert crossing is not None
    assert crossing == sim.safety.ended
    assert (end.time, end.vehicles) == (crossing.time, ())
    assert end.reason.startswith("height 5.")
    assert sim.time == crossing.time < 4
    assert sim.pos[0].tolist() == sim.pos[1].tolist()  # neither was stepped further
    with pytest.raises(pyrfly.RunEnded, match=r"height 5\.\d+ m, above 5, of CopterID 2") as error:
        sim.step()
    assert error.value.crossing == crossing
    assert sim.time == crossing.time


def test_a_run_goes_on_after_a_reset_or_when_told() -> None:
    sim = climbing("terminate")
    sim.run(20)
    sim.safety.clear()
    sim.safety.resume()
    assert sim.run(1) is None
    sim = climbing("terminate")
    sim.run(20)
    sim.safety.resume()
    again = sim.run(1)  # still outside
    assert again is not None
    assert again.time == sim.time
    sim.reset()
    assert sim.run(1) is None
    assert sim.safety.crossings() == ()


def test_crossings_are_counted_and_the_first_is_kept() -> None:
    sim = Sim("x450")
    sim.safety.add("speed", maximum=2.0)
    sim.reset(pos=[0, 0, -200])
    for speed in (1, 3, 1, 5, 1, 4):
        sim.vel = [speed, 0, 0]
        sim.step(4)
    (crossing,) = sim.safety.crossings()
    assert crossing.time == pytest.approx(0.004)
    assert (crossing.value, crossing.times) == (3.0, 3)


def test_snapshots_and_pickles_have_boundaries_and_crossings() -> None:
    sim = climbing("freeze")
    sim.sleep(1)
    saved, copy = sim.snapshot(), pickle.loads(pickle.dumps(sim))
    sim.sleep(1)
    crossings, digest = sim.safety.crossings(), sim.hash()
    assert crossings
    for other in (sim, copy):
        other.restore(saved)
        assert other.safety.crossings() == ()
        other.sleep(1)
        assert (other.safety.crossings(), other.hash()) == (crossings, digest)


def test_a_reset_of_one_vehicle_forgets_its_crossings_alone() -> None:
    sim = Sim("x450", 2)
    sim.safety.add("altitude", maximum=LIMIT, action="freeze")
    sim.reset(pos=[[0, 0, -9], [9, 0, -9]])
    sim.step(10)
    sim.reset(ids=1)
    sim.step(10)
    assert [crossing.copter_id for crossing in sim.safety.crossings()] == [2]
    assert sim.boundary_maximum[:, 4].tolist() == [LIMIT, LIMIT]


def test_steps_of_any_length_end_at_the_same_state() -> None:
    def end(steps: int) -> tuple[float, list[float]]:
        sim = climbing("terminate", n=9)
        while sim.safety.ended is None:
            with contextlib.suppress(pyrfly.RunEnded):
                sim.step(steps)
        return sim.time, np.ravel(sim.pos).tolist()

    assert end(1) == end(7) == end(20000)


def test_listeners_are_called_until_the_end() -> None:
    sim, times = climbing("terminate"), []
    sim.add_listener(lambda: times.append(sim.time), 0.01)
    end = sim.run(20)
    assert end is not None
    assert len(times) == int(end.time / 0.01) + 1
