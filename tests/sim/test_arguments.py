"""Arguments of a `Sim`: values of the moment of the call, checked before anything is changed."""

from __future__ import annotations

import numpy as np

from pyrfly import Sim
from pyrfly.vehicles import Setpoint

POS = np.array([[1.0, 2.0, -3.0], [4.0, 5.0, -6.0], [7.0, 8.0, -9.0]])
YAW = np.array([0.1, 0.2, 0.3])


def placed() -> Sim:
    sim = Sim("x450", 3)
    sim.reset(pos=POS, yaw=YAW)
    sim.yaw_sp[:] = YAW
    return sim


def measured() -> Sim:
    sim = placed()
    sim.sensors.give("imu", imu_accel=POS, imu_gyro=2 * POS)
    return sim


def test_a_view_of_a_column_can_be_the_argument_of_a_reset() -> None:
    sim = placed()
    sim.reset(pos=sim.pos, yaw=sim.yaw_sp)
    assert np.array_equal(sim.pos, POS) and np.allclose(sim.euler[:, 2], YAW)
    sim.reset(pos=sim.pos[::-1])
    assert np.array_equal(sim.pos, POS[::-1])


def test_a_command_may_swap_its_columns() -> None:
    sim = placed()
    sim.arm()
    sim.command_position(POS, vel=2 * POS)
    sim.command_position(sim.vel_sp, vel=sim.pos_sp)
    assert np.array_equal(sim.pos_sp, 2 * POS) and np.array_equal(sim.vel_sp, POS)
    assert (sim.setpoint_mask & Setpoint.VELOCITY).all()


def test_settings_may_swap_their_columns() -> None:
    sim = measured()
    sim.sensors.give("imu", imu_accel=sim.imu_gyro, imu_gyro=sim.imu_accel)
    assert np.array_equal(sim.imu_accel, 2 * POS) and np.array_equal(sim.imu_gyro, POS)
    sim.environment.set_rotor_air(drag=1e-6, inflow=2e-6)
    sim.environment.set_rotor_air(drag=sim.rotor_inflow, inflow=sim.rotor_drag)
    assert sim.rotor_drag.tolist() == [2e-6] * 3 and sim.rotor_inflow.tolist() == [1e-6] * 3


def test_inputs_of_the_synthesis_model_may_be_turned_round() -> None:
    sim = placed()
    sim.enable_synthesis()
    floats = np.arange(60.0).reshape(3, 20)
    sim.command_sil(floats=floats)
    sim.command_sil(floats=sim.sil_floats[::-1])
    assert np.array_equal(sim.sil_floats, floats[::-1])
