"""Vehicles from URDF files: their numbers by hand, and what is asked for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pyrfly import ParameterError, ParameterWarning
from pyrfly.vehicles import from_sdf, load

MOTOR = """
<gazebo><plugin name='motor_{n}' filename='librotors_gazebo_motor_model.so'>
  <robotNamespace>quad</robotNamespace>
  <jointName>quad/rotor_{n}_joint</jointName><linkName>quad/rotor_{n}</linkName>
  <turningDirection>{turn}</turningDirection>
  <timeConstantUp>0.0125</timeConstantUp><timeConstantDown>0.025</timeConstantDown>
  <maxRotVelocity>838</maxRotVelocity><motorConstant>8.54858e-06</motorConstant>
  <momentConstant>0.016</momentConstant>
  <commandSubTopic>gazebo/command/motor_speed</commandSubTopic>
  <motorNumber>{n}</motorNumber><rotorDragCoefficient>8.06428e-05</rotorDragCoefficient>
  <rollingMomentCoefficient>1e-06</rollingMomentCoefficient>
  <motorSpeedPubTopic>motor_speed/{n}</motorSpeedPubTopic>
  <rotorVelocitySlowdownSim>10</rotorVelocitySlowdownSim>
</plugin></gazebo>
"""

ROTOR = """
<link name='quad/rotor_{n}'><inertial><mass value='0.005'/>
  <inertia ixx='9.75e-07' ixy='0' ixz='0' iyy='4.17e-05' iyz='0' izz='4.26e-05'/></inertial></link>
<joint name='quad/rotor_{n}_joint' type='continuous'>
  <origin xyz='{x} {y} 0.01' rpy='0 0 0'/><axis xyz='0 0 1'/>
  <parent link='quad/base_link'/><child link='quad/rotor_{n}'/></joint>
"""

BODY = """
<link name='quad/root'/>
<joint name='quad/root_joint' type='fixed'>
  <origin xyz='0 0 0' rpy='0 0 0'/><parent link='quad/root'/><child link='quad/base_link'/></joint>
<link name='quad/base_link'><inertial><mass value='0.6'/><origin xyz='0 0 0'/>
  <inertia ixx='0.007' ixy='0' ixz='0' iyy='0.008' iyz='0' izz='0.012'/></inertial></link>
<link name='quad/imu'><inertial><origin xyz='0 0 0.02'/><mass value='0.08'/>
  <inertia ixx='1e-5' ixy='0' ixz='0' iyy='2e-5' iyz='0' izz='3e-5'/></inertial></link>
<joint name='quad/imu_joint' type='fixed'>
  <origin xyz='0.1 0 0' rpy='0 0 1.5707963267948966'/>
  <parent link='quad/base_link'/><child link='quad/imu'/></joint>
<gazebo><plugin filename='librotors_gazebo_imu_plugin.so' name='imu'/></gazebo>
<gazebo><plugin filename='librotors_gazebo_wind_plugin.so' name='wind'>
  <windForceMean>0.0</windForceMean></plugin></gazebo>
