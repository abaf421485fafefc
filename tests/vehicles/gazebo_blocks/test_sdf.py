"""Vehicles from SDF files: numbers by hand, and what is refused or listed."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from math import pi, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pyrfly
from pyrfly import ParameterError, ParameterWarning
from pyrfly.vehicles import VehicleParameters, from_sdf, load

from .conftest import BODY, CHANNEL, parts, sdf

Write = Callable[..., Path]

WHOLE = sdf(*parts().values())


def read(path: Path) -> VehicleParameters:
    """Return the vehicle of a file without anything left out."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return from_sdf(path, strict=True)


def component(vehicle: VehicleParameters, name: str, capacity: int = 8) -> np.ndarray:
    """Return a column, one row per part."""
    return vehicle.columns[name].reshape(-1, capacity).T


def test_the_body_is_that_of_all_links_about_their_centre_of_mass(write: Write) -> None:
    """2 kg at x 0.1, four rotors of 0.1 kg 0.1 m higher, 0.05 kg at x -0.4; base link frame."""
    vehicle = read(write())
    mass = 2 + 0.4 + 0.05
    x, z = (2 * 0.1 - 0.05 * 0.4) / mass, 0.4 * 0.1 / mass
    assert vehicle.columns["mass"][0] == pytest.approx(mass)
    xx, yy, zz, xy, xz, yz = vehicle.columns["inertia"]
    rotors, flap = 4e-4, 1e-5
    body = 2 * z * z
    assert xx == pytest.approx(
        0.1 + body + rotors + 0.4 * (0.25 + (0.1 - z) ** 2) + flap + 0.05 * z * z
    )
    along = 2 * (0.1 - x) ** 2 + 0.05 * (0.4 + x) ** 2
    assert yy == pytest.approx(
        0.2 + body + along + rotors + 0.4 * (0.25 + x * x + (0.1 - z) ** 2) + flap + 0.05 * z * z
    )
    assert zz == pytest.approx(0.25 + along + 8e-4 + 0.4 * (0.5 + x * x) + flap)
    # xz of FRD is the negative one of FLU: Steiner's -m x z of each link
    steiner = -(2 * (0.1 - x) * -z + 0.4 * -x * (0.1 - z) + 0.05 * (-0.4 - x) * -z)
    assert xz == pytest.approx(-(0.01 + steiner))
    assert xy == pytest.approx(0, abs=1e-15)
    assert yz == pytest.approx(0, abs=1e-15)
    np.testing.assert_allclose(component(vehicle, "motor_position")[0], [0.5 - x, 0.5, z - 0.1])
    np.testing.assert_allclose(component(vehicle, "surface_position")[0], [-0.05 - x, 0, z - 0.02])


def test_motors_surfaces_and_channels_are_those_of_the_plugins(write: Write) -> None:
    vehicle = read(write())
    columns = vehicle.columns
    assert vehicle.name == "wing_quad"
    assert [columns[f"{kind}_count"][0] for kind in ("motor", "joint", "surface")] == [4, 1, 1]
    assert vehicle.actuator_count == 10
    expected = {
        "motor_direction": [1, 1, -1, -1],
        "motor_channel": [0, 1, 2, 3],
        "motor_thrust": [1.2e-5] * 4,
        "motor_moment": [0.03] * 4,
        "motor_drag": [1e-4] * 4,
        "motor_rolling": [1e-6] * 4,
        "motor_limit": [900] * 4,
        "motor_scaling": [800] * 4,
        "motor_airspeed_loss": [0.05] * 4,
    }
    for name, values in expected.items():
        np.testing.assert_allclose(columns[name][:4], values)
    np.testing.assert_allclose(component(vehicle, "motor_lags")[0], [0.02, 0.04])
    np.testing.assert_allclose(component(vehicle, "motor_zero")[0], [100, 0])
    np.testing.assert_allclose(component(vehicle, "motor_axis")[0], [0, 0, -1])
    assert columns["joint_channel"][0] == 9
    np.testing.assert_allclose(component(vehicle, "joint_limit")[0], [-0.4, 0.5])
    assert columns["joint_scaling"][0] == 0.5
    assert columns["surface_joint"][0] == 0
    assert columns["surface_joint_lift"][0] == -2
    assert columns["surface_sweep"][0] == 1
    np.testing.assert_allclose(component(vehicle, "surface_forward")[0], [1, 0, 0])
    np.testing.assert_allclose(component(vehicle, "surface_upward")[0], [0, 0, -1])


