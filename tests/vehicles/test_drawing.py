"""What all vehicles look like: closed, where they collide, and moved by what is displayed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.errors import ParameterError
from pyrfly.vehicles import FAMILIES
from pyrfly.vehicles.drawing import SPIN, TURN
from pyrfly.vehicles.drawing_solids import MeshFile, Wheel
from pyrfly.view.drawings import drawing_of
from pyrfly.view.drawings import pieces_of as pieces_from
from pyrfly.view.few import MOST
from pyrfly.view.solids import Surface, surface_of
from pyrfly.view.world import Mesh, Piece

from .conftest import anywhere

every_family = pytest.mark.parametrize("family", FAMILIES)


@cache
def pieces_of(name: str) -> tuple[Piece, ...]:
    return drawing_of(name)


def corners_of(pieces: tuple[Piece, ...]) -> np.ndarray:
    return np.concatenate([piece.mesh.vertices for piece in pieces])


def is_closed(mesh: Mesh | Surface) -> bool:
    """Return whether each edge of a triangle is one of another, the other way round."""
    edges = np.concatenate([mesh.triangles[:, [i, (i + 1) % 3]] for i in range(3)]).astype(int)
    there, back = (Counter(map(tuple, e.tolist())) for e in (edges, edges[:, ::-1]))
    return there == back


def volume_of(mesh: Mesh | Surface) -> float:
    """Return what triangles enclose that are counterclockwise as seen from outside."""
    a, b, c = (mesh.vertices[corner].astype(float) for corner in mesh.triangles.T)
    return float(np.sum(a * np.cross(b, c))) / 6


@every_family
def test_every_part_is_closed_and_looks_outward(family: str) -> None:
    for name in pyrfly.names(family):
        for part in FAMILIES[family].drawing(pyrfly.load(name)).parts:
            surface = surface_of(part.solid)
            assert is_closed(surface), (name, part.name)
            assert volume_of(surface) > 0, (name, part.name)
            axes = np.array(part.axes)
            np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-9)
            assert np.linalg.det(axes) > 0, (name, part.name)


@every_family
def test_meshes_are_of_finite_numbers_and_closed(family: str) -> None:
    for name in pyrfly.names(family):
        for piece in pieces_of(name):
            for mesh in (piece.mesh, piece.simple):
                assert np.isfinite(mesh.vertices).all()
                assert mesh.triangles.max(initial=0) < max(len(mesh.vertices), 1)
                assert len(mesh.colours) == len(mesh.triangles)
                assert is_closed(mesh), (name, piece.name)


@every_family
def test_a_vehicle_is_about_as_large_as_what_it_collides_with(family: str) -> None:
    for name in pyrfly.names(family):
        parameters = pyrfly.load(name)
        hull = FAMILIES[family].hull(parameters)
        pieces = pieces_from(FAMILIES[family].drawing(parameters))
        corners = corners_of(pieces)
        low, high = hull.extent
        high[2] = max(high[2], hull.height)  # its feet, or wheels, are on the ground
        if FAMILIES[family].afloat is None:
            fixed = corners_of(tuple(piece for piece in pieces if not piece.joints))
            assert fixed[:, 2].max() <= 1.2 * hull.height, name
        middle, half = 0.5 * (low + high), 0.5 * (high - low)
        slack = 1.2 * half + 0.1 * half.max()
        outside = np.abs(corners - middle) - slack
        assert outside.max() <= 0, (name, outside.max(axis=0))


@every_family
def test_few_triangles_are_enough_far_away(family: str) -> None:
    for name in pyrfly.names(family):
        few = [len(piece.simple.triangles) for piece in pieces_of(name)]
        assert 4 <= sum(few) <= MOST, name
        assert sum(len(piece.mesh.triangles) for piece in pieces_of(name)) <= 2000, name


@every_family
def test_joints_follow_numbers_that_the_vehicle_displays(family: str) -> None:
    for name in pyrfly.names(family):
        parts = [piece for piece in pieces_of(name) if piece.joints]
        used = {joint.actuator for piece in parts for joint in piece.joints}
        assert used <= set(range(8))
        for joint in (joint for piece in parts for joint in piece.joints):
            assert joint.kind in (SPIN, TURN)
            np.testing.assert_allclose(np.linalg.norm(joint.axis), 1, atol=1e-9)
            assert joint.gain != 0
        sim = pyrfly.Sim(name)
        sim.controllers = False
        anywhere(sim, 5)
        sim.step(1)
        assert (sim.displayed_actuators[0, sorted(used)] != 0).all(), name


@every_family
def test_wheels_roll_and_steer_as_the_vehicle_drives(family: str) -> None:
    for name in pyrfly.names(family):
        wheels = [
            part
            for part in FAMILIES[family].drawing(pyrfly.load(name)).parts
            if isinstance(part.solid, Wheel) and part.joints and part.joints[0].kind == SPIN
        ]
        if not wheels:
            continue
        sim = pyrfly.Sim(name)
        sim.reset()
        sim.arm()
        sim.command_position([[100, 10, 0]])
        sim.step(900)
        shown = sim.displayed_actuators[0]
        for part in wheels:
            roll = part.joints[0]
            below = np.cross(np.multiply(roll.gain * shown[roll.actuator], roll.axis), [0, 0, 1])
            assert below[0] * sim.vel_body[0, 0] < 0, (name, part.name)  # it does not slip
            np.testing.assert_allclose(part.at, roll.at)
            steered = [j for j in part.joints if j.at == roll.at and j.kind == TURN]
            for joint in steered:
                turned = joint.gain * shown[joint.actuator] * joint.axis[2]
                assert turned * sim.rate[0, 2] > 0, (name, part.name)


def test_a_family_that_draws_nothing_is_seen_as_its_hull() -> None:
    for name, family in FAMILIES.items():
        (first, *_) = pyrfly.names(name)
        parameters = pyrfly.load(first)
        parts = replace(family, draw=None).drawing(parameters).parts
        *shapes, nose = parts
        assert [part.name for part in shapes] == [s.name for s in family.hull(parameters).shapes]
        assert nose.name == "nose"
        low, high = family.hull(parameters).extent
        corners = np.concatenate([surface_of(part.solid).vertices + part.at for part in shapes])
        np.testing.assert_allclose(corners.min(axis=0), low, atol=1e-9)
        np.testing.assert_allclose(corners.max(axis=0), high, atol=1e-9)


def turned(piece: Piece, displayed: np.ndarray) -> np.ndarray:
    """Return the corners of a piece at these numbers, as if nothing spun, shape (v, 3)."""
    corners = piece.mesh.vertices.astype(float)
    for joint in piece.joints:
        if joint.kind == TURN:
            angle = joint.gain * displayed[joint.actuator] * np.array(joint.axis)
            corners = Rotation.from_rotvec(angle).apply(corners - joint.at) + joint.at
    return corners


def surfaces_of(pieces: tuple[Piece, ...]) -> list[Piece]:
    """Return the pieces that only turn, but for what rotors that tilt are on."""
    spinning = {j for p in pieces for j in p.joints if any(one.kind == SPIN for one in p.joints)}
    return [piece for piece in pieces if piece.joints and not spinning & {*piece.joints}]


def pushed(piece: Piece, before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Return which way it turns a vehicle that a surface deflects in a flow from ahead.

    Flow pushes it away from where its trailing edge goes.
    """
    corners = turned(piece, before)
    trailing = corners[:, 0] <= corners[:, 0].min() + 0.1 * np.ptp(corners[:, 0])
    away = (turned(piece, after) - corners)[trailing].mean(axis=0)
    size = np.sort(np.ptp(corners, axis=0))
    return size[1] * size[2] * np.cross(corners.mean(axis=0), -away)


