"""Models with the function of pyrfly_model.h: the template, compiled, as vehicles of a Sim."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import pyrfly
from pyrfly import ParameterError, Sim, plugins
from pyrfly.compilers import compile_library
from pyrfly.plugins import OwnModel

Compile = Callable[[str, str], Path]


@pytest.fixture(scope="module")
def compiled(build: object, tmp_path_factory: pytest.TempPathFactory) -> Compile:
    """Return a function that compiles a source, with a text of it replaced by another."""

    def library(name: str, source: str) -> Path:
        folder = tmp_path_factory.mktemp("own models")
        (folder / "model.c").write_text(source, encoding="utf-8")
        made = folder / f"{name}.so"
        options = ["-O1", f"-I{pyrfly.get_include()}"]
        compile_library([folder / "model.c"], made, options=options)
        return made

    return library


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = plugins.new("my_quad", tmp_path_factory.mktemp("new") / "my_quad")
    return (folder / "model.c").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def quad(compiled: Compile, template: str) -> OwnModel:
    loaded = plugins.load(compiled("my_quad", template))
    assert isinstance(loaded, OwnModel)
    return loaded


def flown(model: OwnModel, vehicles: int, chunks: list[int], **options: object) -> Sim:
    sim = Sim({model: vehicles}, **options)
    sim.controllers = False
    sim.reset(pos=[0, 0, -50])
    sim.groups[0].command[:, :4] = [0.5, 0.6, 0.55, 0.52]
    for steps in chunks:
        sim.step(steps)
    return sim


def test_it_flies_beside_others_by_the_same_commands(quad: OwnModel) -> None:
    sim = Sim({quad: 70, "x450": 1})
    start = np.column_stack([np.arange(71.0), np.zeros((71, 2))])
    sim.reset(pos=start)
    sim.armed = 1
    sim.command_position(start + np.array([0, 1, -5]), yaw=0.5)
    sim.step(8000)
    np.testing.assert_allclose(sim.pos, start + np.array([0, 1, -5]), atol=0.01)
    np.testing.assert_allclose(sim.euler[:, 2], 0.5, atol=0.01)
    assert sim.arrived.all()
    group = sim.groups[0]
    weight = group.mass * group.gravity
    np.testing.assert_allclose(group.thrust_total, weight, rtol=1e-3)  # an output of its own
    rpm = group.rotor_speed * 30 / np.pi
    np.testing.assert_allclose(group.displayed_actuators[:, :4], rpm, rtol=1e-12)


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_bits_do_not_depend_on_pieces_and_neighbours(quad: OwnModel, precision: str) -> None:
    one, many, pieces = (
        flown(quad, n, chunks, precision=precision)
        for n, chunks in ((1, [100]), (130, [37, 63]), (130, [1] * 100))
    )
    for other in (many, pieces):
        for name in ("pos", "att"):
            assert (getattr(other, name)[-1] == getattr(one, name)[0]).all()
        assert (other.groups[0].rotor_speed[-1] == one.groups[0].rotor_speed[0]).all()


def test_external_loads_wind_and_changed_masses_act_on_it(quad: OwnModel) -> None:
    """Closed forms: v' = F / m, and for a force and drag d: v = F / d (1 - exp(-d t / m))."""
    sim = Sim({quad: 3})
    sim.controllers = False
    sim.reset(pos=[[0, 0, -500], [9, 0, -500], [18, 0, -500]], yaw=[2.0, 0, 0])
    sim.set_load(
        force=[[1.5, 0, 0], [0, 0, 0], [0, 0, 0]], torque=[[0, 0, 0], [0, 0.021, 0], [0, 0, 0]]
    )
    sim.wind = [[0, 0, 0], [0, 0, 0], [3, 0, 0]]
    assert sim.groups[0].accel[0] @ [np.cos(2.0), -np.sin(2.0), 0] == pytest.approx(1.0)  # FRD
    sim.step(1000)
    drag = 1 - np.exp(-0.3 / 1.5)
    assert sim.vel[0, 0] == pytest.approx(1.5 / 0.3 * drag, rel=1e-9)
    assert sim.rate[1, 1] == pytest.approx(1.0, rel=1e-9)
    assert sim.vel[2, 0] == pytest.approx(3 * drag, rel=1e-9)


def test_it_falls_by_the_gravity_and_in_the_air_of_the_environment(quad: OwnModel) -> None:
    sim = Sim({quad: 1, "x450": 1})
    sim.controllers = False
    sim.environment.enable("gravity", "density")
    sim.environment.set_earth("sphere")
    sim.reset(pos=[0, 0, -3000])
    own, other = sim.groups
    np.testing.assert_allclose(own.specific_force, 0, atol=1e-9)
    np.testing.assert_allclose(own.accel[0], other.accel[0], atol=1e-9)
    assert own.accel[0, 2] != pytest.approx(9.8, abs=1e-3)