def test_its_path_is_a_parameter_set(write: Write) -> None:
    path = write()
    expected = read(path)
    for source in (path, str(path)):
        vehicle = load(source)
        assert vehicle.name == expected.name
        for name, values in expected.columns.items():
            np.testing.assert_array_equal(vehicle.columns[name], values)


def test_it_flies(write: Write) -> None:
    vehicle = read(write())
    sim = pyrfly.Sim(vehicle)
    sim.reset(pos=[[0, 0, -20]])
    sim.arm()
    speed = sqrt(vehicle.columns["mass"][0] * sim.gravity[0] / 4 / 1.2e-5)
    channel = (speed - 100) / 800
    assert vehicle.columns["mass"][0] == pytest.approx(2.45)
    sim.motor_speed[0, :4] = speed
    sim.gazebo_blocks.command_channels([channel] * 4 + [0.0] * 12)
    sim.step(20)
    np.testing.assert_allclose(sim.motor_speed[0, :4], speed, rtol=1e-9)
    assert abs(sim.vel[0, 2]) < 1e-3
    sim.gazebo_blocks.command_channels([0.9] * 4 + [0.0] * 12)
    sim.sleep(0.5)
    assert sim.vel[0, 2] < -0.5


def test_a_motor_that_cannot_carry_its_share_makes_it_no_hovering_vehicle(write: Write) -> None:
    """A quarter of 24 N needs 707 rad/s; all others together carry it, but nothing turns it."""
    weak = WHOLE.replace("<maxRotVelocity>900", "<maxRotVelocity>700", 1)
    found = [pyrfly.Sim(read(write(text))) for text in (WHOLE, weak)]
    assert [float(sim.control_mass[0]) > 0 for sim in found] == [True, False]


def test_a_link_that_is_turned_turns_what_is_on_it(write: Write) -> None:
    """A pusher: its link pitched by 90 degrees pushes forward; also with a pose in degrees."""
    for pose in (f"0 0 0.2 0 {pi / 2!r} 0", "0 0 0.2 0 90 0"):
        degrees = " degrees='true'" if " 90 " in pose else ""
        text = sdf(*parts().values()).replace(
            "<pose>0.5 -0.5 0.3 0 0 0</pose>", f"<pose{degrees}>{pose}</pose>"
        )
        vehicle = read(write(text))
        np.testing.assert_allclose(component(vehicle, "motor_axis")[0], [1, 0, 0], atol=1e-12)


def test_poses_may_be_relative_to_links_and_frames(write: Write) -> None:
    plain = read(write())
    text = sdf(
        *parts().values(),
        "<frame name='mast' attached_to='body'><pose>0 0 0.1 0 0 0</pose></frame>",
    )
    text = text.replace(
        "<pose>0.5 -0.5 0.3 0 0 0</pose>", "<pose relative_to='mast'>0.5 -0.5 0 0 0 0</pose>"
    )
    text = text.replace(
        "<pose>-0.5 0.5 0.3 0 0 0</pose>", "<pose relative_to='body'>-0.5 0.5 0.1 0 0 0</pose>"
    )
    vehicle = read(write(text))
    for name in ("mass", "inertia", "motor_position"):
        np.testing.assert_allclose(vehicle.columns[name], plain.columns[name], atol=1e-12)


def test_gazebos_systems_are_read_by_their_names(write: Write) -> None:
    """They have no control channels: the channel 1 is the maximum speed, joints follow motors."""
    elements = parts()
    del elements["interface"]
    text = sdf(*elements.values()).replace(
        "filename='libgazebo_motor_model.so'", "filename='gz-sim-multicopter-motor-model-system'"
    )
    text = text.replace("filename='libLiftDragPlugin.so'", "filename='gz-sim-lift-drag-system'")
    controller = (
        "<plugin filename='gz-sim-joint-position-controller-system' name='flap'>"
        "<joint_name>flap_joint</joint_name><sub_topic>servo_0</sub_topic></plugin>"
    )
    text = text.replace("</model>", controller + "</model>")
    with pytest.warns(
        ParameterWarning,
        match=r"(?s)joint 'flap_joint': it is on the channel 4.*motor 3: no control channel",
    ):
        vehicle = from_sdf(write(text))
    np.testing.assert_array_equal(vehicle.columns["motor_scaling"][:4], 900)
    np.testing.assert_array_equal(vehicle.columns["motor_airspeed_loss"], 0)
    # gz-sim's laws: the rolling moment has no direction, and the sweep counts twice
    np.testing.assert_allclose(vehicle.columns["motor_rolling"][:4], [1e-6, 1e-6, -1e-6, -1e-6])
    assert vehicle.columns["surface_sweep"][0] == 2
    assert vehicle.columns["joint_channel"][0] == 4
    assert "no control channel" in vehicle.notes