@every_family
def test_surfaces_deflect_to_where_the_model_turns(family: str) -> None:
    for name in pyrfly.names(family):
        surfaces = surfaces_of(pieces_of(name))
        if not surfaces:
            continue
        actuators = FAMILIES[family].actuators(pyrfly.load(name))
        sim = pyrfly.Sim(name, 1 + len(actuators), dt=1e-5)
        sim.controllers = False
        group = sim.groups[0]
        sim.reset(pos=[0, 0, -50] if group.flies else None)
        sim.vel[:, 0] = getattr(sim, group.abilities.cruise_speed)
        for row, actuator in enumerate(actuators, start=1):
            for column, component in actuator.moves:
                if not actuator.is_motor:
                    group.view(column).reshape(sim.n, -1)[row, component] += 0.1
        sim.step(1)
        shown = sim.displayed_actuators
        for row in range(1, sim.n):
            drawn = sum(pushed(piece, shown[0], shown[row]) for piece in surfaces)
            turns = sim.angular_accel[row] - sim.angular_accel[0]
            if np.any(drawn) and np.any(turns):
                axis = np.argmax(np.abs(drawn))
                assert drawn[axis] * turns[axis] > 0, (name, row)


# --- meshes of files

OBJ = "v 0 0 0\nv 2000 0 0\nv 0 1000 0\nv 0 0 500\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
"""A tetrahedron in mm: forward, left and up."""


