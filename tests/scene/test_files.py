"""Files of scenes: what is written is read again; what is no scene."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyrfly.errors import SceneError
from pyrfly.scene import (
    Box,
    Cylinder,
    Mesh,
    Plane,
    Scene,
    Shape,
    Sphere,
    forest,
    read_scene,
    write_scene,
)

SQUARE = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n"
EVERY = """
[[sphere]]
radius = 2

[[box]]
name = "house"
size = [2, 4.0, 6]
position = [10, 0, -3]
attitude_deg = [0, 0, 90]
friction = 0.3
restitution = 0.5

[[cylinder]]
radius = 0.2
height = 5

[[box]]
size = [1, 1, 1]
attitude = [0.1, 0.2, 0.3]

[[plane]]

[[mesh]]
file = "models/square.obj"
position = [5, 0, 0]
scale = 2

[[mesh]]
vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
triangles = [[0, 1, 2]]
"""


def scene_file(folder: Path, text: str) -> Path:
    (folder / "models").mkdir(exist_ok=True)
    (folder / "models" / "square.obj").write_text(SQUARE)
    path = folder / "scene.toml"
    path.write_text(text)
    return path


def test_a_file_has_all_shapes_by_kind(tmp_path: Path) -> None:
    scene = read_scene(scene_file(tmp_path, EVERY))
    kinds = [type(shape) for shape in scene.shapes]
    assert kinds == [Sphere, Box, Box, Cylinder, Plane, Mesh, Mesh]
    house = Box((2, 4, 6), (10, 0, -3), (0, 0, np.pi / 2), name="house", friction=0.3)
    expected = [
        Sphere(2),
        Box(
            house.size, house.position, house.attitude, name="house", friction=0.3, restitution=0.5
        ),
        Box((1, 1, 1), attitude=(0.1, 0.2, 0.3)),
        Cylinder(0.2, 5),
        Plane(),
    ]
    assert list(scene.shapes[:5]) == expected
    low, high = Scene(scene.shapes[5:6]).bounds
    assert low.tolist() == [5, -2, 0]
    assert high.tolist() == [7, 0, 0]


lengths = st.floats(0.01, 100.0)
places = st.tuples(*[st.floats(-1e3, 1e3)] * 3)
angles = st.tuples(*[st.floats(-3.0, 3.0)] * 3)
every = {"friction": st.floats(0, 2), "restitution": st.floats(0, 1)}
named = {"name": st.text(st.characters(codec="utf-8"), max_size=9).filter(str.isprintable)}
shapes = st.one_of(
    st.builds(Box, st.tuples(*[lengths] * 3), places, angles, **every, **named),
    st.builds(Cylinder, lengths, lengths, places, angles, **every),
    st.builds(Sphere, lengths, places, **every, **named),
    st.builds(Plane, st.tuples(*[st.floats(-1, 1)] * 3).filter(any), places),
    st.builds(
        lambda at, vertices: Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], *vertices], [[0, 1, 2]], at),
        places,
        st.lists(places, max_size=3),
    ),
)


@settings(max_examples=15)
@given(st.lists(shapes, max_size=6))
def test_what_is_written_is_read_again(tmp_path_factory: Any, written: list[Shape]) -> None:
    kinds = [Box, Cylinder, Sphere, Plane, Mesh]
    scene = Scene(sorted(written, key=lambda shape: kinds.index(type(shape))))
    path = tmp_path_factory.mktemp("scenes") / "scene.toml"
    write_scene(path, scene)
    again = read_scene(path)
    assert again.checksum == scene.checksum
    for a, b in zip(again.shapes, scene.shapes, strict=True):
        assert a == b or isinstance(a, Mesh)
        assert a.name == b.name


def test_a_file_has_a_limited_number_of_shapes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pyrfly.scene.files.MAXIMUM_ENTRIES", 3)
    path = scene_file(tmp_path, "[[plane]]\n" * 2 + "[[sphere]]\nradius = 1\n" * 2)
    with pytest.raises(SceneError, match="sphere: expected at most 3 shapes in all"):
        read_scene(path)
    with pytest.raises(SceneError, match="scene: expected at most 3 shapes"):
        write_scene(tmp_path / "a.toml", Scene([Sphere(1)] * 4))
    with pytest.raises(SceneError, match=r"path: expected a \.toml"):
        write_scene(tmp_path / "a.obj", Scene())
    assert not (tmp_path / "a.toml").exists()


BAD = [
    ("[[bxo]]\n", "expected tables box, cylinder, sphere, plane, mesh, got 'bxo'"),
    ("box = 5\n", r"box: expected tables \[\[box\]\], got 5"),
    ("[box]\nsize = [1, 1, 1]\n", r"box: expected tables \[\[box\]\]"),
    ("box = [5]\n", r"\[\[box\]\] 1: expected a table, got 5"),
    ("[[box]]\n", r"\[\[box\]\] 1: size: missing"),
    (
        "[[box]]\nsize = [1, 1, 1]\n[[box]]\nsize = [1, 1]\n",
        r"\[\[box\]\] 2: box: size: expected 3",
    ),
    ("[[box]]\nname = 'w'\nsize = [1, 1, nan]\n", r"\[\[box\]\] 1: box 'w': size: .*nan"),
    ("[[box]]\nsize = [1, 1, 1]\nszie = 3\n", r"unknown key 'szie'; try size"),
    ("[[sphere]]\nradius = '1'\n", r"\[\[sphere\]\] 1: sphere: radius: "),
    ("[[sphere]]\nradius = 1\nattitude_deg = [0, 0, 1]\n", "unknown key 'attitude_deg'"),
    ("[[box]]\nsize = [1, 1, 1]\nattitude_deg = [0, 0, 400]\n", "attitude_deg: .*within a turn"),
    ("[[box]]\nsize = [1, 1, 1]\nattitude_deg = [0, 0, nan]\n", "attitude_deg: .*within a turn"),
    ("[[box]]\nsize = [1, 1, 1]\nattitude_deg = 3\n", "attitude_deg: expected roll, pitch, yaw"),
    ("[[box]]\nsize = [1, 1, 1]\nattitude = [1]\nattitude_deg = [0, 0, 0]\n", "and no attitude"),
    ("[[box]]\nsize = [1, 1, 1]\nattitude = [0, 0, 90]\n", r"attitude: expected .*\[rad\]"),
    ("[[mesh]]\nfile = 5\n", r"\[\[mesh\]\] 1: file: expected a text"),
    ("[[mesh]]\nfile = 'models/none.obj'\n", r"\[\[mesh\]\] 1: file 'models/none.obj': cannot be"),
    ("[[mesh]]\nfile = 'scene.toml'\n", r"\[\[mesh\]\] 1: file 'scene.toml': expected one of"),
    ("[[mesh]]\nfile = 'models/square.obj'\naxes = 'up'\n", "axes: expected"),
    ("[[mesh]]\nfile = 'models/square.obj'\nvertices = []\n", "unknown key 'vertices'"),
    ("[[mesh]]\nvertices = [[0, 0, 0]]\n", r"\[\[mesh\]\] 1: triangles: missing"),
    ("[[mesh]]\nvertices = [[0, 0, 0]]\ntriangles = [[0, 0, 1]]\n", "mesh: triangles: .*in row 0"),
    ("a = ", "not a TOML file"),
    ("[[plane]]\n" * 65, "shapes: expected at most 64 planes, got 65"),
    ("a" * 3000 + " = 1", "line 1 has more than 2000 characters"),
    ("#" * 1000 + "\n" + ("#" * 999 + "\n") * 20_001, "expected at most 20 MB"),
]


@pytest.mark.parametrize(("text", "message"), BAD, ids=[message for _, message in BAD])
def test_an_error_names_file_entry_and_field(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SceneError, match=f"scene.toml: .*{message}"):
        read_scene(scene_file(tmp_path, text))


@pytest.mark.parametrize(
    "name",
    ["../secret.obj", "models/../../secret.obj", "{}/secret.obj", "link.obj", "linked/secret.obj"],
)
def test_meshes_are_within_the_folder(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "scene"
    folder.mkdir()
    (tmp_path / "secret.obj").write_text(SQUARE)
    (folder / "link.obj").symlink_to(tmp_path / "secret.obj")
    (folder / "linked").symlink_to(tmp_path)
    path = scene_file(folder, f"[[mesh]]\nfile = '{name.format(tmp_path)}'\n")
    with pytest.raises(SceneError, match=r"\[\[mesh\]\] 1: file .*: expected a path within the"):
        read_scene(path)


def test_an_absolute_path_within_the_folder_is_refused_too(tmp_path: Path) -> None:
    path = scene_file(tmp_path, f"[[mesh]]\nfile = '{tmp_path}/models/square.obj'\n")
    with pytest.raises(SceneError, match="expected a path within the folder"):
        read_scene(path)


def test_a_file_named_often_is_read_once_and_its_triangles_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = scene_file(tmp_path, "[[mesh]]\nfile = 'models/square.obj'\n" * 3)
    assert len(read_scene(path).arrays.owners) == 6
    for limit, name in ((5, "TRIANGLES"), (11, "VERTICES")):
        with monkeypatch.context() as patch:
            patch.setattr(f"pyrfly.scene.files.MAXIMUM_{name}", limit)
            message = rf"\[\[mesh\]\] 3: file .* at most .*{limit} {name.lower()}"
            with pytest.raises(SceneError, match=message):
                read_scene(path)


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SceneError, match=r"a.png: expected \.toml or one of"):
        read_scene(tmp_path / "a.png")
    with pytest.raises(SceneError, match=r"a\.toml: cannot be read"):
        read_scene(tmp_path / "a.toml")
    with pytest.raises(TypeError, match="path"):
        read_scene(5)  # type: ignore[arg-type]


def test_a_forest_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "forest.toml"
    woods = forest(300, (100, 100))
    write_scene(path, woods)
    assert set(read_scene(path).shapes) == set(woods.shapes)