def test_faults_of_what_it_does_not_tell_are_refused(quad: OwnModel) -> None:
    sim = Sim({quad: 1})
    with pytest.raises(ParameterError, match="do not say what they move"):
        sim.faults.add("propeller", actuator=1)
    sim.faults.add("motor", actuator=1)


def test_trim_and_linear_model_have_its_own_states(quad: OwnModel) -> None:
    sim = Sim({quad: 1})
    hover = sim.trim()
    speed = np.sqrt(1.5 * 9.8 / (4 * 1.1e-5))
    np.testing.assert_allclose(hover.state["rotor_speed"], speed, rtol=1e-6)
    linear = sim.linearize()
    assert (hover.inputs["command"][0, 4:] == 0).all()
    assert linear.A.shape == (1, 16, 16)  # 12 of the body, 4 of the rotors
    poles = np.sort(np.linalg.eigvals(linear.A[0]).real)
    np.testing.assert_allclose(poles[:4], -1 / 0.02, rtol=1e-6)


def test_copies_snapshots_and_pickles_go_on_alike(quad: OwnModel) -> None:
    sim = flown(quad, 2, [100])
    others = [copy.deepcopy(sim), pickle.loads(pickle.dumps(sim)), Sim({quad: 2})]
    others[2].controllers = False
    others[2].restore(sim.snapshot())
    for one in (sim, *others):
        one.step(50)
    for other in others:
        assert (other.pos == sim.pos).all()


def test_a_reload_changes_vehicles_that_fly(compiled: Compile, template: str) -> None:
    path = compiled("reloaded", template)
    model = plugins.load(path)
    assert isinstance(model, OwnModel)
    sim = Sim({model: 1})
    sim.controllers = False
    sim.reset(pos=[0, 0, -100])
    sim.step(10)
    lighter = template.replace("p[PYRFLY_GRAVITY][i] - lift", "0.5 * p[PYRFLY_GRAVITY][i] - lift")
    assert lighter != template
    path.write_bytes(compiled("lighter", lighter).read_bytes())
    model.reload()
    before = sim.vel[0, 2]
    sim.step(10)
    assert sim.vel[0, 2] - before == pytest.approx(0.049, rel=0.01)
    path.write_bytes(
        compiled("other", template.replace("X(rotor_speed, 4,", "X(rotor_speed, 5,")).read_bytes()
    )
    with pytest.raises(ParameterError, match="other columns"):
        model.reload()


def test_numbers_that_are_not_finite_are_the_fault_of_one_vehicle(quad: OwnModel) -> None:
    sim = Sim({quad: 3})
    sim.controllers = False
    sim.reset(pos=[0, 0, -50])
    sim.groups[0].command[1, 0] = np.inf
    sim.step(10)
    assert (sim.status != 0).tolist() == [False, True, False]
    assert np.isfinite(sim.pos).all()


def test_a_table_that_makes_no_vehicle_is_refused(compiled: Compile, template: str) -> None:
    """Other tables are refused as those of models in Python are."""
    path = compiled(
        "without", template.replace("4, derivative,", "4, NULL,").replace("static void d", "void d")
    )
    with pytest.raises(ParameterError, match=r"without\.so: derivative: expected a function"):
        plugins.load(path)


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("2, sizeof(pyrfly_model)", "abi: expected version 1 of pyrfly_model.h, got 2"),
        ("1, 16", "size, column_size, block_size: expected at least"),
    ],
)
def test_a_table_of_another_version_is_refused(compiled: Compile, head: str, message: str) -> None:
    path = compiled(
        "version",
        f"""#include <pyrfly_model.h>
        static const pyrfly_model model = {{{head}, sizeof(pyrfly_column), sizeof(pyrfly_block)}};
        const pyrfly_model *pyrfly_model_entry(uint32_t abi) {{ (void)abi; return &model; }}""",
    )
    with pytest.raises(ParameterError, match=message):
        plugins.load(path)


def test_a_model_without_a_table_for_this_version_is_refused(compiled: Compile) -> None:
    path = compiled(
        "none",
        """#include <pyrfly_model.h>
        const pyrfly_model *pyrfly_model_entry(uint32_t abi) { (void)abi; return NULL; }""",
    )
    with pytest.raises(ParameterError, match="no table for version 1"):
        plugins.load(path)
    with pytest.raises(ParameterError, match="isolate=False"):
        plugins.load(path, isolate=True)