def a_set(folder: Path, drawing: str) -> Path:
    """Write the first set of the first family with a table of its own, and a mesh beside it."""
    (folder / "body.obj").write_text(OBJ)
    family = next(iter(FAMILIES.values()))
    text = family.set_files()[0].read_text("utf-8")
    path = folder / "mine.toml"
    path.write_text(f"{text}\n[drawing]\n{drawing}\n")
    return path


def test_a_set_may_name_a_mesh_in_its_folder(tmp_path: Path) -> None:
    path = a_set(tmp_path, 'mesh = "body.obj"\nscale = 0.001')
    vehicle = pyrfly.load(path)
    (part,) = FAMILIES[vehicle.family].drawing(vehicle).parts
    surface = surface_of(part.solid)
    assert surface.vertices.tolist() == [[0, 0, 0], [2, 0, 0], [0, -1, 0], [0, 0, -0.5]]
    (piece,) = drawing_of(vehicle)
    assert len(piece.mesh.triangles) == 4
    assert len(piece.simple.triangles) == 12
    (tmp_path / "body.obj").write_text(OBJ.replace("2000", "3000"))
    assert surface_of(part.solid).vertices[1].tolist() == [3, 0, 0]


def test_a_mesh_may_be_seen_with_what_moves() -> None:
    for family in FAMILIES.values():
        vehicle = pyrfly.load(pyrfly.names(family.name)[0])
        moving = [part for part in family.drawing(vehicle).parts if part.joints]
        vehicle = replace(vehicle, mesh=MeshFile(Path("body.obj"), moving=True))
        (body, *others) = family.drawing(vehicle).parts
        assert body.solid == vehicle.mesh
        assert others == moving


@pytest.mark.parametrize(
    ("drawing", "told"),
    [
        ('mesh = "../body.obj"', "mesh: expected a path within the folder"),
        ('mesh = "other.obj"', "mesh: there is no file"),
        ('mesh = "mine.toml"', "mesh: expected a file that ends in .glb, .gltf, .obj"),
        ('mesh = "body.obj"\nscale = -1', "scale: expected a number above 0, got -1"),
        ('mesh = "body.obj"\naxes = "up"', "axes: expected one of flu, .* got 'up'"),
        ('mesh = "body.obj"\nmoving = 1', "moving: expected true or false, got 1"),
        ('mesh = "body.obj"\nsize = 1', "unknown key 'size'"),
        ("scale = 1", "mesh: expected a text"),
    ],
)
def test_tables_that_are_no_drawings_are_refused(tmp_path: Path, drawing: str, told: str) -> None:
    with pytest.raises(ParameterError, match=f"mine.toml: drawing: .*{told}"):
        pyrfly.load(a_set(tmp_path, drawing))
