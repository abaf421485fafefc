"""Airspeeds of planes of blocks by what their elevator holds, and what is said without any."""

from __future__ import annotations

from pathlib import Path

import pytest

import pyrfly
from pyrfly import ParameterWarning
from pyrfly.vehicles import from_sdf

from .conftest import sdf

BODY = """
<link name='body'><inertial><pose>{x} 0 0 0 0 0</pose><mass>1.5</mass>
  <inertia><ixx>0.1</ixx><iyy>0.15</iyy><izz>0.2</izz></inertia></inertial></link>
<link name='propeller'><pose>0.3 0 0 0 1.5707963267948966 0</pose><inertial><mass>0.005</mass>
  <inertia><ixx>1e-6</ixx><iyy>1e-6</iyy><izz>2e-6</izz></inertia></inertial></link>
<joint name='shaft' type='continuous'><parent>body</parent><child>propeller</child></joint>
<plugin name='motor' filename='libgazebo_motor_model.so'>
  <jointName>shaft</jointName><linkName>propeller</linkName>
  <turningDirection>cw</turningDirection><timeConstantUp>0.02</timeConstantUp>
  <timeConstantDown>0.02</timeConstantDown><maxRotVelocity>3000</maxRotVelocity>
  <motorConstant>2e-6</motorConstant><momentConstant>0.01</momentConstant>
  <motorNumber>0</motorNumber></plugin>
"""

FLAP = """
<link name='{name}'><pose>{x} {y} 0 0 0 0</pose><inertial><mass>0.001</mass>
  <inertia><ixx>1e-6</ixx><iyy>1e-6</iyy><izz>1e-6</izz></inertia></inertial></link>
<joint name='{name}_joint' type='revolute'><parent>body</parent><child>{name}</child>
  <axis><xyz>0 1 0</xyz><limit><lower>-0.5</lower><upper>0.5</upper></limit></axis></joint>
<plugin name='{name}_lift' filename='libLiftDragPlugin.so'>
  <a0>{a0}</a0><cla>4.7</cla><cda>0.1</cda><alpha_stall>0.3</alpha_stall>
  <cla_stall>-3.8</cla_stall><cda_stall>-0.9</cda_stall><cp>{x} {y} 0</cp><area>{area}</area>
  <link_name>body</link_name><control_joint_name>{name}_joint</control_joint_name>
  <control_joint_rad_to_cl>{gain}</control_joint_rad_to_cl></plugin>
<plugin name='{name}_servo' filename='gz-sim-joint-position-controller-system'>
  <joint_name>{name}_joint</joint_name></plugin>
"""


FIN = """
<plugin name='fin' filename='libLiftDragPlugin.so'>
  <a0>0</a0><cla>4.7</cla><cda>0.1</cda><alpha_stall>0.3</alpha_stall>
  <cla_stall>-3.8</cla_stall><cda_stall>-0.9</cda_stall><cp>-0.7 0 0</cp><area>0.03</area>
  <upward>0 1 0</upward><link_name>body</link_name></plugin>
"""


def plane(centre: float, tail: float) -> str:
    """Return a plane: its centre of mass [m] ahead of the wings, the area of its tail [m^2]."""
    wings = (
        FLAP.format(name=f"wing{y}", x=0.0, y=y, a0=0.06, area=0.2, gain=-0.5) for y in (-1, 1)
    )
    elevator = FLAP.format(name="tail", x=-0.7, y=0.0, a0=0.0, area=tail, gain=-4.0)
    return sdf(BODY.format(x=centre), *wings, elevator, FIN)


def read(folder: Path, text: str) -> pyrfly.Sim:
    path = folder / "model.sdf"
    path.write_text(text)
    return pyrfly.Sim(from_sdf(path, strict=True), dt=0.002)


@pytest.mark.parametrize(
    ("centre", "tail", "slowest"), [(0.02, 0.05, 0), (0.1, 0.05, 0), (0.2, 0.01, 20)]
)
def test_cruise_is_an_airspeed_that_the_elevator_holds(
    tmp_path: Path, centre: float, tail: float, slowest: float
) -> None:
    """It has travel left in steady cruise; a small one needs an airspeed far above the stall."""
    sim = read(tmp_path, plane(centre, tail))
    cruise = float(sim.wing_cruise_airspeed[0])
    assert cruise > slowest
    sim.reset(pos=[[0.0, 0.0, -100.0]])
    sim.vel[:, 0] = cruise
    sim.arm()
    sim.command_position([3000.0, 0.0, -100.0], vel=[cruise, 0.0, 0.0])
    sim.sleep(15)
    assert sim.pos[0, 2] == pytest.approx(-100.0, abs=1.0)
    assert abs(sim.joint_angle[0, 2]) < 0.5


def test_an_elevator_that_holds_no_airspeed_is_said(tmp_path: Path) -> None:
    """As of PX4's `techpod`, whose centre of mass is 0.2 m ahead of its wings, too."""
    path = tmp_path / "model.sdf"
    path.write_text(plane(0.2, 0.002))
    with pytest.warns(ParameterWarning, match=r"not flown:\n.*its elevator holds"):
        vehicle = from_sdf(path)
    assert "not flown:" in vehicle.notes
    with pytest.raises(ValueError, match="lacks it"):
        pyrfly.Sim(vehicle).command_position([0.0, 0.0, -50.0])