AERO = """
<plugin name='aircraft' filename='libAdvancedLiftDragPlugin.so'>
  <CL0>0.15</CL0><CLa>5</CLa><CD0>0.03</CD0><AR>6</AR><eff>0.95</eff><alpha_stall>0.3</alpha_stall>
  <Cem0>0.07</Cem0><Cema>-0.5</Cema><Cellp>-0.5</Cellp><Cenr>-0.1</Cenr><area>0.24</area>
  <ref_pt>-0.1 0 0</ref_pt><forward>1 0 0</forward><upward>0 0 1</upward><link_name>body</link_name>
  <num_ctrl_surfaces>1</num_ctrl_surfaces>
  <control_surface><name>flap_joint</name><index>0</index><direction>-1</direction>
    <CD_ctrl>0.001</CD_ctrl><CY_ctrl>0</CY_ctrl><CL_ctrl>0.01</CL_ctrl><Cell_ctrl>0</Cell_ctrl>
    <Cem_ctrl>-0.02</Cem_ctrl><Cen_ctrl>0</Cen_ctrl></control_surface>
</plugin>
"""


def test_an_advanced_lift_drag_plugin_is_the_whole_aircraft(write: Write) -> None:
    """Derivatives by controls are per degree there, per rad here; chord sqrt(S / A) by default."""
    elements = {**parts(), "wing": AERO}
    columns = read(write(sdf(*elements.values()))).columns
    assert columns["aero_count"][0] == 1
    assert columns["aero_chord"][0] == pytest.approx(0.2)
    np.testing.assert_allclose(columns["aero_pitch"], [0.07, -0.5, 0, 0, 0, 0, 0])
    np.testing.assert_allclose(columns["aero_roll"], [0, 0, -0.5, 0, 0])
    effects = columns["aero_joint"].reshape(6, 8)[:, 0]
    np.testing.assert_allclose(effects, np.array([-0.001, 0, -0.01, 0, 0.02, 0]) * 180 / pi)


# --- what is left out -----------------------------------------------------------------------------


def gazebo() -> str:
    """Return the file with systems of Gazebo, which have no control channels."""
    elements = parts()
    del elements["interface"]
    text = sdf(*elements.values())
    for old, new in (
        ("libgazebo_motor_model.so", "gz-sim-multicopter-motor-model-system"),
        ("libLiftDragPlugin.so", "gz-sim-lift-drag-system"),
    ):
        text = text.replace(old, new)
    controller = (
        "<plugin filename='gz-sim-joint-position-controller-system' name='flap'>"
        "<joint_name>flap_joint</joint_name><sub_topic>servo_0</sub_topic><p_gain>9</p_gain>"
        "</plugin></model>"
    )
    return text.replace("</model>", controller)


