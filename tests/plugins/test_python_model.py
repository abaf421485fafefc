"""Models in Python, as vehicles of a Sim."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from pyrfly import ParameterError, Sim, plugins
from pyrfly.plugins import Call, Column
from pyrfly.view.live import SimSource

BODY = {"mass": 2.0, "inertia": [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]}


def at_rest(c: Call) -> dict[str, Any]:
    return {"vel": np.zeros_like(c.state.vel), "rate": np.zeros_like(c.state.rate)}


def oscillate(c: Call) -> dict[str, Any]:
    """x'' = -w^2 x of a column of its own."""
    swing = c.state.swing
    return {
        **at_rest(c),
        "swing": np.column_stack([swing[:, 1], -(c.param.frequency**2) * swing[:, 0]]),
    }


OSCILLATOR = {
    "state": {"swing": Column("1", "displacement and its rate", [1.0, 0.0])},
    "param": {**BODY, "frequency": Column("rad/s", "angular frequency", 3.0)},
}


@pytest.mark.parametrize(("integrator", "order"), [("rk4", 4), ("euler", 1)])
def test_steps_have_the_order_of_their_integrator(integrator: str, order: int) -> None:
    model = plugins.from_functions("oscillator", oscillate, **OSCILLATOR)
    errors = []
    for dt in (0.01, 0.005):
        sim = Sim({model: 3}, dt=dt, integrator=integrator)
        sim.groups[0].frequency[:] = 3.0, 4.0, 5.0
        sim.step(round(1 / dt))
        exact = np.cos([3.0, 4.0, 5.0])
        errors.append(np.abs(sim.groups[0].swing[:, 0] - exact))
    np.testing.assert_allclose(np.log2(errors[0] / errors[1]), order, atol=0.25)


def test_a_body_turns_as_it_is_told_and_outputs_follow() -> None:
    """Closed form: a constant yaw rate for t has the heading r t."""

    def spin(c: Call) -> dict[str, Any]:
        return {"vel": np.zeros_like(c.state.vel), "rate": c.input.command[:, :3]}

    def outputs(c: Call) -> dict[str, Any]:
        return {
            "load": c.param.mass * c.param.gravity,
            "displayed": np.full((len(c.state.pos), 8), 7),
        }

    model = plugins.from_functions(
        "spinner",
        spin,
        param=BODY,
        output={"load": Column("N", "weight")},
        outputs=outputs,
        actuators=3,
    )
    sim = Sim({model: 2})
    sim.groups[0].command[:, 2] = 0.0, 1.0
    sim.step(1000)
    np.testing.assert_allclose(sim.euler[:, 2], [0.0, 0.5], atol=1e-9)
    np.testing.assert_allclose(sim.groups[0].load, 2 * 9.8)
    np.testing.assert_allclose(sim.groups[0].angular_accel[:, 2], [0.0, 1.0])
    np.testing.assert_allclose(sim.groups[0].displayed_actuators, 7)


@pytest.mark.slow
def test_a_controller_gets_set_points_and_a_step_can_be_corrected() -> None:
    def follow(c: Call) -> dict[str, Any]:
        return {
            "vel": 10 * (c.input.command[:, :3] * 10 - c.state.vel),
            "rate": np.zeros_like(c.state.rate),
        }

    def control(c: Call) -> dict[str, Any]:
        error = np.where(c.setpoint_mask[:, None] & 1, c.setpoint.pos_sp - c.state.pos, 0)
        return {
            "command": error * c.armed[:, None] * c.gain.stiffness[:, None] / 10,
            "runs": c.controller.runs + 1,
        }

    def finish(c: Call) -> Mapping[str, Any]:
        return {"pos": np.maximum(c.state.pos, [-100, -100, -4.0])}  # a ceiling at 4 m

    model = plugins.from_functions(
        "puller",
        follow,
        param=BODY,
        gain={"stiffness": Column("1/s", "velocity per error", 1.0)},
        controller={"runs": Column("1", "runs of the controller")},
        control=control,
        finish=finish,
        actuators=3,
    )
    sim = Sim({model: 2})
    sim.armed = [1, 0]
    sim.command_position([[3, 2, -9], [3, 2, -9]])
    sim.step(8000)
    np.testing.assert_allclose(sim.pos, [[3, 2, -4], [0, 0, 0]], atol=0.01)
    assert (sim.groups[0].runs == 8000 / 2).all()


def test_what_a_function_raises_the_step_raises() -> None:
    def wrong(c: Call) -> dict[str, Any]:
        if c.time > 0.0095:
            raise ZeroDivisionError("a mistake")
        return at_rest(c)

    sim = Sim({plugins.from_functions("wrong", wrong, param=BODY): 2, "x450": 1})
    with pytest.raises(ZeroDivisionError, match="a mistake"):
        sim.step(100)
    assert (sim.status[:2] != 0).all()
    assert sim.status[2] == 0


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"vel": np.zeros((3, 3))}, ValueError, "vel: expected shape"),
        ({"vel": 1j, "rate": 0.0}, TypeError, "vel: expected numbers"),
        ({"vel": np.ma.masked_all(3), "rate": 0.0}, TypeError, "vel: expected numbers"),
        ({"vel": 0.0}, KeyError, "expected rate besides"),
        ({"vel": 0.0, "rate": 0.0, "speed": 0.0}, KeyError, "got 'speed'"),
        (np.zeros(3), TypeError, "expected a dict of columns"),
    ],
)
def test_results_that_do_not_fit_are_named(
    given: Any, error: type[Exception], message: str
) -> None:
    sim = Sim({plugins.from_functions("misfit", lambda c: given, param=BODY): 2})
    with pytest.raises(error, match=message):
        sim.step(1)


def test_errors_of_outputs_are_theirs_and_the_sim_is_out_of_reach() -> None:
    sims: list[Sim] = []

    def nosy(c: Call) -> dict[str, Any]:
        if sims:
            sims[0].groups[0].accel  # noqa: B018
        return at_rest(c)

    def outputs(c: Call) -> dict[str, Any]:
        raise KeyError("a mistake")

    model = plugins.from_functions(
        "nosy", nosy, param=BODY, output={"mine": Column("1", "x")}, outputs=outputs
    )
    sim = Sim({model: 1})
    with pytest.raises(KeyError, match="a mistake"):
        sim.groups[0].mine  # noqa: B018
    sims.append(sim)
    with pytest.raises(RuntimeError):
        sim.step(1)


def test_columns_named_as_what_a_sim_holds_leave_it_alone() -> None:
    model = plugins.from_functions(
        "named", at_rest, param=BODY, state={"groups": Column("1", "x", 3.0)}
    )
    sim = Sim({model: 2})
    assert len(sim.groups) == 1
    assert (sim.groups[0].view("groups") == 3.0).all()
    assert Sim("x450").n == 1


def test_models_in_python_are_copied_but_not_pickled() -> None:
    sim = Sim({plugins.from_functions("still", at_rest, param=BODY): 1})
    assert (copy.deepcopy(sim).pos == sim.pos).all()
    with pytest.raises(TypeError, match="a model in Python cannot be pickled"):
        pickle.dumps(sim)


def test_arrays_may_be_kept() -> None:
    kept = []

    def keep(c: Call) -> dict[str, Any]:
        kept.append(c.state.pos)
        return at_rest(c)

    sim = Sim({plugins.from_functions("keeper", keep, param=BODY): 1000})
    sim.reset(pos=[1, 2, -3])
    sim.step(10)
    del sim
    assert all((one == [1, 2, -3]).all() for one in kept)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"param": {}}, ParameterError, "mass: expected its value"),
        ({"param": {**BODY, "mass": 0.0}}, ParameterError, "mass: expected more than 0 kg"),
        ({"param": {**BODY, "mass": [1, 2]}}, ParameterError, "mass: width: expected 1"),
        ({"param": {**BODY, "inertia": [1, 1, 3, 0, 0, 0]}}, ParameterError, "inertia"),
        ({"state": {"much": Column("m", "x", np.zeros(90))}}, ParameterError, "state: expected up"),
        (
            {"state": {"frequency": Column("1", "x")}, "gain": {"frequency": Column("1", "x")}},
            ParameterError,
            "frequency: expected one column of that name",
        ),
        ({"param": {**BODY, "mass": "heavy"}}, TypeError, "mass: expected numbers"),
        ({"param": {**BODY, "length": 3.0}}, ParameterError, "length: expected a column that all"),
        ({"state": {"swing": 3.0}}, TypeError, "swing: expected a Column"),
        ({"state": {"vel": Column("m", "x")}}, ParameterError, "vel: all vehicles have"),
        ({"state": {"arm": Column("m", "x")}}, ParameterError, "arm: a Sim has something else"),
        ({"state": {"drag_linear": Column("m", "x")}}, ParameterError, "drag_linear: other"),
        ({"state": {"Swing": Column("m", "x")}}, ParameterError, "a name of a-z"),
        ({"state": {"swing": Column("m", "x", np.nan)}}, ParameterError, "swing: start"),
        ({"actuators": 0}, ParameterError, "actuators: expected 1 to 16"),
        ({"actuators": 1.5}, ParameterError, "actuators: expected 1 to 16"),
        ({"state": [1]}, TypeError, "state: expected a dict"),
        ({"state": {"class": Column("m", "x")}}, ParameterError, "a name of a-z"),
        (
            {"state": {"swing": Column("m", "x", frame="ENU")}},
            ParameterError,
            "frame: expected one",
        ),
        ({"state": {"swing": Column("m", "x\0")}}, ParameterError, "doc: expected a text"),
        ({"gain": {"speed_limit": -5}}, ParameterError, "speed_limit: expected more than 0"),
        ({"output": {"mine": Column("m", "x")}}, ParameterError, "outputs: expected a function"),
        ({"control": 3}, TypeError, "control: expected a function"),
        ({"sensor": {"mine": Column("m", "x")}}, ParameterError, "sense: expected a function for"),
        ({"sense": at_rest}, ParameterError, "sense: expected columns of sensors"),
        ({"sense": 3}, TypeError, "sense: expected a function"),
        ({"sensor": {"mine": Column("m", "x", [0] * 97)}}, ParameterError, "mine: width: expected"),
        ({"name": "My model"}, ParameterError, "name: expected a word"),
    ],
)
def test_a_model_that_makes_no_vehicle_is_refused(
    changes: dict[str, Any], error: type[Exception], message: str
) -> None:
    arguments: dict[str, Any] = {"name": "refused", "derivative": at_rest, "param": BODY, **changes}
    with pytest.raises(error, match=message):
        plugins.from_functions(**arguments)


def test_a_model_is_seen_as_a_body_of_its_mass_with_a_nose() -> None:
    sim = Sim({plugins.from_functions("oscillator", oscillate, **OSCILLATOR): 1, "x450": 1})
    own, other = SimSource(sim).world().groups
    (body,) = own.pieces
    heavier = sim.groups[0].mass[0] / sim.groups[1].mass[0]
    assert 0.2 < own.radius / (other.radius * np.cbrt(heavier)) < 2
    assert body.mesh.vertices[:, 0].max() > -body.mesh.vertices[:, 0].min()
    assert len(body.simple.triangles) <= 30
