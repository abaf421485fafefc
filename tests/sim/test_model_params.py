"""Parameters by number: which they are, when they act, and what is refused."""

from __future__ import annotations

import copy
from contextlib import suppress
from math import inf
from pathlib import Path

import numpy as np
import pytest

import pyrfly
from pyrfly import Sim
from pyrfly.vehicles import FAMILIES, load, names
from pyrfly.vehicles.model_params import NumberedParam, plausible_range

NUMBERED = [name for name in names() if FAMILIES[load(name).family].numbered_params.by_number]


@pytest.mark.parametrize("name", NUMBERED)
def test_every_number_of_a_set_is_a_parameter_in_its_range(name: str) -> None:
    """Each can be given the value that it has."""
    sim = Sim(name)
    family = FAMILIES[load(name).family]
    own = {
        number: float(np.ravel(sim.groups[0].view(column)[0])[component])
        for number, (column, component, _) in family.numbers_of(load(name).c_type).items()
        if sim.groups[0].has(column)
    }
    assert set(own) >= {1, 4}
    before = sim.hash()
    assert sim.model_params.set("DynModiParams", own) == ()
    assert sim.hash() == before


@pytest.mark.filterwarnings("ignore:.*another unit")
@pytest.mark.parametrize("name", NUMBERED)
def test_no_plausible_value_makes_anything_infinite(name: str) -> None:
    sim = Sim(name, precision="float32", threads=1)
    group = sim.groups[0]
    for share in (1e-9, 1 - 1e-9):
        for number, param in group.family.numbers_of(group.parameters.c_type).items():
            if group.has(param.column):
                own = group.parameters.columns[param.column]
                bounds = group.family.range_of(param.column, group.parameters.c_type, (-inf, inf))
                low, high = plausible_range(param, own, *bounds)
                with suppress(ValueError):  # of inertia that no body has
                    sim.model_params.set("DynModiParams", {number: low + share * (high - low)})
        sim.reset(pos=[0, 0, -50])
        sim.arm()
        sim.step(20)
        outputs = [np.asarray(getattr(sim, field.name)) for field in sim.fields()]
        assert all(np.isfinite(values).all() for values in outputs)


@pytest.mark.parametrize(
    ("param", "own", "bounds", "expected"),
    [
        (NumberedParam("mass", 0, False), [2.0], (5e-324, inf), (0.02, 200)),
        (NumberedParam("inertia", 0, True), [2.0, 3.0], (-inf, inf), (0.02, 200)),
        (NumberedParam("inertia", 1, False), [2.0, 0.0], (-inf, inf), (-200, 200)),
        (NumberedParam("drag", 0, False), [0.0, 0.0], (0.0, inf), (0, 100)),
        (NumberedParam("motor_max", 0, False), [0.5], (5e-324, 1.0), (0.005, 1)),
    ],
)
def test_plausible_is_what_is_near_the_set(
    param: NumberedParam,
    own: list[float],
    bounds: tuple[float, float],
    expected: tuple[float, float],
) -> None:
    assert plausible_range(param, np.array(own), *bounds) == pytest.approx(expected)


def test_dynamic_parameters_act_at_once_and_initial_ones_with_a_reset() -> None:
    sim = Sim("sdk", 3)
    assert sim.model_params.set("DynModiParams", {1: 1.8, 4: 0.03}, ids=[2, 3]) == ()
    assert sim.model_params.set("InitInParams", {1: 2.0}, ids=3) == ()
    assert sim.mass.tolist() == [1.515, 1.8, 1.8]
    assert sim.inertia[:, 2].tolist() == [0.0366, 0.03, 0.03]
    other = copy.copy(sim)
    for each in (sim, other):
        each.reset(ids=[1, 2])
        assert each.mass.tolist() == [1.515, 1.8, 1.8]
        each.reset()
        assert each.mass.tolist() == [1.515, 1.8, 2.0]
        each.model_params.set("DynModiParams", {1: 1.0})
        each.reset()  # once
        assert each.mass.tolist() == [1.0, 1.0, 1.0]