"""

PLACES = ((0.17, 0.0, "cw"), (0.0, 0.17, "ccw"), (-0.17, 0.0, "cw"), (0.0, -0.17, "ccw"))


def robot(*parts: str) -> str:
    return "<?xml version='1.0'?>\n<robot name='quad'>" + "\n".join(parts) + "</robot>"


QUAD = robot(
    BODY,
    *(ROTOR.format(n=n, x=x, y=y) for n, (x, y, _) in enumerate(PLACES)),
    *(MOTOR.format(n=n, turn=turn) for n, (_, _, turn) in enumerate(PLACES)),
)


def written(folder: Path, text: str) -> Path:
    path = folder / "quad.urdf"
    path.write_text(text)
    return path


def test_a_urdf_file_is_a_vehicle(tmp_path: Path) -> None:
    """By hand: 0.6 kg, 0.08 kg that are turned by 90 degrees and 0.1 m ahead, four rotors."""
    with pytest.warns(ParameterWarning, match="assumed:"):
        vehicle = load(written(tmp_path, QUAD))
    columns = vehicle.columns
    mass = 0.6 + 0.08 + 4 * 0.005
    assert columns["mass"][0] == pytest.approx(mass)
    x, z = 0.08 * 0.1 / mass, (0.08 * 0.02 + 4 * 0.005 * 0.01) / mass
    xx, yy, zz, xy, _, _ = columns["inertia"]
    rotors = 2 * 0.005 * 0.17**2
    along = 0.6 * x**2 + 0.08 * (0.1 - x) ** 2 + 0.02 * x**2
    up = 0.6 * z**2 + 0.08 * (0.02 - z) ** 2 + 0.02 * (0.01 - z) ** 2
    assert zz == pytest.approx(0.012 + 3e-5 + 4 * 4.26e-05 + 2 * rotors + along)
    assert xx == pytest.approx(0.007 + 2e-5 + 4 * 9.75e-07 + rotors + up)
    assert yy == pytest.approx(0.008 + 1e-5 + 4 * 4.17e-05 + rotors + along + up)
    assert xy == pytest.approx(0.0, abs=1e-9)
    places = columns["motor_position"].reshape(3, -1)[:, 0]
    np.testing.assert_allclose(places, [0.17 - x, 0.0, z - 0.01], atol=1e-12)


def test_a_motor_of_rotors_has_its_law(tmp_path: Path) -> None:
    """Thrust that no airspeed takes, with the sign of the speed; a moment without direction."""
    columns = from_sdf(written(tmp_path, QUAD), strict=True).columns
    assert columns["motor_count"][0] == 4
    np.testing.assert_array_equal(columns["motor_direction"][:4], [-1, 1, -1, 1])
    np.testing.assert_array_equal(columns["motor_airspeed_loss"][:4], 0.0)
    np.testing.assert_array_equal(columns["motor_reversible"][:4], 1.0)
    rolling = columns["motor_rolling"] * columns["motor_direction"]
    np.testing.assert_allclose(rolling[:4], 1e-6)
    np.testing.assert_allclose(columns["motor_thrust"][:4], 8.54858e-06)
    np.testing.assert_allclose(columns["motor_moment"][:4], 0.016)
    np.testing.assert_allclose(columns["motor_drag"][:4], 8.06428e-05)


def test_only_the_channels_of_its_motors_are_assumed(tmp_path: Path) -> None:
    notes = from_sdf(written(tmp_path, QUAD), strict=True).notes
    assert notes.startswith("assumed:")
    assert all("no control channel" in line for line in notes.splitlines()[1:])


def test_a_wind_that_blows_is_left_out(tmp_path: Path) -> None:
    windy = QUAD.replace("<windForceMean>0.0", "<windForceMean>2.0")
    with pytest.raises(ParameterError, match=r"left out:\n.*wind.*<windForceMean>: Sim.wind"):
        from_sdf(written(tmp_path, windy), strict=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (robot(BODY.partition("<gazebo>")[0]), "URDF: it has no thrust and no lift.*motorConstant"),
        (robot("<link name='a'/>"), "URDF: expected at least one <link> with <inertial>"),
        (robot(), "URDF: <link>: missing"),
        (robot("<xacro:include filename='x'/>", BODY), "URDF: expected a file that xacro has"),
        (QUAD.replace("<mass value='0.6'/>", ""), "URDF: <mass value>: missing"),
        (QUAD.replace("ixx='0.007' ", ""), "URDF: <inertia ixx>: missing"),
        (
            QUAD.replace("child link='quad/imu'", "child link='x'"),
            "URDF: <child>: expected a <link>",
        ),
        (
            QUAD.replace("child link='quad/imu'", "child link='quad/base_link'"),
            "URDF: <child>: expected one joint to 'quad/base_link'",
        ),
        (
            QUAD.replace("imu_joint' type='fixed'", "imu_joint' type='floating'"),
            "URDF: type: expec",
        ),
        (QUAD.replace("<mass value='0.6'/>", "<mass value='x'/>"), "expected a finite number"),
        (QUAD.replace("xyz='0.1 0 0'", "xyz='0.1 0'"), "expected 6 numbers"),
    ],
)
def test_what_is_missing_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        from_sdf(written(tmp_path, text), strict=True)


def test_a_circle_of_joints_is_refused(tmp_path: Path) -> None:
    link = "<link name='{}'/>"
    joint = (
        "<joint name='{0}{1}' type='fixed'><parent link='{0}'/><child link='{1}'/></joint>".format
    )
    text = robot(*map(link.format, "abc"), joint("a", "b"), joint("b", "a"))
    with pytest.raises(ParameterError, match="URDF"):
        from_sdf(written(tmp_path, text))
