"""Estimates of samples that are given instead of simulated."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import pyrfly
from pyrfly.sim.estimator import ERROR_STATES

Estimating = Callable[..., pyrfly.Sim]


def test_reports_that_are_given_are_of_the_time_at_which_they_are_new(
    estimating: Estimating,
) -> None:
    sim = estimating(profile="px4_sih", dt=0.004)
    sim.gps_delay[:] = 0.3
    sim.step(200)  # with reports of its own
    sim.command_velocity([6, 0, 0])
    for _ in range(50):
        sim.sensors.give("gps", gps_pos=sim.pos, gps_vel=sim.vel, gps_fix=3)
        sim.step(25)
    errors = sim.estimator.errors
    for name, bound in (("velocity", 0.15), ("position", 0.3)):
        assert np.abs(errors[:, ERROR_STATES[name]]).max() < bound, (name, errors)
