"""Requirements on the vehicles of every family, type and packaged parameter set.

A new family, type or set is tested without a new test; its special properties have their own.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import pytest

import pyrfly
from pyrfly import _core, wire
from pyrfly.columns import command_columns, fields_of_type
from pyrfly.log import Recorder
from pyrfly.mission import Land, Mission, TakeOff, Waypoint, fly_mission
from pyrfly.protocol.bits import Fault
from pyrfly.sim.group import LARGEST_PRODUCT
from pyrfly.sim.thrust import normalized_thrust
from pyrfly.vehicles import FAMILIES, VehicleParameters
from pyrfly.vehicles.actuators import UNUSED
from pyrfly.vehicles.constants import IDLE_THRUST
from pyrfly.vehicles.family import Family

from ..able import is_ponderous
from .conftest import (
    BODY,
    EFFECTS,
    VEHICLES,
    Array,
    anywhere,
    command_position,
    state_names,
    state_of,
    vehicles_with,
)
from .reaching import (
    follow_rflysims_inputs,
    reach_a_position,
    reach_velocities_and_headings,
    rests_within,
)

every_vehicle = pytest.mark.parametrize("vehicle", VEHICLES.values(), ids=list(VEHICLES))
every_effect = pytest.mark.parametrize(
    ("vehicle", "effects"),
    EFFECTS,
    ids=lambda value: value if isinstance(value, str) else value.name,
)
CUSTOM_TYPE = 12
"""The ``vehicleType`` of vehicles without one of RflySim's numbers."""

# Columns that generic code uses of vehicles that execute a command: `Sim`, missions, control API.
COLUMNS_OF = {
    "command_position": "pos_sp vel_sp yaw_sp yaw_rate_sp speed_limit accel_limit",
    "command_velocity": "vel_sp yaw_sp yaw_rate_sp speed_limit",
}
PRECISIONS = pytest.mark.parametrize("precision", ["float64", "float32"])


def test_there_is_a_vehicle_of_every_type() -> None:
    own = {name for name, row in _core.vehicle_types().items() if row["family"] in FAMILIES}
    assert {v.c_type for v in VEHICLES.values()} == own  # others are models of one's own


@pytest.mark.parametrize("c_type", _core.vehicle_types())
def test_the_tables_of_a_type_keep_the_contract_of_bodies(c_type: str) -> None:
    row = _core.vehicle_types()[c_type]
    columns = {role: [] for role in ("state", "input", "flag", "output")}
    for name, width, role, *_ in row["columns"]:
        columns.setdefault(role, []).append((name, width))
    assert columns["state"][:4] == [("pos", 3), ("vel", 3), ("att", 4), ("rate", 3)]
    assert sum(dict(columns["input"])[name] for name in command_columns(c_type)) == row["actuators"]
    assert columns["input"][0][0] in command_columns(c_type)
    flags = ["status", "armed", "setpoint_mask", "arrived", "random_seed", "random_vehicle"]
    assert [name for name, _ in columns["flag"]] == flags
    outputs = [
        "vel_body",
        "accel",
        "specific_force",
        "angular_accel",
        "euler",
        "displayed_actuators",
        "dcm",
    ]
    assert [name for name, _ in columns["output"]][: len(outputs)] == outputs
    assert (row["offboard"] != 0) == row["guided"]
    assert {"mass", "gravity"} <= {name for name, _ in columns["param"]}


def is_sound(sim: pyrfly.Sim) -> bool:
    """Return whether no vehicle has a fault, but for a jack-knife, into which it may be driven."""
    return not (sim.status & ~np.uint32(Fault.JACKKNIFE)).any()


@every_effect
@PRECISIONS
@pytest.mark.parametrize("controllers", [True, False])
def test_no_random_state_ends_in_non_finite_values(
    vehicle: VehicleParameters, effects: str, precision: str, controllers: bool
) -> None:
    seed = secrets.randbits(32)
    print(f"seed {seed}")  # pytest shows it when the test fails
    sim = pyrfly.Sim(vehicle, 32, effects=effects, precision=precision)
    sim.controllers = controllers
    anywhere(sim, seed, violence=3.0)
    sim.pos[::2, 2] = np.linspace(-1, 0.3, 16)  # on, near and in the ground
    commands = command_columns(vehicle.c_type)
    for _ in range(4):
        sim.step(50)
        assert is_sound(sim), sim.check().text
        for field in sim.fields():
            if field.role in ("state", "controller", "output") or field.name in commands:
                assert np.isfinite(getattr(sim, field.name)).all(), field.name


