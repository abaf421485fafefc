"""FlightGear's packets against its layout, closed forms, and what a stand-in reads."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.wire import flightgear

FOOT, KNOT = 0.3048, 1852 / 3600
SINGLE = 2e-7  # relative error of float32, with that of a computation in it
PRECISIONS = pytest.mark.parametrize("precision", ["float64", "float32"])

OFFSETS = {
    "version": 0, "longitude": 8, "latitude": 16, "altitude": 24, "agl": 32, "phi": 36,
    "theta": 40, "psi": 44, "alpha": 48, "beta": 52, "phidot": 56, "thetadot": 60, "psidot": 64,
    "vcas": 68, "climb_rate": 72, "v_north": 76, "v_east": 80, "v_down": 84, "v_body_u": 88,
    "v_body_w": 96, "A_X_pilot": 100, "A_Z_pilot": 108, "stall_warning": 112, "slip_deg": 116,
    "num_engines": 120, "eng_state": 124, "rpm": 140, "fuel_flow": 156, "fuel_px": 172,
    "egt": 188, "cht": 204, "mp_osi": 220, "tit": 236, "oil_temp": 252, "oil_px": 268,
    "num_tanks": 284, "fuel_quantity": 288, "num_wheels": 304, "wow": 308, "gear_pos": 320,
    "gear_steer": 332, "gear_compression": 344, "cur_time": 356, "warp": 360, "visibility": 364,
    "elevator": 368, "elevator_trim_tab": 372, "left_flap": 376, "right_flap": 380,
    "left_aileron": 384, "right_aileron": 388, "rudder": 392, "nose_wheel": 396,
    "speedbrake": 400, "spoilers": 404,
}  # fmt: skip
"""As a C compiler lays them out."""


@pytest.fixture
def read(standin):
    """Return a function from a `Sim` and IDs to what a FlightGear reads of each packet."""

    def fields(sim: pyrfly.Sim, ids=None) -> list[dict]:
        return [standin("flightgear").read(p.tobytes()) for p in flightgear.pack(sim, ids)]

    return fields


def moving(precision: str = "float64", n: int = 5) -> pyrfly.Sim:
    """Return vehicles at random positions, attitudes and velocities."""
    sim = pyrfly.Sim("sdk", n, precision=precision)
    rng = np.random.default_rng(11)
    sim.pos[:] = rng.uniform([-500, -500, -900], [500, 500, -100], (n, 3))
    sim.vel[:] = rng.normal(0, 10, (n, 3))
    sim.rate[:] = rng.normal(size=(n, 3))
    sim.att[:] = Rotation.random(n, random_state=3).as_quat()[:, [3, 0, 1, 2]]
    sim.rotor_speed[:] = rng.uniform(100, 900, (n, 4))
    sim.wind[:] = rng.normal(0, 5, (n, 3))
    return sim


def body_to_ned(sim: pyrfly.Sim) -> Rotation:
    return Rotation.from_quat(sim.att.astype(float)[:, [1, 2, 3, 0]])


def test_layout_is_that_of_the_compiler() -> None:
    fields = flightgear.DTYPE.fields
    assert flightgear.DTYPE.itemsize == 408
    assert {name: fields[name][1] for name in OFFSETS} == OFFSETS
    assert all(fields[name][0].base.byteorder == ">" for name in fields)


def test_the_stand_in_has_the_fields_of_the_layout(standin, read) -> None:
    assert standin("flightgear").FORMAT.size == 408
    assert set(read(pyrfly.Sim("sdk"))[0]) == set(flightgear.DTYPE.names)


def test_others_than_version_24_and_408_bytes_are_ignored(standin) -> None:
    packet = flightgear.pack(pyrfly.Sim("sdk"))[0].tobytes()
    assert standin("flightgear").read(packet)["version"] == flightgear.VERSION == 24
    assert standin("flightgear").read(packet + b"\0") is None
    assert standin("flightgear").read(b"\0\0\0\x19" + packet[4:]) is None


def test_a_vehicle_at_rest_on_the_ground(read) -> None:
    sim = pyrfly.Sim("sdk")
    sim.origin = 40.0, 116.25, 50.0
    (fields,) = read(sim)
    assert fields["latitude"] == pytest.approx(math.radians(40), abs=1e-12)
    assert fields["longitude"] == pytest.approx(math.radians(116.25), abs=1e-12)
    assert fields["altitude"] == pytest.approx(50, abs=1e-6)
    assert fields["A_Z_pilot"] == pytest.approx(-9.8 / FOOT, rel=SINGLE)
    assert fields["wow"] == [1, 1, 1]
    assert fields["gear_pos"] == [1, 1, 1]
    assert (fields["num_engines"], fields["num_wheels"], fields["num_tanks"]) == (4, 3, 0)
    assert fields["eng_state"] == fields["rpm"] == [0] * 4
    still = "agl phi theta psi alpha beta phidot thetadot psidot vcas climb_rate v_north v_down"
    assert [fields[name] for name in still.split()] == [0] * 13


def test_position_is_that_of_the_ellipsoid_in_radians(read) -> None:
    """To 2nd order in the distance: arcs of the meridian and of the parallel of latitude."""
    sim = pyrfly.Sim("sdk", 2)
    sim.origin = 47.4, 8.5, 0.0
    sim.pos[:] = [[100, 0, -20], [0, 100, -20]]
    north, east = read(sim)
    lat, e2 = math.radians(47.4), 2 / 298.257223563 - 1 / 298.257223563**2
    w2 = 1 - e2 * math.sin(lat) ** 2
    prime = 6378137 / math.sqrt(w2)
    meridian = prime * (1 - e2) / w2
    assert north["latitude"] - lat == pytest.approx(100 / (meridian + 20), rel=1e-5)
    assert east["longitude"] - math.radians(8.5) == pytest.approx(
        100 / ((prime + 20) * math.cos(lat)), rel=1e-5
    )
    assert north["altitude"] == pytest.approx(20 + 100**2 / 2 / meridian, abs=1e-5)
    assert east["agl"] == 20


@PRECISIONS
def test_velocities_and_specific_force_in_feet(read, precision: str) -> None:
    sim = moving(precision)
    body = body_to_ned(sim).inv().apply(sim.vel.astype(float)) / FOOT
    for i, fields in enumerate(read(sim)):
        ned = [fields[f"v_{name}"] for name in ("north", "east", "down")]
        assert ned == pytest.approx(sim.vel[i] / FOOT, rel=SINGLE)
        assert fields["climb_rate"] == -fields["v_down"]
        frd = [fields[f"v_body_{name}"] for name in "uvw"]
        np.testing.assert_allclose(frd, body[i], rtol=0, atol=3e-5)
        force = [fields[f"A_{name}_pilot"] for name in "XYZ"]
        assert force == pytest.approx(sim.specific_force[i] / FOOT, rel=SINGLE)


def test_a_falling_vehicle_feels_nothing(read) -> None:
    sim = pyrfly.Sim("sdk")
    sim.pos[:, 2] = -100
    (fields,) = read(sim)
    assert [fields[f"A_{name}_pilot"] for name in "XYZ"] == pytest.approx([0, 0, 0], abs=1e-6)
    assert fields["wow"] == [0, 0, 0]


@PRECISIONS
def test_rates_are_those_of_the_euler_angles(read, precision: str) -> None:
    """Against differences of the angles of attitudes 2 us apart."""
    sim, step = moving(precision, n=50), 1e-6
    at = body_to_ned(sim)
    turn = Rotation.from_rotvec(sim.rate.astype(float) * step)
    late, early = ((at * t).as_euler("ZYX")[:, ::-1] for t in (turn, turn.inv()))
    rates = np.angle(np.exp(1j * (late - early))) / (2 * step)
    level = np.abs(np.cos(late[:, 1])) > 0.1
    assert level.sum() > 30
    got = [[f["phidot"], f["thetadot"], f["psidot"]] for f in read(sim)]
    tolerance = 1e-6 if precision == "float64" else 1e-4
    np.testing.assert_allclose(np.array(got)[level], rates[level], rtol=tolerance, atol=tolerance)


def test_angles_are_those_of_the_attitude(read) -> None:
    sim = moving(n=50)
    angles = body_to_ned(sim).as_euler("ZYX")[:, ::-1]
    got = [[f["phi"], f["theta"], f["psi"]] for f in read(sim)]
    np.testing.assert_allclose(got, angles, rtol=0, atol=1e-6)


@pytest.mark.parametrize("up", [1, -1])
def test_rates_are_limited_with_a_vertical_nose(read, up: int) -> None:
    sim = pyrfly.Sim("sdk")
    sim.att[:] = [math.sqrt(0.5), 0, up * math.sqrt(0.5), 0]
    sim.rate[:] = [1, 2, 3]
    (fields,) = read(sim)
    assert abs(fields["theta"]) == pytest.approx(math.pi / 2)
    assert abs(fields["thetadot"]) == pytest.approx(2, rel=1e-6)
    assert all(abs(fields[name]) <= 1000 * math.sqrt(14) for name in ("phidot", "psidot"))


@PRECISIONS
def test_air_angles_and_speed_are_those_of_the_flow(read, precision: str) -> None:
    sim = moving(precision)
    flow = body_to_ned(sim).inv().apply((sim.vel - sim.wind).astype(float))
    speed = np.linalg.norm(flow, axis=1)
    for i, fields in enumerate(read(sim)):
        assert fields["alpha"] == pytest.approx(math.atan2(flow[i, 2], flow[i, 0]), abs=1e-5)
        assert fields["beta"] == pytest.approx(math.asin(flow[i, 1] / speed[i]), abs=1e-5)
        assert fields["vcas"] == pytest.approx(speed[i] / KNOT, rel=1e-5)  # air at sea level


def test_a_vehicle_that_drifts_with_the_wind_has_no_airspeed(read) -> None:
    sim = pyrfly.Sim("sdk")
    sim.vel[:] = sim.wind[:] = [5, -3, 0.5]
    (fields,) = read(sim)
    assert fields["alpha"] == fields["beta"] == fields["vcas"] == 0


@pytest.mark.parametrize(("height", "speed"), [(0, 100), (3000, 60), (9000, 250), (10000, 5)])
def test_calibrated_airspeed_has_the_same_impact_pressure_at_sea_level(
    read, height: float, speed: float
) -> None:
    sim = pyrfly.Sim("sdk")
    sim.origin = 45, 0, 0
    sim.pos[:, 2], sim.vel[:, 0] = -height, speed
    sim.environment.enable("atmosphere")
    (pressure,), (sound,) = sim.air_pressure, sim.sound_speed

    def impact(p: float, mach: float) -> float:
        return p * ((1 + 0.2 * mach**2) ** 3.5 - 1)

    measured = impact(pressure, speed / sound)
    calibrated = brentq(lambda v: impact(101325, v / 340.294) - measured, 0, 340, xtol=1e-9)
    assert read(sim)[0]["vcas"] * KNOT == pytest.approx(calibrated, rel=1e-5)


def test_wind_of_the_environment_counts(read) -> None:
    sim = pyrfly.Sim("sdk")
    sim.pos[:, 2] = -100
    sim.environment.set_gust([8, 0, 0], rise=0.01, hold=100)
    sim.step(100)
    steady = sim.wind_variation[0]
    assert steady[0] == pytest.approx(8, rel=1e-3)
    flow = sim.vel[0] - steady
    (fields,) = read(sim)
    assert fields["vcas"] * KNOT == pytest.approx(np.linalg.norm(flow), rel=1e-4)


@pytest.mark.parametrize(
    ("name", "engines"), [("sdk", 4), ("hex_x", 4), ("octo_x", 4), ("tri_y_plus", 3)]
)
def test_engines_are_the_first_four_rotors(read, name: str, engines: int) -> None:
    sim = pyrfly.Sim(name)
    speeds = 100.0 * np.arange(1, sim.rotor_speed.shape[1] + 1)
    sim.rotor_speed[:] = speeds
    sim.rotor_speed[:, 1] = 0
    (fields,) = read(sim)
    expected = [*(speeds * 60 / (2 * math.pi)), 0, 0][:engines]
    expected[1] = 0
    padding = [0] * (4 - engines)
    assert fields["num_engines"] == engines
    assert fields["rpm"] == pytest.approx([*expected, *padding], rel=SINGLE)
    assert fields["eng_state"] == [*[2, 0, 2, 2][:engines], *padding]


def test_types_of_one_simulation(read) -> None:
    sim = pyrfly.Sim({"sdk": 2, "tri_y_plus": 1, "hex_x": 1})
    assert [fields["num_engines"] for fields in read(sim)] == [4, 4, 3, 4]


def test_height_is_above_the_ground_below(read) -> None:
    sim = pyrfly.Sim("sdk", 3)
    sim.pos[:, 2], sim.terrain[:] = -12, [0, -5, -11.95]
    heights = [(fields["agl"], fields["wow"][0]) for fields in read(sim)]
    assert heights == [(12, 0), (7, 0), (pytest.approx(0.05, rel=1e-6), 1)]


def test_height_above_a_slope_is_that_of_the_plane(read) -> None:
    sim = pyrfly.Sim("sdk")
    sim.pos[:, 2] = -30
    sim.set_ground_plane(gradient=[-0.1, 0])
    sim.vel[:, 0] = 20
    sim.step(1000)
    (fields,) = read(sim)
    north, _, down = sim.pos[0]
    assert north > 15
    assert fields["agl"] == pytest.approx(-0.1 * north - down, abs=1e-3)


def test_of_plain_models_the_ground_is_the_terrain(read) -> None:
    with pytest.warns(pyrfly.ParameterWarning):
        sim = pyrfly.Sim("sdk", effects="plain")
    sim.pos[:, 2] = -7
    sim.step()
    assert read(sim)[0]["agl"] == pytest.approx(7, abs=1e-4)


def test_a_vehicle_on_its_feet_is_on_the_ground(read) -> None:
    sim = pyrfly.Sim("x450")
    sim.set_contact_points([[0.1, 0.1, 0.3], [0.1, -0.1, 0.3], [-0.1, 0.1, 0.3], [-0.1, -0.1, 0.3]])
    sim.reset()
    sim.step(3000)
    assert sim.pos[0, 2] < -0.2
    (standing,) = read(sim)
    assert standing["wow"] == [1, 1, 1]
    sim.pos[:, 2] -= 0.2
    assert read(sim)[0]["wow"] == [0, 0, 0]


def test_ids_pick_rows_in_their_order() -> None:
    sim = moving()
    rows = [packet.tobytes() for packet in flightgear.pack(sim)]
    chosen = flightgear.pack(sim, [5, 1, 4, 1])
    assert [packet.tobytes() for packet in chosen] == [rows[i - 1] for i in (5, 1, 4, 1)]
    assert flightgear.pack(sim, 3)[0].tobytes() == rows[2]
    assert flightgear.pack(sim, []).shape == (0,)
    with pytest.raises(ValueError, match="ids: expected CopterIDs from 1 to 5"):
        flightgear.pack(sim, [6])