@pytest.mark.parametrize(
    ("old", "new", "listed"),
    [
        (
            "</model>",
            "<include><uri>model://gps</uri></include></model>",
            r"line \d+: include 'model://gps': expected models=, a folder",
        ),
        (
            "</model>",
            "<plugin name='jet' filename='libJetEngine.so'/></model>",
            r"plugin 'libJetEngine.so' \('jet'\): un",
        ),
        (
            "</model>",
            "<plugin name='imu' filename='libsimulated_jet.so'/></model>",
            "'libsimulated_jet.so'",
        ),
        (
            "</model>",
            "<plugin name='LiftDrag' filename='libmine.so'/></model>",
            "plugin 'libmine.so'",
        ),
        (
            "</model>",
            BODY.replace("'body'", "'ballast'") + "</model>",
            "link 'ballast': no joint connects it to 'body'",
        ),
        (
            "</model>",
            "<joint name='weld' type='fixed'><parent>body</parent><child>gps::link</child></joint>"
            "</model>",
            "joint 'weld': its link 'gps::link' is not in the file",
        ),
        ("</model>", "<model name='gps'><link name='a'/></model></model>", "model 'gps' in the mo"),
        ("</model>", "<gripper name='g'/></model>", "<gripper name='g'>: unknown"),
        ("<a0>", "<cl_spoiler>1</cl_spoiler><a0>", "<plugin name='wing'>: <cl_spoiler>: unknown"),
        (
            "<linkName>",
            "<joint_control_pid/><linkName>",
            "line 70: <plugin name='motor_0'>: <joint_control_pid>: unknown",
        ),
        ("<input_offset>", "<delay>1</delay><input_offset>", "<channel name='rotor_0'>: <delay>"),
        (
            "<mass>2</mass>",
            "<mass>2</mass><fluid_added_mass/>",
            "<inertial>: <fluid_added_mass>: unknown",
        ),
        ("<inertial>", "<gravity>0</gravity><inertial>", "<link name='body'>: <gravity>: false"),
        (
            "<inertial>",
            "<velocity_decay><linear>0.1</linear></velocity_decay><inertial>",
            "<velocity_decay>: <linear>: damping",
        ),
        ("<inertial>", "<enable_wind>true</enable_wind><inertial>", "<enable_wind>: the wind"),
        ("<axis>", "<axis><mimic joint='x'/>", "<axis>: <mimic>: unknown"),
        ("<control_joint_name>", "<control_joint>", ""),
        ("<joint_name>flap_joint", "<joint_name>none", "joint 'flap_joint': it moves freely"),
        ("<link_name>body", "<link_name>flap", "joint 'flap_joint': it moves the surface on 'fla"),
    ],
)
def test_what_acts_on_the_motion_and_is_not_known_is_listed(
    write: Write, old: str, new: str, listed: str
) -> None:
    text = WHOLE.replace(old, new, 1)
    if old == "<control_joint_name>":
        text = text.replace("</control_joint_name>", "</control_joint>")
        listed = "<plugin name='wing'>: <control_joint>: unknown"
    path = write(text)
    with pytest.warns(ParameterWarning, match=f"(?s)left out:.*{listed}"):
        vehicle = from_sdf(path)
    assert re.search(listed, vehicle.notes)
    with pytest.raises(ParameterError, match=f"(?s)left out:.*{listed}"):
        from_sdf(path, strict=True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("</model>", "<plugin name='p' filename='libgazebo_imu_plugin.so'/></model>"),
        ("</model>", "<plugin name='p' filename='gz-sim-air-pressure-system'/></model>"),
        ("</model>", "<pose>1 2 3 0 0 0</pose><self_collide>1</self_collide></model>"),
        ("</model>", "<mine:settings><jet/></mine:settings></model>"),
        (
            "<inertial>",
            "<visual name='v'/><collision name='c'><surface/></collision><velocity_decay/>"
            "<sensor name='s' type='imu'><plugin name='jet' filename='libJet.so'/></sensor>"
            "<gravity>1</gravity><self_collide>0</self_collide><inertial>",
        ),
        ("<linkName>", "<robotNamespace/><motorSpeedPubTopic>/m</motorSpeedPubTopic><linkName>"),
        ("<axis>", "<physics><ode/></physics><axis><dynamics><damping>1</damping></dynamics>"),
        ("<sdf", "\n\n<sdf"),
    ],
)
def test_what_has_no_effect_is_not_listed(write: Write, old: str, new: str) -> None:
    vehicle = read(write(WHOLE.replace(old, new, 1)))
    plain = read(write())
    assert vehicle.notes == ""
    assert all(np.array_equal(vehicle.columns[k], plain.columns[k]) for k in plain.columns)


def test_a_rendered_template_may_begin_with_blank_lines(write: Write) -> None:
    with pytest.raises(ParameterError, match=r"model\.sdf: line 7: <link name='body'>: <inertial>"):
        read(write("\n \n" + WHOLE.replace("<mass>2</mass>", "<mass>0</mass>")))
    assert read(write("\n \n" + WHOLE)).name == "wing_quad"