@every_effect
def test_outputs_agree_with_the_motion(vehicle: VehicleParameters, effects: str) -> None:
    """Central differences of velocity and angular velocity, and rotations by SciPy's."""
    sim = pyrfly.Sim(vehicle, 8, effects=effects, dt=1e-4)
    sim.controllers = False
    anywhere(sim, 9, violence=0.5)
    sim.step(200)
    before = sim.vel.copy(), sim.rate.copy()
    sim.step(1)
    w, x, y, z = sim.att.T
    down = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=-1)
    forward = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=-1)
    accel, specific, angular = sim.accel, sim.specific_force, sim.angular_accel
    vel_body = sim.vel_body
    gravity = sim.gravity[:, None]
    np.testing.assert_allclose(specific, accel - gravity * down, atol=1e-9)
    np.testing.assert_allclose(vel_body[:, 0], np.sum(forward * sim.vel, axis=1), atol=1e-9)
    dcm = sim.dcm.reshape(8, 3, 3)
    np.testing.assert_allclose(dcm[:, :, 2], down, atol=1e-9)  # the vertical, in the body
    np.testing.assert_allclose(dcm[:, 0], forward, atol=1e-9)
    np.testing.assert_allclose(dcm @ sim.vel[..., None], vel_body[..., None], atol=1e-8)
    np.testing.assert_allclose(np.linalg.det(dcm), 1, atol=1e-6)
    sim.step(1)
    slope = [
        (now - then) / (2 * sim.dt) for now, then in zip((sim.vel, sim.rate), before, strict=True)
    ]
    scale = 1 + np.abs(slope[0]).max()
    forward_accel = np.sum(forward * slope[0], axis=1)
    np.testing.assert_allclose(accel[:, 0], forward_accel, atol=2e-3 * scale)
    np.testing.assert_allclose(angular, slope[1], atol=2e-3 * (1 + np.abs(slope[1]).max()))
    assert sim.displayed_actuators.shape == (8, 8)


@every_vehicle
@PRECISIONS
def test_a_batch_is_that_many_batches_of_one(vehicle: VehicleParameters, precision: str) -> None:
    sim = pyrfly.Sim(vehicle, 7, precision=precision)
    anywhere(sim, 3)
    alone = {i: pyrfly.Sim(vehicle, precision=precision) for i in (0, 3, 6)}
    for i, other in alone.items():
        for field in other.fields():
            if field.role != "output":
                view = getattr(sim.groups[0], field.name)
                getattr(other.groups[0], field.name)[0] = view[i]
    for each in (sim, *alone.values()):
        each.step(60)
    for name in state_names(vehicle):
        apart = np.concatenate([getattr(other, name) for other in alone.values()])
        np.testing.assert_array_equal(getattr(sim, name)[list(alone)], apart)


@every_vehicle
def test_two_flights_after_a_reset_are_the_same(vehicle: VehicleParameters) -> None:
    sim = pyrfly.Sim(vehicle, 3)
    hashes = []
    for _ in range(2):
        sim.reset(pos=[[0, 0, -5], [1, 2, -3], [4, 4, 0]], yaw=0.3, seed=7)
        mass = sim.groups[0].parameters.columns["mass"]
        sim.randomize("mass", 0.9 * mass, mass)
        sim.arm()
        command_position(sim, [1, 0, -6], 1.0)
        sim.step(300)
        hashes.append(sim.hash())
    assert hashes[0] == hashes[1]
    assert sim.time == pytest.approx(0.3)


def quaternions_are_unit(sim: pyrfly.Sim) -> bool:
    """To rounding; at hundreds of rad/s to what RK4 and one Newton step leave, x = rate dt / 2.

    RK4 shortens a quaternion by e = x^6 / 144 in a step, which the Newton step makes 1.5 e^2.
    """
    error = np.abs(np.linalg.norm(sim.att.astype(float), axis=1) - 1)
    x = np.linalg.norm(sim.rate.astype(float), axis=1) * sim.dt / 2
    return bool((error < 8 * np.finfo(sim.att.dtype).eps + 1e-4 * x**12).all())


