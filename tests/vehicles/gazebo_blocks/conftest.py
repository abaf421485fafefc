"""SDF files of tests' own models."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

BODY = """
<link name='body'>
  <pose>0 0 0.2 0 0 0</pose>
  <inertial><pose>0.1 0 0 0 0 0</pose><mass>2</mass>
    <inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.25</izz><ixz>0.01</ixz></inertia></inertial>
</link>
"""

ROTOR = """
<link name='rotor_{n}'>
  <pose>{x} {y} 0.3 0 0 0</pose>
  <inertial><mass>0.1</mass>
    <inertia><ixx>1e-4</ixx><iyy>1e-4</iyy><izz>2e-4</izz></inertia></inertial>
</link>
<joint name='rotor_{n}_joint' type='revolute'>
  <parent>body</parent><child>rotor_{n}</child><axis><xyz>0 0 1</xyz></axis>
</joint>
"""

MOTOR = """
<plugin name='motor_{n}' filename='libgazebo_motor_model.so'>
  <jointName>rotor_{n}_joint</jointName><linkName>rotor_{n}</linkName>
  <turningDirection>{turn}</turningDirection>
  <timeConstantUp>0.02</timeConstantUp><timeConstantDown>0.04</timeConstantDown>
  <maxRotVelocity>900</maxRotVelocity><motorConstant>1.2e-5</motorConstant>
  <momentConstant>0.03</momentConstant><motorNumber>{n}</motorNumber>
  <rotorDragCoefficient>1e-4</rotorDragCoefficient>
  <maxRelativeAirspeed>20</maxRelativeAirspeed>
</plugin>
"""

FLAP = """
<link name='flap'>
  <pose>-0.4 0 0.2 0 0 0</pose>
  <inertial><mass>0.05</mass>
    <inertia><ixx>1e-5</ixx><iyy>1e-5</iyy><izz>1e-5</izz></inertia></inertial>
</link>
<joint name='flap_joint' type='revolute'>
  <parent>body</parent><child>flap</child>
  <axis><xyz>0 1 0</xyz><limit><lower>-0.4</lower><upper>0.5</upper></limit></axis>
</joint>
"""

WING = """
<plugin name='wing' filename='libLiftDragPlugin.so'>
  <a0>0.05</a0><cla>4.5</cla><cda>0.6</cda><cma>0</cma><alpha_stall>0.3</alpha_stall>
  <cla_stall>-3</cla_stall><cda_stall>-0.9</cda_stall><cma_stall>0</cma_stall>
  <cp>-0.05 0 0.02</cp><area>0.4</area><air_density>1.2041</air_density>
  <forward>2 0 0</forward><upward>0 0 1</upward><link_name>body</link_name>
  <control_joint_name>
    flap_joint
  </control_joint_name><control_joint_rad_to_cl>-2</control_joint_rad_to_cl>
</plugin>
"""

CHANNEL = """
<channel name='{name}'>
  <input_index>{index}</input_index><input_offset>0</input_offset>
  <input_scaling>{scaling}</input_scaling>
  <zero_position_disarmed>0</zero_position_disarmed><zero_position_armed>{armed}</zero_position_armed>
  <joint_control_type>{kind}</joint_control_type><joint_name>{name}_joint</joint_name>
</channel>
"""

CORNERS = ((0.5, -0.5, "ccw"), (-0.5, 0.5, "ccw"), (0.5, 0.5, "cw"), (-0.5, -0.5, "cw"))


def sdf(*parts: str, name: str = "wing_quad") -> str:
    """Return an SDF file of a model with these elements."""
    inside = "\n".join(parts)
    return (
        f"<?xml version='1.0'?>\n<sdf version='1.6'><model name='{name}'>{inside}</model></sdf>\n"
    )


def parts() -> dict[str, str]:
    """Return the elements of a quadrotor with a wing, by their kind."""
    rotors = "".join(ROTOR.format(n=n, x=x, y=y) for n, (x, y, _) in enumerate(CORNERS))
    motors = "".join(MOTOR.format(n=n, turn=turn) for n, (*_, turn) in enumerate(CORNERS))
    channels = "".join(
        CHANNEL.format(name=f"rotor_{n}", index=n, scaling=800, armed=100, kind="velocity")
        for n in range(4)
    )
    channels += CHANNEL.format(
        name="flap", index=9, scaling=0.5, armed=0, kind="position_kinematic"
    )
    interface = (
        "<plugin name='mavlink_interface' filename='libgazebo_mavlink_interface.so'>"
        f"<control_channels>{channels}</control_channels></plugin>"
    )
    return {
        "body": BODY, "rotors": rotors, "flap": FLAP, "wing": WING, "motors": motors,
        "interface": interface,
    }  # fmt: skip


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a file, by default of the quadrotor with a wing."""

    def written(text: str | None = None, name: str = "model.sdf") -> Path:
        path = tmp_path / name
        path.write_text(sdf(*parts().values()) if text is None else text, encoding="utf-8")
        return path

    return written
