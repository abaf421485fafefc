"""Boats and underwater vehicles of SDF files: the packaged sets, closed forms, what is refused."""

from __future__ import annotations

import re
from math import pi, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pyrfly
from pyrfly import ParameterError, ParameterWarning
from pyrfly.vehicles import VehicleParameters, from_sdf, load

from ..sdf_text import Write, interface, joint, link, plugin, run_example, sdf, writer
from .sdf_files import BOAT_HULL, boat, motor, rov, segment, torpedo

pytestmark = pytest.mark.filterwarnings("ignore::pyrfly.ParameterWarning")


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a file."""
    return writer(tmp_path, "craft.sdf")


def test_the_example_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_example("Boats")


def assert_like(vehicle: VehicleParameters, name: str, columns: str, rel: float) -> None:
    expected = load(name).columns
    for column in columns.split():
        scale = np.abs(expected[column]).max()
        np.testing.assert_allclose(
            vehicle.columns[column], expected[column], rtol=rel, atol=rel * scale, err_msg=column
        )


FLUID = "drag_linear drag_quadratic damping_linear damping_quadratic added_mass added_inertia"
BUOYANCY = "water_density buoyancy_spread buoyancy_area buoyancy_height buoyancy_offset"


def test_the_rov_of_px4_is_the_packaged_one(write: Write) -> None:
    """Also the signs of Fossen's derivatives, and forward-left-up."""
    rov_of_file = from_sdf(write(rov()), strict=True)
    places = "flow_position buoyancy_position thruster_position thruster_axis"
    assert_like(rov_of_file, "bluerov2_heavy", f"mass inertia {FLUID} {BUOYANCY} {places}", 1e-4)
    assert_like(rov_of_file, "bluerov2_heavy", "thruster_ahead thruster_astern rest_height", 1e-4)
    assert_like(rov_of_file, "bluerov2_heavy", "thruster_tau", 0.1)


def test_the_boat_of_px4_is_the_packaged_one(write: Write) -> None:
    """Its propellers are 0.1 kg of 227.1 kg, which the packaged set is without."""
    boat_of_file = from_sdf(write(boat()), strict=True)
    assert_like(boat_of_file, "gz_boat", f"{FLUID} thruster_ahead thruster_rated", 1e-6)
    assert_like(boat_of_file, "gz_boat", f"mass inertia {BUOYANCY}", 0.005)
    assert_like(boat_of_file, "gz_boat", "thruster_axis thruster_position rest_height", 0.01)
    assert_like(boat_of_file, "gz_boat", "thruster_astern thruster_speed_max", 1e-6)


def test_a_boat_floats_where_its_half_cylinders_carry_it(write: Write) -> None:
    vehicle = from_sdf(write(boat()))
    columns = vehicle.columns
    middle = float(columns["buoyancy_position"][2])  # of the cylinders, from the centre of mass
    draught = middle - float(columns["rest_height"][0])  # of their lowest line at the surface: 0
    carried = 2 * 4.9 * segment(0.213, draught) * 997.8
    assert carried == pytest.approx(columns["mass"][0], rel=1e-4)


def test_a_boat_settles_where_its_drag_is_the_thrust(write: Write) -> None:
    sim = pyrfly.Sim(from_sdf(write(boat())), dt=0.005)
    sim.controllers = False
    sim.thruster_command[0, :2] = 0.5
    sim.sleep(30)
    thrust = 2 * 0.0854858 * 50**2
    speed = (sqrt(51.3**2 + 4 * 72.4 * thrust) - 51.3) / (2 * 72.4)
    assert sim.vel_body[0, 0] == pytest.approx(speed, rel=0.01)


def test_a_thruster_of_gazebo_pushes_what_is_commanded(write: Write) -> None:
    """40 N ahead and 20 N astern against 6 N s^2/m^2; the speed of the propeller by its law."""
    vehicle = from_sdf(write(torpedo()))
    sim = pyrfly.Sim(vehicle, 2, dt=0.005)
    sim.controllers = False
    sim.reset(pos=[[0, 0, 20]] * 2)
    sim.thruster_command[:, 0] = [0.5, -1.0]
    sim.sleep(40)
    speeds = np.hypot(*sim.vel[:, [0, 2]].T)  # through the water, whatever its pitch
    np.testing.assert_allclose(speeds, [sqrt(20 / 6), sqrt(20 / 6)], rtol=0.03)
    omega = sqrt(40.0 / (1000 * 0.004 * 0.1**4))
    assert vehicle.columns["thruster_speed_max"] == pytest.approx([omega, omega])
    assert vehicle.columns["thruster_dead_zone"][0] == pytest.approx(1 / 40)


