"""Invalid arguments: refused with their name, without an effect on any vehicle."""

from __future__ import annotations

import math
import re
import sys
import warnings
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import pyrfly
from pyrfly import _core

ACCELERATION, ATTITUDE, RATE = (
    f"multirotor.command_{what}" for what in ("acceleration", "attitude", "rate")
)

BATCH_ARGUMENTS = [
    ({"type": "zeppelin"}, ValueError, "type"),
    ({"n": 0}, ValueError, "n:"),
    ({"n": -1}, ValueError, "n:"),
    ({"n": 2**40}, ValueError, "n:"),
    (
        {"precision": "float16"},
        ValueError,
        "precision: expected 'float64' or 'float32', got 'float16'",
    ),
    ({"integrator": "rk5"}, ValueError, "integrator: expected 'rk4' or 'euler', got 'rk5'"),
    ({"effects": "none"}, ValueError, "effects: expected 'plain' or 'full', got 'none'"),
    ({"dt": 0}, ValueError, "dt:"),
    ({"dt": -1e-3}, ValueError, "dt:"),
    ({"dt": math.nan}, ValueError, "dt:"),
    ({"dt": math.inf}, ValueError, "dt:"),
    ({"dt": 2.0}, ValueError, "dt:"),
    ({"dt": 5e-324}, ValueError, "dt: expected a step of 1e-9 to 1 s"),
    ({"threads": 0}, ValueError, "threads:"),
    ({"threads": 257}, ValueError, "threads:"),
    ({"periods": {"outer": 0}}, ValueError, "periods: outer: expected 1"),
    ({"periods": {"inner": -1}}, ValueError, "periods: inner"),
    ({"periods": {"middle": 2**32 + 1}}, ValueError, "periods: middle"),
    ({"periods": {"middle": 1.5}}, TypeError, "integer"),
    ({"periods": {"slow": 1}}, ValueError, "there is no stage 'slow'"),
    ({"periods": (1, 1)}, TypeError, "dict"),
    ({"colour": "red"}, TypeError, "colour"),
]