@pytest.mark.parametrize(
    ("inertial", "mass", "moment", "said"),
    [
        ("", 1.0, 1.0, "<inertial>: 1 kg and 1 kg m^2"),
        ("<inertial/>", 1.0, 1.0, "<mass>: 1 kg"),
        ("<inertial><mass>0.5</mass></inertial>", 0.5, 1.0, "<inertia>: 1 kg m^2"),
        ("<inertial><mass>0.5</mass><inertia/></inertial>", 0.5, 1.0, "<inertia>: 1 kg m^2"),
    ],
)
def test_a_link_without_inertia_has_that_of_sdformat(
    write: Write, inertial: str, mass: float, moment: float, said: str
) -> None:
    """SDFormat's defaults are 1 kg, and a tensor of 1 kg m^2 [@sdformat]."""
    camera = (
        f"<link name='camera'><pose relative_to='body'/>{inertial}</link><joint name='mount'"
        " type='fixed'><parent>body</parent><child>camera</child></joint></model>"
    )
    vehicle = read(write(WHOLE.replace("</model>", camera, 1)))
    plain = read(write())
    assert vehicle.columns["mass"] == pytest.approx(plain.columns["mass"] + mass)
    gained = vehicle.columns["inertia"][:3] - plain.columns["inertia"][:3]
    assert (gained >= moment - 1e-9).all()
    assert re.search(rf"(?s)assumed:.*<link name='camera'>: {re.escape(said)}", vehicle.notes)


def test_strict_is_about_what_is_left_out_and_not_what_is_assumed(write: Write) -> None:
    vehicle = read(write(gazebo()))
    assert "left out" not in vehicle.notes
    assert re.search(r"(?s)assumed:.*motor 3: no control channel; .* 900 rad/s", vehicle.notes)
    assert "joint 'flap_joint': it is at its position at once" in vehicle.notes


@pytest.mark.parametrize("kind", ["fixed", "still", "continuous"])
def test_joints_are_welds_rotors_or_turned_by_channels(write: Write, kind: str) -> None:
    """A joint without a range does not move; one that is continuous has no limits."""
    text = WHOLE
    if kind == "continuous":
        text = text.replace(
            "name='flap_joint' type='revolute'", "name='flap_joint' type='continuous'"
        )
        np.testing.assert_array_equal(component(read(write(text)), "joint_limit")[0], [-1e3, 1e3])
        return
    text = text.replace("<joint_name>flap_joint", "<joint_name>none")
    if kind == "fixed":
        text = text.replace("name='flap_joint' type='revolute'", "name='flap_joint' type='fixed'")
    else:
        text = text.replace("<lower>-0.4", "<lower>0").replace("<upper>0.5", "<upper>0")
    vehicle = read(write(text))
    assert vehicle.columns["joint_count"][0] == 0
    assert vehicle.columns["surface_joint"][0] == -1


def test_names_may_have_that_of_the_model_in_front(write: Write) -> None:
    plain = read(write())
    text = WHOLE.replace("<joint_name>flap", "<joint_name>wing_quad::flap")
    vehicle = read(write(text.replace("<link_name>body", "<link_name>wing_quad::body")))
    assert all(np.array_equal(vehicle.columns[k], plain.columns[k]) for k in plain.columns)


def test_motors_of_one_number_follow_its_channel(write: Write) -> None:
    """As in Gazebo, and in a twin-engined plane of PX4's."""
    vehicle = read(write(WHOLE.replace("<motorNumber>3", "<motorNumber>2")))
    np.testing.assert_array_equal(vehicle.columns["motor_channel"][:4], [0, 1, 2, 2])
    assert re.search(r"line \d+: motor 2: that of line \d+ has the same number", vehicle.notes)


def test_the_reference_point_has_another_name_in_each_simulator(write: Write) -> None:
    """Classic's plug-in reads <ref_pt>, that of Gazebo <cp>; each ignores the other one."""
    aero = AERO.replace("<ref_pt>", "<cp>-0.3 0 0</cp><ref_pt>")
    classic = write(sdf(*{**parts(), "wing": aero}.values()))
    found = [read(classic).columns["aero_position"][0]]
    system = classic.read_text().replace(
        "libAdvancedLiftDragPlugin.so", "gz-sim-advanced-lift-drag-system"
    )
    found.append(read(write(system)).columns["aero_position"][0])
    centre = (2 * 0.1 - 0.05 * 0.4) / 2.45
    np.testing.assert_allclose(found, [-0.1 - centre, -0.3 - centre])


def test_a_number_with_a_stray_point_is_read_and_listed(write: Write) -> None:
    """As in a model of PX4."""
    path = write(sdf(*parts().values()).replace("<cma>0</cma>", "<cma>0.0.</cma>"))
    with pytest.warns(ParameterWarning, match=r"<cma>: '0.0.' is read as 0"):
        from_sdf(path)


# --- what is refused ------------------------------------------------------------------------------