def test_fins_turn_to_the_side_of_their_joints(write: Write) -> None:
    """A rudder about z, FLU: by a positive angle the stern is pushed to the left, the bow right."""
    vehicle = from_sdf(write(torpedo()))
    normals = vehicle.columns["fin_normal"].reshape(3, 4).T
    np.testing.assert_allclose(normals[0], [0, -1, 0], atol=1e-9)
    np.testing.assert_allclose(normals[1], [0, 0, 1], atol=1e-9)
    np.testing.assert_allclose(vehicle.columns["fin_coef"][:2], 0.5 * 1000 * 0.01 * 4.0)
    assert vehicle.columns["fin_travel"][0] == pytest.approx(0.4)
    sim = pyrfly.Sim(vehicle, dt=0.005)
    sim.controllers = False
    sim.reset(pos=[[0, 0, 20]])
    sim.thruster_command[0, 0] = 0.8
    sim.fin_command[0, 0] = 0.5
    sim.sleep(8)
    assert sim.rate[0, 2] > 0.02


def test_a_light_rov_floats_as_archimedes_says(write: Write) -> None:
    """A box of 0.5 m by 0.25 m by 0.2 m, 13.4 kg: 0.1072 m deep; it comes up and stays."""
    vehicle = from_sdf(write(rov(hull="0.5 0.25 0.2")))
    top = -0.02 - 0.1 - 0.02 * 0.4 / 13.4  # its highest place over base_link, roughly
    assert top < 0
    sim = pyrfly.Sim(vehicle, dt=0.002)
    sim.controllers = False
    sim.reset(pos=[[0, 0, 3]])
    sim.sleep(30)
    assert abs(sim.pos[0, 2]) < 2e-3
    bottom = vehicle.columns["buoyancy_position"][2] + 0.1
    assert bottom - vehicle.columns["rest_height"][0] == pytest.approx(13.4 / 125.0)


def classic(buoyancy: str, **changed: object) -> str:
    """Return a body with four thrusters ahead and the plug-in of Gazebo Classic."""
    corners = [(0.05, 0.05), (-0.05, 0.05), (-0.05, -0.05), (0.05, -0.05)]
    turns = ["ccw", "cw"] * 2
    values: dict[str, object] = {
        "baseLinkName": "base_link",
        "addedMassLinear": "1.11 2.8 2.8",
        "addedMassAngular": "0.0045 0.0163 0.0163",
        "dampingLinear": "5.39 17.36 17.36",
        "dampingAngular": "0.00114 0.007 0.007",
        "buoyancy": buoyancy,
    }
    thrusters = [
        motor(
            n,
            f"0 {y} {z} 0 {pi / 2} 0",
            turningDirection=turn,
            motorConstant=8.5 if turn == "ccw" else -8.5,
            momentConstant=0.0024,
        )
        for n, ((y, z), turn) in enumerate(zip(corners, turns, strict=True))
    ]
    return sdf(
        link("base_link", "0 0 0 0 0 0", 1.5, (0.0024, 0.0107, 0.0107)),
        *thrusters,
        interface(4, 1.0),
        plugin("libgazebo_uuv_plugin.so", **values | changed),
        name="hippo",
    )


LIFT = (
    "<link_name>base_link</link_name><origin>0 0 {z}</origin><compensation>{share}</compensation>"
    "<height_scale_limit>0.05</height_scale_limit>"
)


def test_a_body_of_gazebo_classic_is_lifted_by_its_share(write: Write) -> None:
    """1.2 times 1.5 kg carry 1.7 kg; thrust is 8.5 N at 1, whatever its propeller's sense."""
    vehicle = from_sdf(write(classic(LIFT.format(z=0.02, share=1.2))))
    columns = vehicle.columns
    volume = float(columns["buoyancy_area"][0] * columns["buoyancy_height"][0])
    assert volume == pytest.approx(1.8e-3)
    assert columns["buoyancy_height"][0] == pytest.approx(0.1)
    axes = columns["thruster_axis"].reshape(3, 8)[:, :4].T
    np.testing.assert_allclose(axes, [[1, 0, 0]] * 4, atol=1e-9)
    np.testing.assert_allclose(columns["thruster_reaction"][:4], [-0.0024, 0.0024] * 2)
    sim = pyrfly.Sim(vehicle, dt=0.002)
    sim.controllers = False
    sim.reset(pos=[[0, 0, 5]])
    sim.thruster_command[0, :4] = [1, -1, 1, -1]  # rolls to the left alone
    sim.sleep(0.1)
    assert sim.rate[0, 0] < -0.3


def test_what_no_controller_holds_is_said(write: Write) -> None:
    with pytest.warns(ParameterWarning, match="not controlled:\n  its depth"):
        from_sdf(write(classic(LIFT.format(z=0.02, share=1.2))))