@pytest.mark.parametrize(("wrong", "error", "message"), BATCH_ARGUMENTS)
def test_batch_refuses(wrong: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        _core.Batch(**{"type": "quad_x", "n": 1, **wrong})
    assert message in str(caught.value)


def test_a_period_that_empties_its_dict_is_refused_like_others() -> None:
    class Emptying:
        def __index__(self) -> int:
            periods.clear()
            return -5

    periods: dict[str, Any] = {"".join(["in", "ner"]): Emptying()}
    with pytest.raises(ValueError, match=r"periods: inner: .*got -5"):
        _core.Batch("quad_x", 1, periods=periods)


@pytest.mark.parametrize(
    ("n", "error"),
    [
        (-1, ValueError),
        (2**31, ValueError),
        (2**70, ValueError),
        (-(2**70), ValueError),
        (1.0, TypeError),
        ("1", TypeError),
        (None, TypeError),
    ],
)
def test_step_refuses(n: Any, error: type[Exception]) -> None:
    batches = (_core.Batch("quad_x", 1),)
    for step in (pyrfly.Sim("sdk").step, partial(_core.step, batches)):
        with pytest.raises(error, match=r"^n: expected"):
            step(n)


def test_step_takes_any_integer() -> None:
    sim = pyrfly.Sim("sdk")
    for n in (0, 2, np.int8(2), np.uint64(3)):
        sim.step(n)
    assert sim.time == pytest.approx(0.007)


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on memory that holds")
def test_no_memory_is_a_memory_error(run_python: Callable[..., str]) -> None:
    program = """
import resource, pyrfly
from pyrfly import _core
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
for _ in range(20):
    try:
        _core.Batch("rotors_16", 2**26)
    except MemoryError:
        print("refused")
pyrfly.Sim("sdk", 1000).step(10)
"""
    assert run_python(program).split() == ["refused"] * 20


@pytest.mark.parametrize("attribute", ["tick", "controllers"])
def test_attributes_of_a_batch_cannot_be_deleted(attribute: str) -> None:
    batch = _core.Batch("quad_x", 1)
    with pytest.raises(AttributeError, match=attribute):
        delattr(batch, attribute)


SIM_ARGUMENTS = [
    ({"vehicles": "zeppelin"}, ValueError, "vehicle"),
    ({"vehicles": 7}, ValueError, "vehicle"),
    ({"vehicles": {}}, ValueError, "vehicles"),
    ({"vehicles": {"sdk": 0}}, ValueError, "n:"),
    ({"vehicles": {"sdk": 2}, "n": 2}, ValueError, "n:"),
    ({"n": 0}, ValueError, "n:"),
    ({"n": 1.5}, ValueError, "n:"),
    ({"n": True}, ValueError, "n:"),
    ({"n": "2"}, ValueError, "n:"),
    ({"n": 10**30}, ValueError, "n: expected a number of 'sdk' from 1 to 67108864"),
    ({"dt": True}, ValueError, "dt"),
    ({"threads": True}, TypeError, "threads"),
    ({"threads": 10**30}, ValueError, "threads: expected 1 to 256"),
    ({"control_rates": (True, True, True)}, ValueError, "control_rates"),
    ({"precision": "double"}, ValueError, "precision"),
    ({"precision": 64}, (TypeError, ValueError), "precision"),
    ({"integrator": "RK4"}, ValueError, "integrator"),
    ({"effects": "all"}, ValueError, "effects"),
    ({"vehicles": "x450", "effects": "plain"}, ValueError, "effects"),
    ({"dt": 0}, ValueError, "dt"),
    ({"dt": 5.0}, ValueError, "dt"),
    ({"dt": "1"}, (TypeError, ValueError), "dt"),
    ({"threads": 0}, ValueError, "threads"),
    ({"control_rates": (100, 250)}, ValueError, "control_rates"),
    ({"control_rates": (100, 250, 0)}, ValueError, "control_rates"),
    ({"control_rates": (100, -250, 500)}, ValueError, "control_rates"),
    ({"control_rates": (100, math.nan, 500)}, ValueError, "control_rates"),
    ({"control_rates": (1e-9, 250, 500)}, ValueError, "control_rates"),
    ({"control_rates": (10**400, 250, 500)}, ValueError, "control_rates: expected three rates"),
    (
        {"control_rates": (100, 250, 30)},
        ValueError,
        "control_rates: expected at least 40 Hz for the rate loop of 'sdk', in whole",
    ),
    ({"control_rates": (5, 250, 500)}, ValueError, "at least 10 Hz for the velocity loop of 'sdk'"),
    (
        {"dt": 0.03, "effects": "plain"},
        ValueError,
        "dt: expected at most 0.025 s, the longest period of the rate loop of 'sdk', got 0.03",
    ),
    ({"integrator": []}, TypeError, "integrator: expected 'rk4' or 'euler', got []"),
    ({"control_rates": "fast"}, (TypeError, ValueError), "control_rates"),
    ({"control_rates": 5}, ValueError, "control_rates: expected three rates"),
    ({"control_rates": None}, ValueError, "control_rates: expected three rates"),
    ({"control_rates": [[1, 2, 3]] * 3}, ValueError, "control_rates: expected three rates"),
]


@pytest.mark.parametrize(("wrong", "error", "message"), SIM_ARGUMENTS)
def test_sim_refuses(wrong: dict[str, Any], error: Any, message: str) -> None:
    with pytest.raises(error) as caught:
        pyrfly.Sim(**wrong)
    assert message in str(caught.value)


WRITES = [
    ("mass", None, TypeError, "mass: expected numbers [kg], got None"),
    ("mass", "heavy", TypeError, "mass: expected numbers"),
    ("mass", -1, ValueError, "mass: expected more than 0 [kg], got -1"),
    ("mass", 0, ValueError, "mass: expected more than 0 [kg]"),
    ("mass", math.nan, ValueError, "mass: expected finite values"),
    ("motor_max", 1.5, ValueError, "motor_max: expected more than 0 and at most 1 [1], got 1.5"),
    ("drag_linear", [0, -1, 0], ValueError, "drag_linear: expected at least 0"),
    ("armed", 1.5, ValueError, "armed: expected whole numbers, got 1.5"),
    ("armed", 2, ValueError, "armed: expected at least 0 and at most 1 [bool], got 2"),
    ("armed", None, TypeError, "armed: expected numbers"),
    ("setpoint_mask", -1, ValueError, "setpoint_mask: expected at least 0 and at most 4294967295"),
    ("setpoint_mask", math.nan, ValueError, "setpoint_mask: expected whole numbers"),
    ("throttle", None, TypeError, "throttle: expected numbers"),
    ("wind", math.inf, ValueError, "wind: expected finite values"),
    ("rate_p", math.nan, ValueError, "rate_p: expected finite values"),
    ("control_mass", 0, ValueError, "control_mass: expected more than 0 [kg], got 0"),
    ("inertia", 0.01, ValueError, "inertia: expected a tensor with positive principal moments"),
    ("inertia", [1, 1, 5, 0, 0, 0], ValueError, "inertia: expected a tensor"),
    ("inertia", [[1, 1, 2, 0, 0, 0], [1, 1, 2, 5, 0, 0]], ValueError, "moments -4, 2, 6 kg m^2"),
]


@pytest.mark.parametrize(("name", "value", "error", "message"), WRITES)
def test_what_no_column_may_have_is_refused_and_nothing_written(
    name: str, value: Any, error: type[Exception], message: str
) -> None:
    sim = pyrfly.Sim("sdk", 2)
    before = getattr(sim, name).copy()
    for owner in (sim, sim.groups[0]):
        with pytest.raises(error, match=re.escape(message)):
            setattr(owner, name, value)
    with pytest.raises(error, match=f"^{name}: expected"):
        sim.select(2).write(name, np.asarray(value)[-1] if np.ndim(value) == 2 else value)
    np.testing.assert_array_equal(getattr(sim, name), before)


@pytest.mark.parametrize(
    ("name", "low", "high", "message"),
    [
        ("mass", 2, 1, "low: expected at most high"),
        ("mass", -1, 1, "mass: expected more than 0"),
        ("mass", 1, math.inf, "high: expected finite"),
        ("pos", -1e308, 1e308, "high: expected bounds and a span up to"),
        ("wind", 0, [1, 2, math.inf], "high: expected finite"),
    ],
)
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_randomize_refuses(name: str, low: Any, high: Any, message: str, precision: str) -> None:
    sim = pyrfly.Sim("sdk", 2, precision=precision)
    before = getattr(sim, name).copy()
    with pytest.raises(ValueError, match=message):
        sim.randomize(name, low, high)
    np.testing.assert_array_equal(getattr(sim, name), before)


def test_randomize_refuses_what_float32_does_not_hold() -> None:
    sim = pyrfly.Sim("sdk", 2, precision="float32")
    for low, high in [(0, 1e39), (-3e38, 3e38)]:
        with pytest.raises(ValueError, match=r"a span up to 3\.403e"):
            sim.randomize("wind", low, high)


REPEATED: list[tuple[str, dict[str, Any]]] = [
    ("command_position", {"pos": [1, 2, 3]}),
    ("command_velocity", {"vel": [1, 2, 3]}),
    (ATTITUDE, {"att": [1, 0, 0, 0], "thrust": [0.1, 0.2, 0.3]}),
    ("arm", {}),
    ("reset", {"pos": [1, 2, 3]}),
]

COMMANDS = [
    ("command_position", {"pos": [1, 2]}, ValueError, "pos: expected shape (3, 3)"),
    ("command_position", {"pos": np.zeros((2, 3))}, ValueError, "pos: expected shape"),
    ("command_position", {"pos": [1, math.nan, 2]}, ValueError, "pos: expected finite values [m]"),
    ("command_position", {"pos": "here"}, TypeError, "pos: expected numbers [m]"),
    ("command_position", {"pos": None}, (TypeError, ValueError), "pos:"),
    ("command_position", {"pos": [[1, 2, 3], [1]]}, (TypeError, ValueError), "pos:"),
    ("command_position", {"pos": [1, 2, 3j]}, TypeError, "pos:"),
    ("command_position", {"pos": [5.0]}, ValueError, "pos: expected shape"),
    ("command_position", {"pos": [[1], [2], [3]]}, ValueError, "pos: expected shape"),
    ("command_position", {"pos": [0, 0, 0], "yaw": [1, 2]}, ValueError, "yaw: expected shape"),
    ("command_position", {"pos": [0, 0, 0], "yaw": math.inf}, ValueError, "yaw: expected finite"),
    ("command_position", {"pos": [0, 0, 0], "yaw_rate": math.nan}, ValueError, "yaw_rate:"),
    ("command_position", {"pos": [0, 0, 0], "vel": [1, 2, math.nan]}, ValueError, "vel:"),
    ("command_position", {"pos": [0, 0, 0], "acc": [1]}, ValueError, "acc:"),
    ("command_position", {"pos": [0, 0, 0], "ids": 4}, ValueError, "ids: expected CopterIDs"),
    ("command_position", {"pos": [0, 0, 0], "ids": [1, -1]}, ValueError, "ids:"),
    ("command_position", {"pos": [0, 0, 0], "ids": 1.0}, TypeError, "ids:"),
    ("command_position", {"pos": [0, 0, 0], "ids": "1"}, TypeError, "ids:"),
    ("command_position", {"pos": [0, 0, 0], "ids": [[1]]}, TypeError, "ids:"),
    ("command_position", {"pos": np.zeros((3, 3)), "ids": [1, 2]}, ValueError, "pos:"),
    ("command_position", {"pos": [0, 0, 0], "ids": True}, TypeError, "ids:"),
    ("command_position", {"pos": [0, 0, 0], "ids": [True]}, TypeError, "ids:"),
    ("command_position", {"pos": [0, 0, 0], "ids": 2**70}, ValueError, "ids: expected CopterIDs"),
    ("command_position", {"pos": [0, 0, 0], "yaw": 7e4}, ValueError, "yaw: expected finite values"),
    ("command_velocity", {"vel": [1, 2, 3], "yaw": 1e300}, ValueError, "up to 65536 [rad]"),
    ("command_velocity", {"vel": [1]}, ValueError, "vel:"),
    ("command_velocity", {"vel": [1, 2, 3], "frame": "body"}, ValueError, "frame:"),
    (ACCELERATION, {"acc": [math.inf, 0, 0]}, ValueError, "acc:"),
    (ATTITUDE, {"att": [0, 0, 0, 0], "thrust": 0.5}, ValueError, "att:"),
    (ATTITUDE, {"att": [1, 0, 0], "thrust": 0.5}, ValueError, "att:"),
    (ATTITUDE, {"att": [1, 0, 0, 0], "thrust": [0.5, 1]}, ValueError, "thrust:"),
    (ATTITUDE, {"att": [1, 0, 0, 0], "thrust": math.nan}, ValueError, "thrust:"),
    (RATE, {"rate": [1, 2], "thrust": 0.5}, ValueError, "rate:"),
    (RATE, {"rate": [1, 2, math.nan], "thrust": 0.5}, ValueError, "rate:"),
    (RATE, {"rate": [1, 2, 3], "thrust": "full"}, TypeError, "thrust:"),
    ("arm", {"ids": 9}, ValueError, "ids:"),
    ("reset", {"pos": [1, 2, 3, 4]}, ValueError, "pos:"),
    ("reset", {"yaw": math.nan}, ValueError, "yaw:"),
    ("reset", {"yaw": -1e10}, ValueError, "yaw: expected finite values up to 65536 [rad]"),
    ("reset", {"ids": [0]}, ValueError, "ids:"),
    ("reset", {"seed": -1}, ValueError, "seed:"),
    ("reset", {"seed": 2**64}, ValueError, "seed:"),
    ("reset", {"seed": 0.5}, (TypeError, ValueError), "seed:"),
    ("reset", {"seed": 3, "pos": "x"}, TypeError, "pos:"),
    ("randomize", {"name": "mass", "low": math.nan, "high": 1}, ValueError, "low"),
    ("randomize", {"name": "mass", "low": 1, "high": [1, 2]}, ValueError, "high"),
    (
        "randomize",
        {"name": "wind", "low": [0, 0, 1], "high": [1, 1, 0]},
        ValueError,
        "low: expected at most high, [1, 1, 0], got [0, 0, 1]",
    ),
    *(
        (method, {**arguments, "ids": [2, 1, 2]}, ValueError, "ids: expected each CopterID once")
        for method, arguments in REPEATED
    ),
    ("randomize", {"name": "mass", "low": 1, "high": 2, "ids": 7}, ValueError, "ids:"),
    ("randomize", {"name": "weight", "low": 1, "high": 2}, AttributeError, "weight"),
    ("randomize", {"name": "accel", "low": 1, "high": 2}, AttributeError, "accel"),
]


@pytest.mark.parametrize(("method", "wrong", "error", "message"), COMMANDS)
def test_a_refused_command_names_its_argument_and_changes_nothing(
    method: str, wrong: dict[str, Any], error: Any, message: str
) -> None:
    sim = pyrfly.Sim("sdk", 3)
    before = sim.snapshot()
    with pytest.raises(error) as caught:
        attrgetter(method)(sim)(**wrong)
    assert message in str(caught.value)
    assert sim.snapshot() == before


@pytest.mark.parametrize("vehicles", [[1.0], [True], 0.0, np.zeros(1), ["0"]])
def test_navigators_are_chosen_by_integers(vehicles: Any) -> None:
    sim = pyrfly.Sim("sdk", 2)
    sim.enable_synthesis()
    with pytest.raises((TypeError, ValueError)):
        sim.groups[0].batch.release_navigator(vehicles)


def test_the_same_batch_twice_is_named() -> None:
    batch = _core.Batch("quad_x", 1)
    with pytest.raises(ValueError, match="batches: expected"):
        _core.step((batch, batch), 1)


def test_an_empty_choice_of_vehicles_is_no_error() -> None:
    sim = pyrfly.Sim("sdk", 3)
    before = sim.snapshot()
    sim.command_position(np.zeros((0, 3)), ids=[])
    sim.arm(ids=np.array([], dtype=int))
    assert sim.snapshot() == before


# Any bits: NaNs, infinities, the largest and the smallest numbers.
numbers = st.floats(width=64) | st.sampled_from([1e300, -1e300, 5e-324, 1e38, 1e20, 3.5e38])
shapes = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5)