@every_effect
def test_float32_moves_as_float64_does(vehicle: VehicleParameters, effects: str) -> None:
    """Half a second of tumbling: rounding errors grow, but stay small; quaternions stay unit."""
    double = pyrfly.Sim(vehicle, 4, effects=effects)
    single = pyrfly.Sim(vehicle, 4, effects=effects, precision="float32")
    for sim in (double, single):
        sim.controllers = False
        anywhere(sim, 5)
        for _ in range(10):
            sim.step(50)
            assert quaternions_are_unit(sim)
        assert sim.check().ok
    np.testing.assert_allclose(single.pos, double.pos, atol=0.02)
    np.testing.assert_allclose(single.vel, double.vel, atol=0.02)
    np.testing.assert_allclose(single.rate, double.rate, atol=0.02, rtol=1e-3)
    for name in state_names(vehicle)[len(BODY) :]:
        both = (getattr(single, name), getattr(double, name))
        np.testing.assert_allclose(*both, rtol=1e-4, atol=0.1, err_msg=name)
    same = np.abs(np.sum(single.att * double.att, axis=1))
    np.testing.assert_allclose(same, 1, atol=1e-4)


@every_vehicle
def test_a_restored_snapshot_continues_bit_for_bit(vehicle: VehicleParameters) -> None:
    sim = pyrfly.Sim(vehicle, 3)
    anywhere(sim, 6)
    sim.step(37)
    saved = sim.snapshot()
    sim.step(64)
    expected = sim.hash()
    other = pyrfly.Sim(vehicle, 3)
    other.restore(saved)
    other.step(64)
    assert other.hash() == expected


@pytest.mark.filterwarnings("ignore::pyrfly.CommandWarning")
@vehicles_with("command_position")
def test_a_disarmed_vehicle_commands_no_actuator_and_stays(vehicle: VehicleParameters) -> None:
    sim = pyrfly.Sim(vehicle, 2)
    sim.reset(pos=[[0, 0, 0], [2, 1, 0]], yaw=[0.4, -1])
    sim.command_position([5, 5, -5])
    sim.step(3000)
    for name in command_columns(vehicle.c_type):
        assert (getattr(sim, name) == 0).all()
    np.testing.assert_allclose(sim.pos, [[0, 0, 0], [2, 1, 0]], atol=1e-3)
    np.testing.assert_allclose(sim.euler[:, 2], [0.4, -1], atol=1e-3)


def with_each_command(vehicle: VehicleParameters) -> tuple[pyrfly.Sim, Array]:
    """Return flying vehicles with one actuator each at a command, and which have the same.

    For each actuator: its rest, its highest and lowest command, and what lies beyond these.
    """
    ranges = FAMILIES[vehicle.family].actuators(vehicle)
    values = [(a.rest, a.high, a.high + 0.5, a.low, a.low - 0.5) for a in ranges]
    count = len(ranges)
    sim = pyrfly.Sim(vehicle, 5 * count)
    sim.reset(pos=[0, 0, -1000])
    sim.controllers = False
    sim.arm()
    sim.vel[:, 0] = 15.0
    commands = np.tile([a.rest for a in sim.groups[0].ranges], (sim.n, 1))
    for i, row in enumerate(values):
        commands[5 * i : 5 * i + 5, i] = row
    first = 0
    for name in sim.groups[0].actuators:
        column = sim.groups[0].view(name).reshape(sim.n, -1)
        column[:] = commands[:, first : first + column.shape[1]]
        first += column.shape[1]
    sim.step(50)
    return sim, state_of(sim).reshape(count, 5, -1)


def body_width(vehicle: VehicleParameters) -> int:
    return sum(f.width for f in fields_of_type(vehicle.c_type) if f.name in BODY)


@every_vehicle
def test_the_ranges_of_actuators_are_what_the_model_takes(vehicle: VehicleParameters) -> None:
    """Gazebo's motors take commands below 0, which autopilots do not send."""
    _, states = with_each_command(vehicle)
    ranges = FAMILIES[vehicle.family].actuators(vehicle)
    for actuator, of_actuator in zip(ranges, states, strict=True):
        seen = of_actuator if actuator != UNUSED else of_actuator[:, : body_width(vehicle)]
        rest, high, above, low, below = seen
        np.testing.assert_array_equal(above, high)
        if vehicle.family != "gazebo_blocks" or actuator.low < 0:
            np.testing.assert_array_equal(below, low)
        assert (high != rest).any() == (actuator.high > actuator.rest)
        assert (low != rest).any() == (actuator.low < actuator.rest)