def test_what_became_wrong_until_the_reset_is_told_and_left_out() -> None:
    sim = Sim("sdk")
    sim.model_params.set("InitInParams", {4: 0.04})
    sim.model_params.set("DynModiParams", {2: 0.001, 3: 0.002, 4: 0.002})
    with pytest.warns(pyrfly.CommandWarning, match="InitInParams: inertia: expected a tensor"):
        sim.reset()
    sim.reset()
    assert sim.inertia[0, 2] == 0.002


def test_disturbances_and_the_imu_have_the_published_numbers() -> None:
    sim = Sim("x450", 2)
    sim.sensors.enable("imu", profile="rflysim")
    values = {10: 0.5, 11: 0.1, 12: 0.2, 13: 0.3, 14: 0.5, 15: 0.01, 16: 0.02, 17: 0.03}
    assert sim.model_params.set("FaultInParams", values, ids=2) == ()
    assert sim.imu_damping[1] == 0.5
    assert sim.imu_accel_bias.tolist() == [[0, 0, 0], [0.1, 0.2, 0.3]]
    assert sim.imu_gyro_bias.tolist() == [[0, 0, 0], [0.01, 0.02, 0.03]]
    sim.reset()
    assert sim.imu_accel_bias[1, 2] == 0.3


def test_gusts_come_from_their_direction() -> None:
    sim = Sim("x450", 2)
    sim.model_params.set("FaultInParams", {9: 90.0}, ids=2)
    ints, floats = np.zeros((2, 8), np.int32), np.zeros((2, 20))
    ints[:, 0], floats[:, :2] = 123540, (5, 1)
    assert sim.faults.inject(ints, floats) == ()
    north, west = (fault.values["wind"] for fault in sim.faults.list())
    assert north == (5, 0, 0)
    np.testing.assert_allclose(west, [0, -5, 0], atol=1e-12)


def test_a_number_without_a_meaning_is_refused_and_the_others_are_set() -> None:
    sim = Sim({"sdk": 1, "hex_x": 1})
    refused = sim.model_params.set("DynModiParams", {1: 3.0, 5: 0.0, 33: 0.2, 64: 1})
    assert sim.mass.tolist() == [3, 3]
    assert len(refused) == 3
    assert any("33: 'hex_x', a multirotor, has no arm_length" in text for text in refused)


@pytest.mark.parametrize(
    ("number", "why"),
    [
        (1, "is not published"),
        (8, "no turbulence of their own"),
        (11, "has no IMU; sensors.enable"),
        (18, "there is no such parameter"),
    ],
)
def test_disturbances_without_a_meaning_say_why(number: int, why: str) -> None:
    (text,) = Sim("x450").model_params.set("FaultInParams", {number: 0.0})
    assert text.startswith(f"FaultInParams {number}: ")
    assert why in text


def test_a_damping_needs_a_limited_bandwidth() -> None:
    sim = Sim("x450")
    sim.sensors.enable("imu", profile="ideal")
    (text,) = sim.model_params.set("FaultInParams", {10: 0.5})
    assert "bandwidth of the IMU is not limited" in text


@pytest.mark.parametrize(
    ("interface", "values", "message"),
    [
        ("InParams", {1: 1.0}, "interface: expected 'FaultInParams'"),
        ("DynModiParams", {0: 1.0}, "DynModiParams: expected numbers 1 to 64, got 0"),
        ("InitInParams", {33: 1.0}, "InitInParams: expected numbers 1 to 32, got 33"),
        ("DynModiParams", {True: 1.0, 2.5: 1.0}, "expected numbers 1 to 64, got 2.5"),
        ("DynModiParams", {1: float("nan")}, "DynModiParams 1: expected a finite number"),
        ("DynModiParams", {1: 1.2, 2: -1.0}, "DynModiParams: 2: expected"),
        ("DynModiParams", {2: 0.1}, "DynModiParams: inertia: expected a tensor"),
        ("InitInParams", {1: 0.0}, "1: expected 0.01515 to 151.5, mass of a multirotor"),
        ("DynModiParams", {1: 1e-300}, "DynModiParams: 1: expected 0.01515 to 151.5"),
        ("DynModiParams", {34: 1e37}, "DynModiParams: 34: expected 0 to 980, gravity"),
        ("FaultInParams", {4: 3.0, 7: 400.0}, "FaultInParams: 7: expected -360 to 360, got 400"),
        ("FaultInParams", {10: 0.5, 14: 0.6}, "FaultInParams: 14: expected 0.5, as of 10"),
    ],
)
def test_a_wrong_value_changes_nothing(
    interface: str, values: dict[int, float], message: str
) -> None:
    sim = Sim("sdk", 2)
    sim.sensors.enable("imu", profile="rflysim")
    sim.enable_part("model_params")
    before = sim.snapshot()
    with pytest.raises(ValueError, match=message):
        sim.model_params.set(interface, values)
    assert sim.snapshot() == before