def arrays(width: int) -> st.SearchStrategy[Any]:
    """Arrays of any shape and type, mostly of the right shape."""
    right = [(3, width), (width,)] if width > 1 else [(3,), ()]
    of_floats = hnp.arrays(np.float64, st.sampled_from(right) | shapes, elements=numbers)
    return of_floats | st.sampled_from(
        [None, "x", [], [[1], [2, 3]], np.zeros((3, width), complex), np.array(["a"] * 3)]
    )


CALLS: dict[str, dict[str, int]] = {
    "command_position": {"pos": 3, "yaw": 1, "yaw_rate": 1, "vel": 3, "acc": 3},
    "command_velocity": {"vel": 3, "yaw": 1, "yaw_rate": 1},
    ACCELERATION: {"acc": 3, "yaw": 1},
    ATTITUDE: {"att": 4, "thrust": 1},
    RATE: {"rate": 3, "thrust": 1},
}


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    method = draw(st.sampled_from(sorted(CALLS)))
    return method, {name: draw(arrays(width)) for name, width in CALLS[method].items()}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pyrfly.CommandWarning")
@pytest.mark.parametrize("precision", ["float64", "float32"])
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(call=("command_position", {"pos": np.array([1e308, -1e308, 1e308])}))
@example(call=("command_position", {"pos": np.array([1e300, 0, 0])}))
@example(call=("command_velocity", {"vel": np.array([1e200, 1e200, -1e200]), "yaw": 1e300}))
@example(call=(ACCELERATION, {"acc": np.array([1e308, 1e308, 1e308])}))
@example(call=(ATTITUDE, {"att": np.array([1e200, 1e200, 0, 0]), "thrust": 1.0}))
@example(call=(ATTITUDE, {"att": np.array([1e308, 1e308, 0, 0]), "thrust": 1e308}))
@example(call=(ATTITUDE, {"att": np.array([1e-300, 0, 0, 0]), "thrust": 1.0}))
@example(call=(RATE, {"rate": np.array([1e308, -1e308, 1e308]), "thrust": -1e308}))
@given(call=calls())
def test_no_command_crashes_or_makes_a_vehicle_invalid(
    precision: str, call: tuple[str, dict[str, Any]]
) -> None:
    """It is refused and changes nothing, or it is tracked and the vehicles stay valid."""
    method, arguments = call
    sim = pyrfly.Sim("sdk", 3, precision=precision)
    sim.pos[:, 2] = -30
    sim.arm()
    before = sim.snapshot()
    try:
        attrgetter(method)(sim)(**arguments)
    except (TypeError, ValueError):
        assert sim.snapshot() == before
    for _ in range(3):
        sim.step(20)
        assert sim.check().ok, sim.check().text
        for field in sim.fields():
            if field.role in ("state", "controller") or field.name == "throttle":
                assert np.isfinite(getattr(sim, field.name)).all(), field.name