def test_a_boat_that_does_not_reverse_says_so(write: Write) -> None:
    """Its polynomials are ahead alone: the motors are not bidirectional."""
    text = rov().replace("<bidirectionalMotor>1", "<bidirectionalMotor>0")
    with pytest.warns(ParameterWarning, match="not controlled:\n  speeds and positions: its thr"):
        vehicle = from_sdf(write(text))
    assert not vehicle.columns["thruster_astern"].any()


def test_a_neutral_body_stands_upright(write: Write) -> None:
    """As PX4's BlueROV2 of Gazebo Classic, whose buoyancy is at its centre of mass."""
    text = classic(LIFT.format(z=0, share=1.7 / 1.5))
    with pytest.warns(ParameterWarning, match=r"0\.002 m above the centre of mass"):
        vehicle = from_sdf(write(text))
    assert vehicle.columns["buoyancy_position"][2] == -0.002


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (boat(hullRadius=0.1), r"line \d+: .*usv.*: <hullRadius>: expected a hull that floats"),
        (boat(hullRadius=-1), r"<hullRadius>: expected more than 0"),
        (boat(hullRadius="nan"), r"<hullRadius>.*: expected a finite number"),
        (boat(xU=-3), r"<xU>.*: expected at least 0"),
        (boat(length_n=0), r"<length_n>: expected at least 1"),
        (boat(length_n=1), r"floats upright, got a metacentric height of .* in pitch"),
        (boat(boatWidth=0.01), r"floats upright, got a metacentric height of .* in roll"),
        (boat(bodyName="keel"), r"<bodyName>: no link 'keel'"),
        (boat().replace("227", "0"), r"<mass>.*: expected more than 0"),
        (boat().replace("0 0 0.124229", "9 0 0.124229"), r"floats level, got a buoyancy"),
        (boat().replace("181.42", "-181.42"), r"link name='base_link'.*<ixx>.*at least 0"),
        (boat().replace("<input_scaling>100.0", "<input_scaling>0"), r"<input_scaling>: expected"),
        (boat().replace("0.0854858", "0", 1), r"<motorConstant>: expected a thrust, got 0"),
        (rov(hull="0.50 0.25 0.08"), r"line \d+: .*hydrodynamics.*floats, of at most 10 kg"),
        (rov(xU=13.7), r"<xU>.*: expected .*0"),
        (rov(zDotW=2), r"<zDotW>.*: expected .*0"),
        (rov(link_name="x"), r"<link_name>: no link 'x'"),
        (rov("0.5 0.25 0.1072").replace("0 0 0.02 0", "0 0 -0.02 0"), r"floats upright"),
        (rov().replace("[0.0, 2.37", "[0.0, 9.37", 1), r"expected the curve of thrust of line"),
        (rov().replace("<box>", "<mesh>").replace("</box>", "</mesh>"), r"<collision>: expected"),
        (rov().replace("[0.0, 2.37", "[0.0, x2.37", 1), r"<positiveThrustPolynomial>: expected"),
        (torpedo(most=0.0), r"<max_thrust_cmd>: expected a range about 0"),
        (torpedo(thrust_coefficient=0), r"<thrust_coefficient>: expected a thrust"),
        (torpedo(joint_name="no"), r"<joint_name>: no joint 'no'"),
        (torpedo().replace("<xyz>1 0 0", "<xyz>0 0 0"), r"<xyz>: expected a direction"),
        (torpedo().replace("gz-sim-hydro", "gz-sim-x"), r"one plug-in of hydrodynamics, got 0"),
        (classic(""), r"<link_name>: missing"),
        (classic(LIFT.format(z=0.02, share=0.5)), r"floats, of at most 0.75 kg"),
        (classic(LIFT.format(z=-0.02, share=1.2)), r"floats upright"),
        (classic(LIFT.format(z=0.02, share=1.2).replace("0.05", "0")), r"<height_scale_limit>.*0"),
    ],
)
def test_a_craft_that_there_cannot_be_is_refused_by_its_element(
    text: str, message: str, write: Write
) -> None:
    with pytest.raises(ParameterError, match=rf"craft\.sdf: .*{message}"):
        from_sdf(write(text))


def test_a_weaker_thruster_has_its_share_of_the_curve(write: Write) -> None:
    vehicle = from_sdf(write(boat().replace("0.0854858", "0.04274290", 1)))
    axes = vehicle.columns["thruster_axis"].reshape(3, 8)[0, :2]
    np.testing.assert_allclose(axes, [0.5, 1.0], atol=1e-6)


