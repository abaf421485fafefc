"""Where vehicles touch something, in simulations, logs and pictures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.log import Recorder, flight_columns
from pyrfly.scene import Box, Scene
from pyrfly.view.live import SimSource
from pyrfly.view.logged import LogSource
from pyrfly.view.painter import Painter
from pyrfly.view.world import CRASHED, FAULTY


@pytest.fixture(scope="module")
def flight():
    """Return frames of a simulation, in which one of two vehicles hits a wall, and its log."""
    sim = Sim({"x450": 1, "hex_x": 1})
    sim.scene.set(Scene([Box((0.3, 9, 20), (2, 0, -10), name="wall")]))
    sim.collisions.enable()
    sim.reset(pos=[[0, 0, -18], [0, 90, -18]], hover=True)
    sim.command_velocity([3, 0, 0], ids=1)
    recorder, source = Recorder(sim, flight_columns(sim)), SimSource(sim)
    frames = []
    while sim.time < 2.6:
        sim.step(100)
        recorder.sample()
        frames.append(source.frame())
    return source.world(), frames, recorder.log()


def test_a_contact_is_seen_where_it_is_and_for_a_while(flight):
    _, frames, _ = flight
    seen = [frame for frame in frames if np.isfinite(frame.contacts[0]).all()]
    before = [frame for frame in frames if frame.time < seen[0].time]
    assert before
    assert all(np.isnan(frame.contacts).all() and not frame.flags[0] & CRASHED for frame in before)
    # on the near side of the wall, as high as the vehicle
    at, pos = seen[0].contacts[0], seen[0].pos[0]
    assert at[0] == pytest.approx(1.85, abs=0.01)
    assert np.hypot(*(at - pos)[1:]) < 0.4
    assert seen[-1].time - seen[0].time > 0.75
    assert all(np.isnan(frame.contacts[1]).all() for frame in frames)


def test_a_log_has_the_same_contacts(flight):
    _, frames, log = flight
    source = LogSource(log)
    for frame in frames:
        logged = source.frame(frame.time)
        np.testing.assert_array_equal(logged.contacts, frame.contacts)
        np.testing.assert_array_equal(logged.flags, frame.flags)


def test_contacts_are_drawn_in_their_colour(flight):
    world, frames, _ = flight
    (hit, *_) = (frame for frame in frames if np.isfinite(frame.contacts).any())
    pictures = [
        Painter(world, (320, 240), "follow:1", trail=0, samples=1).draw(frame).astype(int)
        for frame in (hit, replace(hit, contacts=None))
    ]
    changed = (pictures[0] != pictures[1]).any(axis=2)
    red, green, blue = pictures[0][changed].T
    assert np.count_nonzero((red > 200) & (green > 160) & (blue < 130)) > 20


def test_vehicles_with_faults_are_marked_in_simulations_and_logs():
    sim = Sim("x450", 2)
    sim.reset(pos=[[0, 0, -9], [0, 5, -9]], hover=True)
    sim.faults.add("motor", ids=2, actuator=1, effectiveness=0.9, at=0.1)
    recorder, source = Recorder(sim), SimSource(sim)
    for faulty in (False, True):
        recorder.sample()
        assert (source.frame().flags & FAULTY != 0).tolist() == [False, faulty]
        sim.step(200)
    recorder.sample()
    log = LogSource(recorder.log())
    assert [(log.frame(t).flags & FAULTY != 0).tolist() for t in (0, 0.4)] == [
        [False, False],
        [False, True],
    ]