def commands_in_words() -> list[Callable[[pyrfly.Sim], None]]:
    return [
        lambda sim: sim.command_position([1, 2, -30]),
        lambda sim: sim.command_velocity([1, 0, 0], frame="frd"),
        lambda sim: sim.multirotor.command_acceleration([0, 0, -1]),
        lambda sim: sim.multirotor.command_attitude([1, 0, 0, 0], 0.5),
        lambda sim: sim.multirotor.command_rate([0, 0, 1], 0.5),
    ]


def test_commands_raise_no_warnings() -> None:
    sim = pyrfly.Sim("sdk", 3, precision="float32")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", pyrfly.CommandWarning)
        for command in commands_in_words():
            command(sim)
            sim.step(5)


@given(bits=hnp.arrays(np.uint64, (4, 27)))
@pytest.mark.slow
def test_set_points_of_any_bits_written_past_the_checks_harm_no_other_vehicle(
    bits: np.ndarray,
) -> None:
    """Written directly into the columns, without checks: at worst this vehicle is flagged."""
    sim, healthy = pyrfly.Sim("sdk", 5), pyrfly.Sim("sdk", 5)
    for each in (sim, healthy):
        each.arm()
        each.command_position([0, 0, -5], yaw=0.3)
    values, at = bits.view(np.float64), 0
    for field in sim.fields():
        if field.role == "setpoint":
            view = getattr(sim, field.name)
            columns = values[:, at : at + field.width]
            view[1:] = columns.reshape(view[1:].shape)
            at += field.width
    sim.setpoint_mask[1:] = np.array([0x1F, 0xFFFF, 0x31F, 0xB00])
    for _ in range(3):
        sim.step(20)
        healthy.step(20)
    np.testing.assert_array_equal(sim.pos[0], healthy.pos[0])
    np.testing.assert_array_equal(sim.throttle[0], healthy.throttle[0])
    assert np.isfinite(sim.pos).all()
    assert np.isfinite(sim.rate).all()