@every_vehicle
def test_actions_of_actuators_span_their_ranges(vehicle: VehicleParameters) -> None:
    pytest.importorskip("gymnasium")
    from pyrfly.rl.actions import action_level
    from pyrfly.rl.tasks import TASKS

    sim = pyrfly.Sim(vehicle)
    (group,) = sim.groups
    values = action_level("motor", sim, TASKS["position"]).values
    own = group.ranges[: vehicle.actuator_count]
    used = [a for a in own if a != UNUSED]
    ends = [(value.offset - value.scale, value.offset + value.scale) for value in values]
    assert ends == [(actuator.low, actuator.high) for actuator in used]
    for end in (0, 1):
        for value, at in zip(values, ends, strict=True):
            group.view(value.column).reshape(1, -1)[0, value.component] = at[end]
        commands = group.actuator_commands(slice(None))[0]
        of_used = [c for c, a in zip(commands, own, strict=False) if a != UNUSED]
        assert of_used == [at[end] for at in ends]


@every_vehicle
def test_actions_of_set_points_have_limits_above_zero(vehicle: VehicleParameters) -> None:
    pytest.importorskip("gymnasium")
    from pyrfly.rl.actions import action_level
    from pyrfly.rl.tasks import TASKS

    for name in ("rate", "attitude", "velocity"):
        sim = pyrfly.Sim(vehicle)
        try:
            level = action_level(name, sim, TASKS["position"])
        except pyrfly.ParameterError:
            continue  # it has no such set-point
        level.prepare(sim)
        for value in level.values:
            for column, component in value.limits:
                assert sim.groups[0].view(column).reshape(-1)[component] > 0, column


@every_vehicle
def test_a_vehicle_that_is_reset_on_a_slope_stays_there(vehicle: VehicleParameters) -> None:
    if FAMILIES[vehicle.family].abilities_of(vehicle).kind.circles:
        pytest.skip("a plane rolls or slides")
    if not _core.vehicle_types()[vehicle.c_type]["extended"]:
        pytest.skip("it knows no slopes")
    sim = pyrfly.Sim(vehicle, 2)
    sim.set_ground_plane(gradient=(0.1, -0.05))
    sim.reset(pos=[[0, 0], [4, 3]], yaw=[0.5, 0])
    sim.step(500)
    np.testing.assert_allclose(sim.pos[:, :2], [[0, 0], [4, 3]], atol=1e-6)
    assert np.abs(sim.vel).max() < 1e-6


@every_vehicle
def test_normalized_thrust_is_0_at_rest_and_1_at_the_maximum(vehicle: VehicleParameters) -> None:
    sim = pyrfly.Sim(vehicle, 2)
    (group,) = sim.groups
    assert normalized_thrust(group, slice(None)).tolist() == [0, 0]
    sim.reset(pos=[0, 0, -100])
    sim.arm()
    if group.abilities.attitude is not None:
        level, thrust = np.tile([1.0, 0.0, 0.0, 0.0], (2, 1)), np.array([0.0, 1.0])
        sim.select().set_point(
            pyrfly.Setpoint.ATTITUDE | pyrfly.Setpoint.THRUST, att_sp=level, thrust_sp=thrust
        )
    else:
        sim.controllers = False
        highest = max(actuator.high for actuator in group.ranges)
        group.view(group.actuators[0])[1] = highest
    sim.step(20)
    low, high = normalized_thrust(group, slice(None))
    assert low == pytest.approx(0, abs=IDLE_THRUST + 0.01)
    assert high == pytest.approx(1, abs=0.01)
    sim.arm(False)
    assert normalized_thrust(group, slice(None)).tolist() == [0, 0]


@every_vehicle
def test_a_fault_affects_its_vehicle_alone(vehicle: VehicleParameters) -> None:
    sim, well = pyrfly.Sim(vehicle, 5), pyrfly.Sim(vehicle, 5)
    for each in (sim, well):
        anywhere(each, 10)
    sim.vel[2, 1] = np.nan
    for each in (sim, well):
        each.step(50)
    assert sim.check().invalid == (3,)
    others = [0, 1, 3, 4]
    np.testing.assert_array_equal(state_of(sim)[others], state_of(well)[others])


@every_vehicle
def test_its_packets_name_its_type(vehicle: VehicleParameters) -> None:
    sim = pyrfly.Sim(vehicle, 2)
    types = wire.pack(sim, "SOut2Simulator")["vehicleType"]
    assert (types == sim.groups[0].uav_type).all()
    assert sim.groups[0].uav_type in (vehicle.uav_type, CUSTOM_TYPE, 100, *range(120, 151, 10))