BOMB = (
    "<?xml version='1.0'?><!DOCTYPE sdf [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;'>]>"
    "<sdf version='1.6'><model name='x'>&b;</model></sdf>"
)
OUTSIDE = (
    "<!DOCTYPE sdf [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><sdf><model name='x'>&a;</model></sdf>"
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOMB, "expected no document type"),
        (OUTSIDE, "expected no document type"),
        ("<sdf><model name='x'></sdf>", "not an XML file: mismatched tag"),
        ("", "not an XML file: no element found"),
        ("<urdf/>", "expected an element <sdf>, or <robot> of a URDF file, got <urdf>"),
        ("<sdf version='1.6'><world name='w'/></sdf>", "<sdf>: expected one <model>, got 0"),
        (sdf(), "line 2: <model name='wing_quad'>: <link>: missing"),
        (
            sdf("<include><uri>model://x</uri></include>"),
            "missing; included models are not read, such as 'model://x'",
        ),
        (
            sdf("<port>{{ mavlink_tcp_port }}</port>"),
            r"line 2: expected a rendered file, got Jinja",
        ),
        (sdf("{% if hil %}"), r"line 2: expected a rendered file"),
        ("<?xml version='1.0' encoding='klingon'?><sdf/>", "not an XML file"),
        ("<sdf>" + "<model>" * 80, "within up to 60 others, got more"),
    ],
)
def test_files_that_are_no_models_are_refused(write: Write, text: str, message: str) -> None:
    with pytest.raises(ParameterError, match=rf"model\.sdf: .*{message}"):
        from_sdf(write(text))


