"""``pyrfly model``: models of one's own, from a folder to begin with to one that flies."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from pyrfly.commands.progress import doing
from pyrfly.errors import Error
from pyrfly.files import printable
from pyrfly.frames.rotations import quaternion_rate
from pyrfly.plugins import OwnModel, build, new
from pyrfly.plugins.family_build import TYPES, compile_family
from pyrfly.plugins.workshop import compile_model
from pyrfly.sim import Sim

__all__ = ["add_arguments", "holds"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the commands of ``pyrfly model``."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="action")
    fresh = actions.add_parser("new", help="make a folder with a quadrotor to begin with")
    fresh.add_argument("name", help="name of the model: a-z, 0-9 and _")
    fresh.add_argument("--folder", type=Path, help="by default one with that name, here")
    fresh.set_defaults(run=_new)
    for word, run, text in (
        ("build", _build, "compile model.c to model.so, or the family of types.inc"),
        ("test", _test, "compile it, and fly what every model has to hold"),
    ):
        action = actions.add_parser(word, help=text)
        action.add_argument("folder", nargs="?", type=Path, default=Path(), help="by default this")
        action.set_defaults(run=run)


def _new(options: argparse.Namespace) -> int:
    folder = new(options.name, options.folder)
    where = printable(folder)
    print(f"{where}: edit model.c, then: pyrfly model test {shlex.quote(where)}")
    return 0


def _build(options: argparse.Namespace) -> int:
    if (options.folder / TYPES).is_file():
        library, said = compile_family(options.folder), ""
    else:
        with doing(f"compiles {printable(options.folder)}"):
            library, said = compile_model(options.folder)
    print(said + printable(library))
    return 0


def _test(options: argparse.Namespace) -> int:
    with doing(f"compiles {printable(options.folder)}"):
        model = build(options.folder)
    for line in holds(model):
        print(line)
    return 0


_VEHICLES = 70
"""Vehicles of a check: more than a block of the core has, and no multiple of its lanes."""


def holds(model: OwnModel) -> Iterator[str]:
    """Fly a model, and give a line for each thing that holds.

    Raises
    ------
    Error
        Something does not hold; the message says what.
    """
    checks = [_has_a_derivative, _moves_as_a_body]
    checks += [_senses] if model.table.functions.sense else []
    checks += [_flies_alone_as_among_others]
    checks += [_holds_a_position] if model.commands else []
    yield f"{model.name}: {model.table.doc}, {len(model.table.own)} columns of its own"
    for check in (*checks, _has_a_speed):
        yield check(model)


def _flight(model: OwnModel, vehicles: int, steps: int) -> Sim:
    """Return vehicles with different commands and velocities after steps without controllers."""
    sim = Sim({model: vehicles}, threads=1)
    sim.controllers = False
    sim.reset(pos=np.column_stack([np.zeros((vehicles, 2)), np.full(vehicles, -1000.0)]))
    share = np.linspace(0.3, 0.9, _VEHICLES)[:vehicles]
    sim.groups[0].view("command")[:, : model.actuator_count] = share[:, None]
    sim.vel[:, 0] = share
    sim.rate[:, 1] = share
    sim.step(steps)
    return sim


def _columns(sim: Sim, *roles: str) -> dict[str, np.ndarray[Any, Any]]:
    """Return the columns of these roles, shape (n, width)."""
    group = sim.groups[0]
    names = [field.name for field in group.fields if field.role in roles]
    return {name: group.view(name).reshape(group.n, -1) for name in names}


def _has_a_derivative(model: OwnModel) -> str:
    if not np.isfinite(_flight(model, _VEHICLES, 0).groups[0].batch.derivative()).all():
        raise Error("derivative: expected finite values at the start, got others")
    return "the derivative is finite at the start"


def _moves_as_a_body(model: OwnModel) -> str:
    sim = _flight(model, _VEHICLES, 0)
    rates = sim.groups[0].batch.derivative()
    turn = quaternion_rate(sim.att, sim.rate)
    for name, got, want in (("pos", rates[:, :3], sim.vel), ("att", rates[:, 6:10], turn)):
        if not np.allclose(got, want, rtol=1e-6, atol=1e-9):
            of = {"pos": "vel", "att": "att and rate"}[name]
            raise Error(f"derivative: {name}: expected that of {of}, {want[1]}, got {got[1]}")
    return "position and attitude follow velocity and angular velocity"


def _flies_alone_as_among_others(model: OwnModel) -> str:
    many, alone = (_columns(_flight(model, n, 50), "state", "sensor") for n in (_VEHICLES, 1))
    for name, values in alone.items():
        if not np.allclose(many[name][:1], values, rtol=1e-6, atol=1e-9):
            raise Error(
                f"{name}: a vehicle alone has {values[0]}, among others {many[name][0]}: its "
                "functions depend on more than their vehicle"
            )
    return "a vehicle flies alone as among others"


def _senses(model: OwnModel) -> str:
    for name, values in _columns(_flight(model, _VEHICLES, 50), "sensor").items():
        if not np.isfinite(values).all():
            raise Error(f"sense: {name}: expected finite values, got others")
    return "its sensors measure finite values"


def _holds_a_position(model: OwnModel) -> str:
    sim = Sim({model: 2})
    sim.reset(pos=[[0, 0, 0], [5, 0, 0]])
    sim.armed = 1
    goal = np.array([[1.0, 0, -5], [5, 2, -5]])
    sim.command_position(goal)
    sim.step(round(20 / sim.dt))
    away = float(np.linalg.norm(sim.pos - goal, axis=1).max())
    if not away < 0.5:
        raise Error(
            f"control: expected to hold a position within 0.5 m after 20 s, got {away:.3g} m"
        )
    return f"it holds a position: {away:.2g} m from it after 20 s"


def _has_a_speed(model: OwnModel) -> str:
    vehicles, steps, best = 1024, 20, np.inf
    sim = Sim({model: vehicles}, threads=1)
    sim.controllers = False
    sim.reset(pos=[0, 0, -1000])
    for _ in range(5):
        begin = process_time()
        sim.step(steps)
        best = min(best, process_time() - begin)
    return (
        f"speed: {vehicles * steps / max(best, 1e-9) / 1e6:.3g} million steps per second and core"
    )
