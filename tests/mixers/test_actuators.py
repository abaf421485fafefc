"""Mixers that command simulated vehicles: wiring, ranges, arming, and a flight."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyrfly import CommandWarning, Sim
from pyrfly.errors import MixerError, ShapeError
from pyrfly.mixers import Airmode, Arming, MixedActuators, Mixer, controls, parse
from pyrfly.protocol.synthesis import Command

QUAD = b"R: 4x\n"


def mixer(text: bytes) -> Mixer:
    return Mixer(parse(text))


def own(vehicles: Any, n: int | None = None, **options: Any) -> Sim:
    """Return armed vehicles without controllers."""
    sim = Sim(vehicles, n, **options)
    sim.controllers = False
    sim.arm()
    return sim


def test_motors_get_0_to_1() -> None:
    sim = own("sdk", 3)
    actuators = MixedActuators(sim, mixer(QUAD))
    outputs = actuators.command(thrust=[0.0, 0.5, 1.0])
    np.testing.assert_allclose(sim.throttle, np.outer([0, 0.5, 1], np.ones(4)))
    np.testing.assert_allclose(outputs.values, np.outer([-1, 0, 1], np.ones(4)))


def test_outputs_and_ranges_can_be_chosen() -> None:
    sim = own("sdk")
    text = b"Z:\nM: 1\nS: 0 3 10000 10000 0 -10000 10000\n"
    wires = {"outputs": [1, None, 1, 0]}
    MixedActuators(sim, mixer(text), **wires).command(thrust=0.4)
    np.testing.assert_allclose(sim.throttle, [[0.7, 0, 0.7, 0]])
    motors = [False, True, True, True]
    MixedActuators(sim, mixer(text), **wires, motors=motors).command(thrust=0.4)
    np.testing.assert_allclose(sim.throttle, [[0.4, 0, 0.7, 0]])
    MixedActuators(sim, mixer(text), outputs=[None] * 4).command(thrust=0.4)
    assert not sim.throttle.any()


def test_some_vehicles_of_several_groups() -> None:
    sim = own({"sdk": 2, "x450": 2}, precision="float32")
    sim.select().write("throttle", 0.1)
    MixedActuators(sim, mixer(QUAD), ids=[4, 1]).command(thrust=[0.4, 0.6])
    np.testing.assert_allclose(sim.throttle[:, 0], [0.6, 0.1, 0.1, 0.4], rtol=1e-6)


def test_only_armed_vehicles_are_driven() -> None:
    sim = own("sdk", 3)
    sim.arm(False, ids=2)
    actuators = MixedActuators(sim, mixer(QUAD))
    assert actuators.command(thrust=0.5).driven.all(axis=1).tolist() == [True, False, True]
    np.testing.assert_allclose(sim.throttle[:, 0], [0.5, 0.0, 0.5])
    actuators.command(thrust=0.5, arming=Arming.PREARMED)
    assert not sim.throttle.any()
    actuators.command(thrust=0.5, failsafe=[False, False, True])
    np.testing.assert_allclose(sim.throttle[:, 0], [0.5, 0.0, 0.0])


def test_an_output_without_a_control_stops_a_motor() -> None:
    """A value of 0 would be half of the range."""
    sim = own("sdk")
    MixedActuators(sim, mixer(b"Z:\n" * 4)).command(thrust=1.0)
    assert not sim.throttle.any()


def test_limits_of_the_rate_count_simulated_time() -> None:
    sim = own("sdk")
    sim.run(0.7)
    actuators = MixedActuators(sim, mixer(QUAD), slew_time=1.0)
    for _ in range(5):
        sim.run(0.1)
        actuators.command(thrust=1.0)
    np.testing.assert_allclose(sim.throttle, 0.5)
    sim.reset()
    sim.arm()
    actuators.command(thrust=1.0)
    np.testing.assert_allclose(sim.throttle, 0.0)
    sim.run(0.3)
    actuators.command(thrust=1.0)
    np.testing.assert_allclose(sim.throttle, 0.3)
    actuators.reset()
    actuators.command(thrust=1.0)
    np.testing.assert_allclose(sim.throttle, 0.0)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("iris", b"4w"),
        ("sdk", b"4x"),
        ("quad_plus", b"4+"),
        ("hex_x", b"6x"),
        ("hex_plus", b"6+"),
        ("octo_x", b"8x"),
        ("octo_plus", b"8+"),
        ("octo_coax", b"8c"),
    ],
)
def test_vehicles_turn_as_px4s_geometry_of_their_layout_says(name: str, key: bytes) -> None:
    sim = Sim(name, 4)
    sim.reset(pos=[0, 0, -20], hover=True)
    sim.controllers = False
    hover = float(sim.throttle.mean())
    actuators = MixedActuators(sim, mixer(b"R: " + key + b"\n"))
    actuators.command(
        roll=[0.1, 0, 0, 0], pitch=[0, 0.1, 0, 0], yaw=[0, 0, 0.1, 0], thrust=[hover] * 3 + [0.9]
    )
    sim.step(100)
    rates = sim.rate[:3]
    assert np.diag(rates).min() > 0.2
    assert np.abs(rates - np.diag(np.diag(rates))).max() < 0.4 * np.diag(rates).min()
    assert sim.vel[3, 2] < -0.1


@pytest.mark.parametrize("airmode", Airmode)
@pytest.mark.slow
def test_quadrotors_fly_a_turn_by_a_mixer_file(airmode: int) -> None:
    """A cascade of the user's own: height and attitude by PD, through the mixer, at 250 Hz."""
    sim = own("iris", 3)
    sim.reset(pos=[[0, 0, -10]] * 3, yaw=[0.0, 0.5, 1.0], hover=True)
    hover = float(sim.throttle[0, 0])
    actuators = MixedActuators(sim, mixer(b"R: 4w\n"), airmode=airmode, slew_time=0.02)
    heading, bank, height = np.array([0.5, 0.5, 0.5]), np.array([0.2, -0.2, 0.0]), -12.0

    def control() -> None:
        roll, pitch, yaw = sim.euler.T
        p, q, r = sim.rate.T
        turn = (heading - yaw + np.pi) % (2 * np.pi) - np.pi
        actuators.command(
            roll=0.5 * (bank - roll) - 0.1 * p,
            pitch=-0.5 * pitch - 0.1 * q,
            yaw=0.5 * turn - 0.3 * r,
            thrust=hover + 0.1 * (sim.pos[:, 2] - height) + 0.15 * sim.vel[:, 2],
        )

    sim.add_listener(control, 0.004)
    sim.run(8.0)
    np.testing.assert_allclose(sim.euler[:, 0], bank, atol=0.03)
    np.testing.assert_allclose(sim.euler[:, 2], heading, atol=0.05)
    np.testing.assert_allclose(sim.pos[:, 2], height, atol=0.5)
    # banked to the right it flies to the right of its heading
    right = -np.sin(heading) * sim.vel[:, 0] + np.cos(heading) * sim.vel[:, 1]
    assert right[0] > 3
    assert right[1] < -3
    assert abs(right[2]) < 0.5