def without(element: str, name: str) -> str:
    """Return the file without the first element of a name, which stands in one line."""
    return re.sub(rf"<{name}>[^<]*</{name}>", "", element, count=1)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<mass>2</mass>", "<mass>0</mass>", "<mass>: expected more than 0, got 0"),
        ("<mass>2</mass>", "<mass>nan</mass>", r"<mass>: .*got 'nan'"),
        ("<mass>2</mass>", "<mass>1e999</mass>", "<mass>: expected a finite number"),
        ("<mass>2</mass>", "<mass>\u0662</mass>", "<mass>: expected a finite number"),  # in Arabic
        ("<mass>2</mass>", "<mass>2 kg</mass>", "<mass>: expected 1 number, got '2 kg'"),
        (
            "<ixx>0.1</ixx>",
            "<ixx>9</ixx>",
            "inertia: expected a tensor with positive principal moments",
        ),
        ("<pose>0 0 0.2 0 0 0</pose>", "<pose>0 0 0.2</pose>", "<pose>: expected 6 numbers"),
        ("<pose>0 0 0.2 0 0 0</pose>", "<pose relative_to='x'>0 0 0 0 0 0</pose>", "no such link"),
        (
            "<pose>0 0 0.2 0 0 0</pose>",
            "<pose relative_to='body'>0 0 0 0 0 0</pose>",
            "refers to itself",
        ),
        (
            "<motorConstant>1.2e-5</motorConstant>",
            "",
            "<plugin name='motor_0'>: <motorConstant>: miss",
        ),
        ("<turningDirection>ccw", "<turningDirection>left", "expected cw or ccw, got 'left'"),
        ("<linkName>rotor_0", "<linkName>rotor_9", "<linkName>: no link 'rotor_9'"),
        (
            "<timeConstantUp>0.02",
            "<timeConstantUp>0",
            r"<timeConstantUp>: .*got 0",
        ),
        (
            "<maxRelativeAirspeed>20",
            "<maxRelativeAirspeed>0",
            "<maxRelativeAirspeed>: expected more",
        ),
        ("<cla>4.5</cla>", "", "<plugin name='wing'>: <cla>: missing"),
        ("<area>0.4</area>", "<area>0</area>", "<area>: expected more than 0, got 0"),
        ("<alpha_stall>0.3", "<alpha_stall>-1", "<alpha_stall>: expected at least 0.001"),
        ("<upward>0 0 1", "<upward>1 0 1", "<upward>: expected"),
        ("<upward>0 0 1", "<upward>0 0 0", r"<upward>: .*got 0 0 0"),
        ("<cp>-0.05 0 0.02", "<cp>-0.05 0", "<cp>: expected 3 numbers, got '-0.05 0'"),
        (
            "<input_index>9",
            "<input_index>16",
            r"<input_index>: .*got 16",
        ),
        ("<input_scaling>0.5", "<input_scaling>", r"<input_scaling>: .*got ''"),
        ("position_kinematic", "magic", "expected velocity or position, got 'magic'"),
        (
            "<joint_name>flap_joint",
            "<joint_name>none",
            r"joint 'flap_joint': it moves freely",
        ),
        ("<lower>-0.4", "<lower>0.9", r"<limit>: .*got 0.9, 0.5"),
        (
            "<link name='flap'>",
            "<link name='body'>",
            "expected each name once, got that of line 3 again",
        ),
        (
            "</model>",
            "<include><uri>../../secret</uri></include></model>",
            "expected a model of its fol",
        ),
        (
            "</model>",
            "<include><uri>/etc/passwd</uri></include></model>",
            "expected a model of its fol",
        ),
        (
            "</model>",
            "<include><uri>file:///etc/passwd</uri></include></model>",
            "a model of its fol",
        ),
        ("</model>", "<include/></model>", "<include>: <uri>: missing"),
        ("</model>", "<static>true</static></model>", "<static>: expected"),
        ("</model>", "<static>maybe</static></model>", "<static>: expected true or false, got 'm"),
        (
            "</model>",
            "<joint name='j' type='fixed'><parent>world</parent><child>body</child></joint>"
            "</model>",
            "expected links of the vehicle, got the world",
        ),
        ("<inertial>", "<kinematic>1</kinematic><inertial>", "<kinematic>: expected false"),
        ("<inertial>", "<inertial auto='true'>", "auto: expected false"),
        ("<inertial>", "<inertial/><inertial>", "<inertial>: expected once, got 2"),
        ("<mass>2</mass>", "<mass>2</mass><mass>3</mass>", "<mass>: expected once, got 2"),
        ("type='revolute'", "type='spiral'", r"type: .*got 'spiral'"),
        ("type='revolute'", "", "type: expected one of ball, .*, got None"),
        ("<child>flap", "<child>body", "expected two links, got 'body' twice"),
        (
            "name='flap_joint' type='revolute'",
            "name='flap_joint' type='prismatic'",
            r"type: .*got 'prismatic'",
        ),
        ("<joint name='rotor_1_joint'", "<joint name='rotor_0_joint'", "expected each name once"),
        (
            "<linkName>rotor_1",
            "<linkName>rotor_0",
            r"<linkName>: .*got 'rotor_0' of line",
        ),
        ("<jointName>rotor_1", "<jointName>rotor_0", r"<jointName>: expected one motor of each"),
        ("<jointName>rotor_1", "<jointName>x", "<jointName>: no joint 'x_joint' of the body"),
        ("<motorNumber>3", "<motorNumber>1.5", "<motorNumber>: expected"),
        ("<motorNumber>3", "<motorNumber>16", "<motorNumber>: expected"),
        ("<motorNumber>3", "<motorType>force</motorType><motorNumber>3", "<motorType>: expected v"),
        ("<input_index>9", "<input_index>2", r"<input_index>: .*got 2 of line"),
        (
            "<ixx>0.1</ixx>",
            "<ixx>-1</ixx>",
            r"<link name='body'>: <inertial>: <inertia>: <ixx>: expected at least 0",
        ),
        (
            "</control_channels>",
            CHANNEL.format(name="flap", index=11, scaling=1, armed=0, kind="position")
            + "</control_channels>",
            r"<joint_name>: .*got 'flap_joint' of line",
        ),
        ("<area>0.4", "<area>1e200", "<area>: expected"),
        ("name='wing_quad'", "name=''", r"name: .*got ''"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_bad_elements_are_refused_by_name(write: Write, old: str, new: str, message: str) -> None:
    text = sdf(*parts().values())
    assert old in text
    with pytest.raises(ParameterError, match=message) as caught:
        from_sdf(write(text.replace(old, new, 1)), strict=True)
    assert str(caught.value).startswith("model.sdf: ")


def test_chains_and_crowds_are_refused(write: Write) -> None:
    """Whose reading would need more depth or time than a model is worth."""
    frame = "<frame name='f{}'><pose relative_to='f{}'>0 0 0 0 0 0</pose></frame>"
    chain = "".join(frame.format(n, n + 1) for n in range(400))
    text = sdf(*parts().values(), chain)
    text = text.replace(
        "<pose>0.5 -0.5 0.3 0 0 0</pose>", "<pose relative_to='f0'>0 0 0 0 0 0</pose>"
    )
    with pytest.raises(ParameterError, match="expected up to 50 frames in each other"):
        from_sdf(write(text))
    crowd = "".join(f"<link name='l{n}'/>" for n in range(501))
    with pytest.raises(ParameterError, match="expected up to 500, got 501"):
        from_sdf(write(sdf(crowd)))


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_huge_numbers_are_refused(write: Write) -> None:
    for huge in ("1e200", "-1e308"):
        text = sdf(*parts().values()).replace(">0.5 -0.5 0.3 0 0 0", f">{huge} 0 0 {huge} 0 0")
        with pytest.raises(ParameterError, match="<link name='rotor_0'>: <pose>: expected"):
            from_sdf(write(text))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="cannot be read: No such file"):
        from_sdf(tmp_path / "none.sdf")
    with pytest.raises(ParameterError, match="expected a regular file"):
        from_sdf(tmp_path)
    big = tmp_path / "big.sdf"
    big.write_bytes(b" " * 4_000_001)
    with pytest.raises(ParameterError, match="expected at most 4 MB, got more"):
        from_sdf(big)
    with pytest.raises(ParameterError, match=r"path: .*got 3"):
        from_sdf(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "readable"),
    [
        (WHOLE.replace("?>", " encoding='utf-16'?>", 1).encode("utf-16"), True),
        (WHOLE.replace("?>", " encoding='iso-8859-1'?>", 1).encode("latin-1"), True),
        (b"\xef\xbb\xbf" + WHOLE.encode(), True),
        (WHOLE.encode("utf-32"), False),
        (WHOLE.replace("</model>", "\xe9</model>").encode("latin-1"), False),
        (WHOLE.encode().replace(b"<mass>", b"\0<mass>"), False),
        (b"\0" * 100, False),
        pytest.param(b"<sdf><model>" + b"<link/>" * 100_001, False, id="crowd"),
        (b"{" * 100_000, False),
    ],
)
def test_bytes_of_any_kind_are_read_or_refused(write: Write, data: bytes, readable: bool) -> None:
    path = write("")
    path.write_bytes(data)
    if readable:
        assert read(path).columns["motor_count"][0] == 4
    else:
        with pytest.raises(ParameterError, match=r"^model\.sdf: line \d+: "):
            from_sdf(path)