FILE = """interface,number,value,vehicle
InitInParams,1,1.6,
DynModiParams,2,0.025,2
DynModiParams, 3, 0.026, 2
"""


def test_a_file_sets_all_of_it(tmp_path: Path) -> None:
    sim, path = Sim("sdk", 2), tmp_path / "params.csv"
    path.write_text(FILE)
    assert sim.model_params.load(path) == ()
    assert sim.inertia[:, :2].tolist() == [[0.0211, 0.0219], [0.025, 0.026]]
    sim.reset()
    assert sim.mass.tolist() == [1.6, 1.6]


def test_vehicles_of_a_file_count_from_the_first(tmp_path: Path) -> None:
    sim, path = Sim("sdk", 2), tmp_path / "params.csv"
    path.write_text("interface,number,value,vehicle\nDynModiParams,1,2,8\n")
    sim.model_params.load(path, first_id=7)
    assert sim.mass.tolist() == [1.515, 2]
    with pytest.raises(ValueError, match="line 2: vehicle: expected 1 to 2, got '8'"):
        sim.model_params.load(path)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("number,value", "line 1: expected interface,number,value,vehicle"),
        (FILE + "DynModiParams,65,1,1", "line 5: number: expected 1 to 64, got '65'"),
        (FILE + "DynModiParams,1,1,3", "line 5: vehicle: expected 1 to 2, got '3'"),
        (FILE + "DynModiParams,1,inf,1", "line 5: value: expected a finite number, got 'inf'"),
        (FILE + "Params,1,1,1", "line 5: interface: expected one of FaultInParams"),
        (FILE + "DynModiParams,1", "line 5: expected 4 values, got 2"),
        (FILE + "DynModiParams,1,-1,1", "DynModiParams: 1: expected 0.01515 to"),
        (b"\xff\xfe\xff", "expected|truncated|codec"),
    ],
)
def test_a_wrong_file_changes_nothing(tmp_path: Path, line: str | bytes, message: str) -> None:
    sim, path = Sim("sdk", 2), tmp_path / "params.csv"
    path.write_bytes(line if isinstance(line, bytes) else line.encode())
    before = sim.snapshot()
    with pytest.raises(ValueError, match=message) as raised:
        sim.model_params.load(path)
    assert "params.csv" in str(raised.value)
    assert sim.snapshot() == before


TEMPLATE = {  # ModelParam_ of RflySim's Init.m, and what they are here
    "uavMass": (1.515, "mass", 0),
    "uavJxx": (0.0211, "inertia", 0),
    "uavJyy": (0.0219, "inertia", 1),
    "uavJzz": (0.0366, "inertia", 2),
    "uavR": (0.225, "arm_length", 0),
    "uavCd": (0.055, "drag_quadratic", 0),
    "uavDearo": (0.12, "drag_offset", 0),
    "motorMinThr": (0.05, "motor_dead_zone", 0),
    "motorCr": (842.1, "motor_curve", 1),
    "motorWb": (22.83, "motor_curve", 0),
    "motorT": (0.0214, "motor_tau", 0),
    "motorJm": (0.0001287, "rotor_inertia", 0),
    "rotorCm": (2.783e-07, "torque_coef", 1),
    "rotorCt": (1.681e-05, "thrust_coef", 1),
    "envGravityAcc": (9.8, "gravity", 0),
}