def test_thrusters_are_there_and_not_too_many(write: Write) -> None:
    nothing = sdf(
        link("base_link", "0 0 0 0 0 0", 227, (181.42, 408.203, 495.037)),
        plugin("libgazebo_usv_dynamics_plugin.so", **BOAT_HULL),
        name="raft",
    )
    with pytest.raises(ParameterError, match="at least one plug-in of a thruster"):
        from_sdf(write(nothing))
    many = "".join(motor(n, f"0 {n} 0 0 0 0") for n in range(9))
    with pytest.raises(ParameterError, match="expected up to 8 thrusters, got 9"):
        from_sdf(write(nothing.replace("</model>", many + "</model>")))


def test_what_is_left_out_is_said(write: Write) -> None:
    with pytest.raises(ParameterError, match=r"(?s)<yR>: a derivative across axes"):
        from_sdf(write(rov(yR=-2)), strict=True)
    with pytest.raises(ParameterError, match="<default_current>"):
        from_sdf(write(rov(default_current="1 0 0")), strict=True)
    fixed = torpedo().replace("fin1_joint</joint_name>", "fin0_joint</joint_name>")
    assert joint("fin1_joint", "fin1", "0 1 0", 0.4) in fixed
    with pytest.raises(ParameterError, match="no channel turns it"):
        from_sdf(write(fixed), strict=True)


def test_a_joint_that_steers_a_thruster_is_left_out(write: Write) -> None:
    steered = torpedo().replace(
        "<joint name='propeller_joint' type='revolute'><parent>base_link",
        link("engine", "-1 0 -5 0 0 0", 0.001, (1e-5, 1e-5, 1e-5))
        + joint("engine_joint", "engine", "0 0 1", 0.4)
        + plugin("gz-sim-joint-position-controller-system", joint_name="engine_joint")
        + "<joint name='propeller_joint' type='revolute'><parent>engine",
    )
    assert steered != torpedo()
    with pytest.raises(ParameterError, match="the joint 'engine_joint' steers a thruster"):
        from_sdf(write(steered), strict=True)


def test_a_hull_above_its_thrusters_meets_the_ground_by_these(write: Write) -> None:
    text = rov().replace("0 0 0.02 0", "0 0 0.3 0")
    with pytest.warns(ParameterWarning, match="what meets the ground reaches"):
        vehicle = from_sdf(write(text))
    low = vehicle.columns["hull_position"][2] + vehicle.columns["hull_size"][2] / 2
    assert low == pytest.approx(max(0, vehicle.columns["thruster_position"].reshape(3, 8)[2].max()))


def test_older_names_of_quadratic_drag_are_read(write: Write) -> None:
    with pytest.warns(ParameterWarning, match="<xUU>: read as <xUabsU>"):
        vehicle = from_sdf(write(rov(xUabsU=None, xUU=-14.1)))
    assert vehicle.columns["drag_quadratic"][0] == pytest.approx(14.1)


def test_added_mass_of_a_link_is_read(write: Write) -> None:
    added = "<fluid_added_mass><xx>1.272</xx><yy>1.424</yy><zz>3.736</zz></fluid_added_mass>"
    text = rov(disable_added_mass="true").replace("</inertia>", f"</inertia>{added}", 1)
    vehicle = from_sdf(write(text), strict=True)
    assert_like(vehicle, "bluerov2_heavy", "added_mass", 1e-9)
    assert not vehicle.columns["added_inertia"].any()


@pytest.mark.parametrize("text", [boat(), rov()])
def test_it_drives_to_a_place(text: str, write: Write) -> None:
    sim = pyrfly.Sim(from_sdf(write(text)), dt=0.005)
    sim.arm()
    sim.command_position([10.0, 3.0, 0.0], yaw=0.4)
    sim.sleep(45)
    assert np.hypot(*(sim.pos[0, :2] - [10.0, 3.0])) < 0.5


WORDS = "|nan|inf|1e999|1e14|1e-29|0|-1|1 2 3|base_link|thruster0|world|x".split("|")
CHANGES = st.lists(st.tuples(st.integers(0, 500), st.sampled_from(WORDS)), min_size=1, max_size=3)
FILES = [boat(), rov(), torpedo(), classic(LIFT.format(z=0.02, share=1.2))]


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=st.sampled_from(FILES), changes=CHANGES)
def test_any_value_gives_a_craft_or_a_clear_error(
    write: Write, text: str, changes: list[tuple[int, str]]
) -> None:
    for number, word in changes:
        values = list(re.finditer(r"(?<=>)[^<>\n]+(?=</)", text))
        value = values[number % len(values)]
        text = text[: value.start()] + word + text[value.end() :]
    message = "craft.sdf: "
    try:
        vehicle = from_sdf(write(text))
    except ParameterError as error:
        message = str(error)
    else:
        assert all(np.isfinite(column).all() for column in vehicle.columns.values())
    assert message.startswith("craft.sdf: ")