def test_what_is_listed_has_an_end(write: Write) -> None:
    path = write(WHOLE.replace("</model>", "<jet/>\n" * 2000 + "</model>"))
    with pytest.warns(ParameterWarning, match="and more"):
        vehicle = from_sdf(path)
    assert len(vehicle.notes) < 3000


def check_outcome(path: Path) -> None:
    """Check that a file gives a vehicle of finite numbers, or an error with a line."""
    message = ""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ParameterWarning)
        try:
            vehicle = from_sdf(path)
        except ParameterError as error:
            message = str(error)
        else:
            assert all(np.isfinite(column).all() for column in vehicle.columns.values())
    assert re.match(
        r"model\.sdf: (line \d+|<sdf>): |$|model\.sdf: expected an element <sdf>", message
    )


WORDS = "|nan|inf|1e999|1e308|-1e15|1e-320|0|-1|0.0.|1_0|true|1 2 3|16|world|body|../..|\x00".split(
    "|"
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(st.integers(0, 400), st.sampled_from(WORDS)), min_size=1, max_size=3))
def test_any_value_gives_a_vehicle_or_a_clear_error(
    write: Write, changes: list[tuple[int, str]]
) -> None:
    """Numbers and texts of elements replaced; the vehicle can be built."""
    damaged = WHOLE
    for number, word in changes:
        values = list(re.finditer(r"(?<=>)[^<>\n]+(?=</)", damaged))
        value = values[number % len(values)]
        damaged = damaged[: value.start()] + word + damaged[value.end() :]
    check_outcome(write(damaged))


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    start=st.integers(0, len(WHOLE)),
    length=st.integers(0, 40),
    put=st.text(alphabet="0123456789.-+eE<>/ \"'&;nan\x00é", max_size=12),
)
def test_a_damaged_file_gives_a_vehicle_or_a_clear_error(
    write: Write, start: int, length: int, put: str
) -> None:
    damaged = WHOLE[:start] + put + WHOLE[start + length :]
    check_outcome(write(damaged))


def test_a_blank_line_after_a_byte_order_mark_is_none_of_xml(tmp_path: Path) -> None:
    path = tmp_path / "a.sdf"
    path.write_bytes(b"\xef\xbb\xbf\n<?xml version='1.0'?><sdf version='1.6'/>")
    with pytest.raises(ParameterError, match="expected one <model>, got 0"):
        from_sdf(path)
