"""Sets of tractors with a trailer: what is impossible, the hull, the loads of the axles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pyrfly
from pyrfly import ParameterError, vehicles
from pyrfly.vehicles import FAMILIES
from pyrfly.vehicles.truck.bodies import loads

from .bodies import Bodies

SET = vehicles.load("truck_trailer")
SOURCE = Path(vehicles.__file__).parent / "truck" / "sets" / "truck_trailer.toml"


def edited(path: Path, name: str, value: str) -> Path:
    """Write the packaged set with another value of an entry."""
    lines, out, inside = SOURCE.read_text(encoding="utf-8").splitlines(), [], False
    for line in lines:
        inside = line == f"[{name}]" if line.startswith("[") else inside
        out.append(f"value = {value}" if inside and line.startswith("value") else line)
    path.write_text("\n".join(out), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "value", "named"),
    [
        ("mass", "0.0", "mass: value: expected more than 0"),
        ("mass", "nan", "mass: value: expected"),
        ("trailer_wheelbase", "inf", "trailer_wheelbase: value: expected"),
        ("front_axle", "0.0", "front_axle: value: expected more than 0"),
        ("trailer_wheelbase", "-8.0", "trailer_wheelbase: value: expected more than 0"),
        ("yaw_inertia", "-1.0", "yaw_inertia: value: expected more than 0"),
        ("trailer_inertia", "0.0", "trailer_inertia: value: expected more than 0"),
        ("trailer_mass", "-5.0", "trailer_mass: value: expected more than 0"),
        ("trailer_mass", "33000.0", "trailer_mass"),
        ("trailer_wheelbase", "0.5", "trailer_centre|trailer_wheelbase"),
        ("hitch_offset", "9.0", "trailer_wheelbase"),
        ("hitch_offset", "-4.0", "hitch_offset"),
        ("trailer_centre", "-1.0", "trailer_centre"),
        ("trailer_centre", "20.0", "trailer_centre"),
        ("yaw_inertia", "1e9", "yaw_inertia"),
        ("trailer_inertia", "1e9", "trailer_inertia"),
        ("cornering_coef", "[6.0, 0.0, 6.0]", "cornering_coef"),
        ("steering_max", "1.6", "steering_max"),
        ("blend_speed", "0.0", "blend_speed"),
    ],
)
def test_what_cannot_be_is_refused_by_name(
    tmp_path: Path, name: str, value: str, named: str
) -> None:
    with pytest.raises(ParameterError, match=named):
        vehicles.load(edited(tmp_path / "odd.toml", name, value))


def test_axles_carry_what_the_moments_of_the_weights_give() -> None:
    columns = SET.columns
    gravity = float(columns["gravity"][0])
    np.testing.assert_allclose(loads(columns), Bodies(columns).loads() / gravity, rtol=1e-12)
    assert loads(columns).sum() == pytest.approx(float(columns["mass"][0]))


def test_its_hull_is_as_long_as_the_vehicle() -> None:
    """16.5 m [@commonroad parameters_vehicle4.yaml trailer.l_total], to what is estimated."""
    hull = FAMILIES["truck"].hull(SET)
    assert [shape.name for shape in hull.shapes] == ["tractor", "trailer"]
    low, high = hull.extent
    assert high[0] - low[0] == pytest.approx(16.5, abs=0.5)
    assert high[1] - low[1] == pytest.approx(2.55)


def test_a_second_vehicle_that_is_hit_by_the_trailer_moves() -> None:
    sim = pyrfly.Sim("truck_trailer", 2)
    sim.reset(pos=[[0, 0, 0], [-16.0, 0, 0]])
    sim.collisions.enable()
    sim.controllers = False
    sim.vel[0, 0] = -4.0
    sim.sleep(1.0)
    assert float(sim.pos[1, 0]) < -16.2
    assert sim.check().ok