@pytest.mark.parametrize(
    ("integrator", "longest"), [("rk4", 2.5 * 1.515 / 200), ("euler", 1.515 / 200)]
)
def test_a_step_too_long_for_the_ground_is_refused(integrator, longest) -> None:
    """SDK set: ground damping 200 / 1.515 per second; limits 2.5 and 1 over that rate."""
    pyrfly.Sim("sdk", integrator=integrator, dt=0.99 * longest)
    with pytest.raises(ValueError, match="dt: expected"):
        pyrfly.Sim("sdk", integrator=integrator, dt=1.02 * longest)


@pytest.mark.parametrize(
    ("origin", "error"),
    [
        (5, TypeError),
        (None, TypeError),
        ((1, 2, []), TypeError),
        ((1, 2), ValueError),
        ("abc", ValueError),
        ((0, 0, 10**400), ValueError),
    ],
)
def test_a_wrong_origin_is_named_and_changes_nothing(origin: Any, error: type[Exception]) -> None:
    sim = pyrfly.Sim("sdk")
    before = sim.origin
    with pytest.raises(error, match=r"^origin: expected"):
        sim.origin = origin
    assert sim.origin == before


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda sim: sim.enable_part([]), "part: expected 'navigator'"),
        (lambda sim: sim.environment.set_turbulence([]), "severity: expected 'light'"),
        (lambda sim: pyrfly.Sim("sdk", precision={}), "precision: expected 'float64'"),
    ],
)
def test_a_name_that_is_no_text_is_a_type_error(
    call: Callable[[pyrfly.Sim], object], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        call(pyrfly.Sim("sdk"))


def test_a_mask_of_set_points_that_does_not_fit_writes_nothing() -> None:
    sim = pyrfly.Sim("sdk")
    before = sim.snapshot()
    for mask in (2**40, -1):
        with pytest.raises(ValueError, match=r"^mask: expected 0 to 4294967295"):
            sim.select().set_point(mask, vel_sp=np.ones((1, 3)))
    assert sim.snapshot() == before


LONG = "x" * 100_000


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda sim: sim.command_velocity([0, 0, 0], frame=LONG), id="frame"),
        pytest.param(lambda sim: sim.randomize(LONG, 0, 1), id="randomize"),
        pytest.param(lambda sim: sim.select().read(LONG), id="read"),
        pytest.param(lambda sim: sim.select().write(LONG, 1), id="write"),
        pytest.param(lambda sim: sim.enable_part(LONG), id="part"),
        pytest.param(lambda sim: pyrfly.Sim("sdk", precision=LONG), id="precision"),
        pytest.param(lambda sim: pyrfly.Sim("sdk", effects=LONG), id="effects"),
        pytest.param(lambda sim: pyrfly.Sim("sdk", integrator=LONG), id="integrator"),
    ],
)
def test_a_long_value_is_shortened_in_the_message(call: Callable[[pyrfly.Sim], object]) -> None:
    with pytest.raises((ValueError, AttributeError), match=r"'x+\.\.\.") as raised:
        call(pyrfly.Sim("sdk"))
    assert len(str(raised.value)) < 500  # that of a part lists all others


@pytest.mark.parametrize("name", ["sdk", "x150", "cf2x_l250"])
def test_the_longest_step_that_is_told_is_one_that_is_allowed(name: str) -> None:
    with pytest.raises(ValueError, match="dt: expected at most") as error:
        pyrfly.Sim(name, dt=0.024)
    told = float(str(error.value).split()[4])
    pyrfly.Sim(name, dt=told)
    with pytest.raises(ValueError, match="dt: expected at most"):
        pyrfly.Sim(name, dt=1.002 * told)