@every_vehicle
def test_a_log_has_the_values_of_its_columns(vehicle: VehicleParameters) -> None:
    sim = pyrfly.Sim(vehicle, 2)
    anywhere(sim, 11)
    recorder = Recorder(sim, [field.name for field in sim.fields()], every=10)
    sim.run(0.1, record=recorder)
    log = recorder.log()
    for field in sim.fields():
        assert np.isfinite(log[field.name]).all(), field.name
        np.testing.assert_array_equal(log[field.name][-1], getattr(sim, field.name))


@every_effect
@pytest.mark.parametrize(("integrator", "limit"), LARGEST_PRODUCT.items())
def test_the_longest_step_is_stable(
    vehicle: VehicleParameters,
    effects: str,
    integrator: str,
    limit: float,
    request: pytest.FixtureRequest,
) -> None:
    """On the ground and in the air; at the maximum of decay rate times step.

    The actuators of a vehicle have equal commands: the rates describe decay, not tumbling.
    """
    family = FAMILIES[vehicle.family]
    dt = min(0.99 * limit / family.fastest_rate(vehicle, effects), family.longest_periods.inner, 1)
    sim = pyrfly.Sim(vehicle, 8, effects=effects, integrator=integrator, dt=dt)
    sim.controllers = False
    random = np.random.default_rng(12)
    height = np.where(np.arange(8) % 2, 1e4, random.uniform(-0.3, 1, 8))
    sim.reset(pos=np.outer(-height, [0, 0, 1]), yaw=random.uniform(-np.pi, np.pi, 8))
    for name, scale in (("vel", 1.0), ("rate", 0.3), ("wind", 0.3)):
        getattr(sim, name)[:] = scale * random.uniform(-1, 1, (8, 3))
    for name in command_columns(vehicle.c_type):
        sim.groups[0].view(name).T[...] = random.uniform(-0.2, 1, 8)
    for _ in range(10):
        sim.step(50)
        assert is_sound(sim), sim.check().text


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_a_command_has_its_columns(family: Family[Any]) -> None:
    assert family.abilities.commands <= COLUMNS_OF.keys()
    for vehicle in VEHICLES.values():
        if vehicle.family == family.name:
            columns = {field.name for field in fields_of_type(vehicle.c_type)}
            for command in family.abilities.commands:
                assert set(COLUMNS_OF[command].split()) <= columns, command


def with_long_steps(vehicle: VehicleParameters) -> pyrfly.Sim:
    """Return a vehicle in steps of 4 ms, or what its motion and its loops need."""
    family = FAMILIES[vehicle.family]
    stable = 0.9 * LARGEST_PRODUCT["rk4"] / family.fastest_rate(vehicle, "full")
    return pyrfly.Sim(vehicle, dt=min(0.004, stable, family.longest_periods.inner))


@vehicles_with("command_position", hovers=True)
def test_an_armed_vehicle_reaches_its_set_point(vehicle: VehicleParameters) -> None:
    reach_a_position(with_long_steps(vehicle))


@vehicles_with("command_velocity", hovers=True)
def test_velocities_headings_and_heading_rates_are_reached(vehicle: VehicleParameters) -> None:
    reach_velocities_and_headings(with_long_steps(vehicle))


def guided() -> list[VehicleParameters]:
    """Return the vehicles whose navigator flies to positions and stays there.

    But for ships that take hours to turn, which are tested with their family.
    """
    return [
        vehicle
        for vehicle in VEHICLES.values()
        if _core.vehicle_types()[vehicle.c_type]["guided"]
        if "command_position" in FAMILIES[vehicle.family].abilities_of(vehicle).commands
        if FAMILIES[vehicle.family].abilities_of(vehicle).stays and not is_ponderous(vehicle)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("vehicle", guided(), ids=lambda vehicle: vehicle.name)
def test_the_navigator_flies_by_rflysims_inputs(vehicle: VehicleParameters) -> None:
    follow_rflysims_inputs(pyrfly.Sim(vehicle, dt=0.002))


@vehicles_with("command_position", hovers=True, types=True)
def test_a_mission_is_completed(vehicle: VehicleParameters) -> None:
    """One of each type: the set points that a mission gives are reached by every set."""
    items = (TakeOff((0.0, 0.0, -2.0)), Waypoint((2.0, 0.0, -2.0)), Land((0.0, 2.0, 0.0)))
    sim = pyrfly.Sim(vehicle, dt=0.002)
    result = fly_mission(sim, Mission(items))
    assert result.completed, result.reason
    np.testing.assert_allclose(sim.pos[0], [0, 2, 0], atol=rests_within(sim, 0.3))