@pytest.mark.parametrize("name", TEMPLATE)
@pytest.mark.parametrize("prefix", ["", "ModelParam_", "ModelParam."])
def test_names_of_the_template_are_its_values(name: str, prefix: str) -> None:
    own, column, component = TEMPLATE[name]
    sim = Sim("sdk", 2)
    assert np.ravel(getattr(sim, column)[0])[component] == own
    assert sim.model_params.set("DynModiParams", {prefix + name: 1.1 * own}, ids=2) == ()
    values = getattr(sim, column).reshape(2, -1)[:, component]
    assert values.tolist() == [own, 1.1 * own]


def test_a_name_of_several_has_one_value_or_one_each() -> None:
    sim = Sim("sdk")
    sim.model_params.set("DynModiParams", {"uavCCm": [0.003, 0.004, 0.005], "uavCd": 0.06})
    assert sim.damping_quadratic[0].tolist() == [0.003, 0.004, 0.005]
    assert sim.drag_quadratic[0].tolist() == [0.06] * 3
    with pytest.raises(ValueError, match="DynModiParams: uavCd: expected 1 or 3 numbers, got 2"):
        sim.model_params.set("DynModiParams", {"uavMass": 1.6, "uavCd": [1, 2]})
    assert sim.mass[0] == 1.515


@pytest.mark.parametrize("name", sorted({load(n).family: n for n in names()}.values()))
def test_vehicles_of_all_families_have_names(name: str) -> None:
    """Those of the body, of parameter columns and of gains."""
    sim = Sim(name)
    columns = [f.name for f in sim.fields() if f.role in ("param", "gain")]
    body = {"uavMass": sim.mass[0], "envGravityAcc": sim.gravity[0]}
    for column in {"inertia", "yaw_inertia"} & {*columns}:
        body["uavJzz"] = getattr(sim, column)[0].take(2, mode="clip")  # the third, or the only one
    before = sim.hash()
    assert sim.model_params.set("DynModiParams", body) == ()
    for column in columns:
        with suppress(ValueError):  # of surfaces that are not there
            sim.model_params.set("DynModiParams", {column: np.ravel(getattr(sim, column)[0])})
    assert sim.hash() == before


def test_controllers_have_names_too() -> None:
    sim = Sim("sdk")
    before = sim.rate_p[0].tolist()
    assert sim.model_params.set("DynModiParams", {"rate_p[1]": 3.0, "tilt_limit": 0.5}) == ()
    assert sim.rate_p[0].tolist() == [before[0], 3.0, before[2]]
    assert sim.tilt_limit[0] == 0.5


def test_a_reset_sets_what_has_a_number() -> None:
    sim = Sim("sdk")
    refused = sim.model_params.set("InitInParams", {"uavMass": 2.0, "motorCr": 800, "uavR": 0.3})
    assert refused == ("InitInParams uavR: it has no number up to 32; DynModiParams set it",)
    sim.reset()
    assert (sim.mass[0], sim.motor_curve[0, 1], sim.arm_length[0]) == (2.0, 800, 0.225)


def test_other_names_are_told() -> None:
    other = next(name for name in names() if load(name).family != "multirotor")
    sim = Sim({"sdk": 1, other: 1})
    (refused,) = sim.model_params.set("DynModiParams", {"motorCr": 800})
    family = load(other).family
    assert refused == f"DynModiParams motorCr: '{other}', a {family}, has none of this name"
    for name in ("pos", "armed", "rate_p[3]", "", "mass; x"):
        refused = sim.model_params.set("DynModiParams", {name: 1.0}, ids=1)
        assert refused == (f"DynModiParams {name}: 'sdk', a multirotor, has none of this name",)
    with pytest.raises(ValueError, match="FaultInParams: expected numbers 1 to 32, got 'uavMass'"):
        sim.model_params.set("FaultInParams", {"uavMass": 1.0})
    with pytest.raises(ValueError, match=r"uavMass: expected 0\.01515 to 151\.5, mass"):
        sim.model_params.set("DynModiParams", {"uavMass": 1e9})


def test_files_have_names(tmp_path: Path) -> None:
    path = tmp_path / "names.csv"
    path.write_text(
        "interface,number,value\nInitInParams,uavMass,1.8\nDynModiParams,motor_tau[0],0.03\n"
    )
    sim = Sim("sdk")
    assert sim.model_params.load(path) == ()
    assert sim.motor_tau[0].tolist() == [0.03, 0.0214]
    sim.reset()
    assert sim.mass[0] == 1.8