def test_controllers_that_are_on_are_warned_of() -> None:
    sim = Sim("sdk")
    sim.arm()
    with pytest.warns(CommandWarning, match="throttle: the controllers overwrite it"):
        MixedActuators(sim, mixer(QUAD)).command(thrust=0.5)


def test_one_vehicle_can_be_under_direct_control(recwarn: pytest.WarningsRecorder) -> None:
    """With navigators: that of inPWMs, while the others fly by their controllers."""
    sim = Sim("sdk", 2)
    sim.enable_synthesis()
    sim.reset(pos=[[0, 0, -10]] * 2, hover=True)
    sim.command_sil(command=Command.ENABLE | Command.ARMED, ids=2)
    MixedActuators(sim, mixer(QUAD), ids=2).command(thrust=0.25)
    sim.step(50)
    np.testing.assert_allclose(sim.throttle[1], 0.25)
    assert (sim.throttle[0] > 0.4).all()
    assert not recwarn.list


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"mixer": mixer(b"Z:\n")}, MixerError, "expected an output 1 for .* 'sdk', got 1 outputs"),
        ({"outputs": [0, 1, 2]}, ValueError, "outputs: expected"),
        ({"outputs": [0, 1, 2, 4]}, MixerError, "mixer: expected"),
        ({"outputs": [0, 1, 2, -1]}, ValueError, "outputs: expected"),
        ({"outputs": [0, 1, 2, 2.0]}, ValueError, "outputs: expected numbers from 0"),
        ({"motors": [True]}, ValueError, "motors: expected"),
        ({"ids": [1, 1]}, ValueError, "ids: expected each CopterID once"),
        ({"ids": []}, ValueError, r"ids: .*got none"),
        ({"ids": 3}, ValueError, "ids: expected CopterIDs from 1 to 2"),
        ({"slew_time": -1.0}, ValueError, "slew_time: expected at least 0"),
    ],
)
def test_a_bad_argument_is_named(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        MixedActuators(own("sdk", 2), **{"mixer": mixer(QUAD)} | arguments)


def test_a_bad_command_writes_nothing() -> None:
    sim = own("sdk", 2)
    actuators = MixedActuators(sim, mixer(QUAD))
    actuators.command(thrust=0.5)
    with pytest.raises(ShapeError, match="controls: expected"):
        actuators.command(thrust=[0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match="thrust: expected finite"):
        actuators.command(thrust=np.nan)
    with pytest.raises(TypeError, match="got both"):
        actuators.command(controls(), thrust=0.1)
    with pytest.raises(ValueError, match="arming: expected 0 to 2"):
        actuators.command(thrust=0.1, arming=7)
    np.testing.assert_allclose(sim.throttle, 0.5)
    assert repr(actuators).startswith("<MixedActuators of 2 vehicles: <Mixer with 4 outputs")


def test_the_parachute_channel_releases_the_parachutes_that_are_ready() -> None:
    sim = Sim("iris", 3)
    sim.controllers = False
    sim.parachute.fit(ids=[1, 2])
    sim.parachute.enable(False, 2)
    actuators = MixedActuators(sim, mixer(QUAD), ids=[3, 2, 1])
    actuators.command(thrust=0.4, parachute=-1)
    assert not sim.parachute_released.any()
    actuators.command(thrust=0.4, parachute=[1, 1, 0])
    assert not sim.parachute_released.any()
    actuators.command(thrust=0.4, parachute=1)
    assert sim.parachute_released.tolist() == [1, 0, 0]
