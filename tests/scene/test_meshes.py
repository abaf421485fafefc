"""Files of meshes: the same body in every format, its axes, and files that are hostile."""

from __future__ import annotations

import base64
import contextlib
import io
import json
import struct
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from PIL import Image

from pyrfly.errors import MissingExtraError, SceneError
from pyrfly.scene import Mesh, Scene, read_mesh, read_scene
from pyrfly.scene.gltf import read_gltf as surface_of_gltf

SIZE, MIDDLE = np.array((1.0, 2.0, 3.0)), np.array((10.0, 20.0, 30.0))
NED = {
    "flu": (10, -20, -30),
    "enu": (20, 10, -30),
    "gltf": (30, -10, -20),
    "ned": (10, 20, 30),
}
TRIANGLE = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4")


def body() -> trimesh.Trimesh:
    """Return a box of `SIZE` about `MIDDLE`, in the axes of a file."""
    box = trimesh.creation.box(SIZE)
    box.apply_translation(MIDDLE)
    return box


def written(folder: Path, name: str) -> Path:
    """Write the body as trimesh does; ``ascii.`` formats are texts."""
    path = folder / name
    if name == "ascii.ply":
        path.write_bytes(body().export(file_type="ply", encoding="ascii"))
    elif name == "ascii.stl":
        path.write_text(body().export(file_type="stl_ascii"))
    elif name.endswith("gltf"):
        files = trimesh.exchange.gltf.export_gltf(trimesh.Scene(body()))
        for file, data in files.items():
            (path if file == "model.gltf" else folder / file).write_bytes(data)
    else:
        exported = body().export(file_type=path.suffix[1:])
        path.write_bytes(exported if isinstance(exported, bytes) else exported.encode())
    return path


def volume_of(mesh: Mesh) -> float:
    """Return the volume within a closed mesh, by the divergence theorem."""
    return float(np.linalg.det(mesh.corners() - mesh.corners().mean(axis=(0, 1))).sum() / 6)


FORMATS = ["body.stl", "ascii.stl", "body.obj", "body.ply", "ascii.ply", "body.glb", "body.gltf"]


@pytest.mark.parametrize("name", FORMATS)
def test_a_body_is_read_from_every_format(name: str, tmp_path: Path) -> None:
    mesh = read_mesh(written(tmp_path, name), name="box")
    axes = "gltf" if "gl" in name else "flu"
    low, high = Scene([mesh]).bounds
    np.testing.assert_allclose((low + high) / 2, NED[axes], rtol=1e-6)
    np.testing.assert_allclose(np.sort(high - low), SIZE, rtol=1e-6)
    assert len(mesh.triangles) == 12
    assert mesh.name == "box"
    assert volume_of(mesh) == pytest.approx(6.0, rel=1e-6)  # outwards is outwards still


@pytest.mark.parametrize("axes", NED)
def test_axes_may_be_others(axes: str, tmp_path: Path) -> None:
    mesh = read_mesh(written(tmp_path, "body.ply"), axes=axes, scale=0.1, position=(1, 2, 3))
    middle = Scene([mesh]).bounds.mean(axis=0)
    np.testing.assert_allclose(middle, 0.1 * np.array(NED[axes]) + (1, 2, 3), atol=1e-6)
    assert volume_of(mesh) == pytest.approx(6e-3, rel=1e-6)


def test_a_file_of_a_mesh_is_a_scene(tmp_path: Path) -> None:
    assert repr(read_scene(written(tmp_path, "body.stl"))) == "<Scene of 1 mesh, 12 triangles>"


def test_nodes_of_a_gltf_are_placed(tmp_path: Path) -> None:
    scene = trimesh.Scene()
    for east in (0.0, 5.0):
        turn = trimesh.transformations.rotation_matrix(np.pi / 2, (0, 1, 0), (0, 0, 0))
        turn[0, 3] = -east
        scene.add_geometry(trimesh.creation.box((1, 2, 3)), transform=turn)
    path = tmp_path / "two.glb"
    path.write_bytes(scene.export(file_type="glb"))
    mesh = read_mesh(path)
    bounds = Scene([mesh]).bounds
    np.testing.assert_allclose(bounds, [[-0.5, -1.5, -1], [0.5, 6.5, 1]], rtol=1e-6, atol=1e-6)
    assert len(mesh.triangles) == 24


OBJ = """
mtllib ../../secret.mtl
v 0 0 0
v 1 0 0 0.5 0.5 0.5
v 1 1 0
f 1/1/1 2//1 3
v 0 1 0
vn 0 0 1
f -1 -2 1
f 1 2 \\
3 4
"""


def test_obj_numbers_count_from_the_first_or_back_from_the_line(tmp_path: Path) -> None:
    path = tmp_path / "a.obj"
    path.write_text(OBJ)
    mesh = read_mesh(path)
    assert mesh.triangles.tolist() == [[0, 1, 2], [3, 2, 0], [0, 1, 2], [0, 2, 3]]
    assert mesh.vertices.tolist() == [[0, 0, 0], [1, 0, 0], [1, -1, 0], [0, -1, 0]]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("v 0 0\n", "line 1: expected a vertex, got b'v 0 0'"),
        ("v 0 0 x\n", "line 1: expected a vertex"),
        ("v 0 0 0\nf 1 1 0\n", "line 2: expected a face, .*no vertex 0"),
        ("v 0 0 0\nf 1 1 -2\n", "line 2: .*no vertex -2"),
        ("v 0 0 0\nf 1 1\n", "line 2: .*fewer than 3"),
        ("v 0 0 0\nf 1 1 a\n", "line 2: expected a face"),
        ("v 0 0 0\nf 1 1 2\n", r"triangles: .*0 to 0, got \[0, 0, 1\] in row 0"),
        ("v 0 0 nan\nf 1 1 1\n", r"vertices: .*nan\] in row 0"),
        ("v 0 0 0\nf" + " 1" * 60_000, "line 2: .*more than 100000 bytes"),
        ("", "vertices: expected rows"),
        ("v 0 0 0\nf 1 1 1\n", "triangles: expected one at least that has an area"),
    ],
)
def test_an_error_of_an_obj_names_the_line(lines: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.obj"
    path.write_text(lines)
    with pytest.raises(SceneError, match=f"a.obj: .*{message}"):
        read_mesh(path)


def stl(count: int, triangles: int = 1) -> bytes:
    one = bytes(12) + TRIANGLE.tobytes() + bytes(2)
    return bytes(80) + struct.pack("<I", count) + one * triangles


PLY = "ply\nformat ascii 1.0\nelement vertex {}\nproperty float x\nproperty float y\n"
PLY += "property float z\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n"

GLB_HEAD, JSON_CHUNK = b"glTF\2\0\0\0", bytes(4) + b"JSON"
CORNERS = "0 0 0\n1 0 0\n0 1 0\n"


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.stl", stl(10**8), "expected 5000000084 bytes of 100000000 triangles, got 134"),
        ("a.stl", b"", "expected 84 bytes"),
        ("a.stl", b"solid a\nvertex 1 2 x\nvertex 1 2 3\nvertex 4 5 6\nendsolid", "cannot be read"),
        ("a.stl", b"solid", "expected triangles, found none"),
        ("a.ply", b"ply\n" * 10**6, "expected a header of at most"),
        ("a.ply", PLY.format(3, 10**8).encode(), "at most 4000000 triangles, got 100000000"),
        ("a.ply", (PLY.format(3, 1) + "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n").encode(), "0 to 2, got"),
        ("a.ply", (PLY.format(3, 1) + "0 0 0\n1 0 0\n0 1 0\n3 0 1 x\n").encode(), "cannot be read"),
        ("a.ply", (PLY.format(3, 1) + "0 0 0\n1 0 0\n0 nan 0\n3 0 1 2\n").encode(), r"nan"),
        ("a.ply", (PLY.format(2, 0) + "0 0 0\n1 0 0\n").encode(), "expected triangles, found none"),
        ("a.ply", PLY.format(3, 1).encode() + b"\n" * 6_000_001, "at most 6000000 lines"),
        (
            "a.ply",
            (PLY.format(3, 9) + CORNERS + "3 0 1 2\n").encode(),
            "'face': expected 9 rows, got 1",
        ),
        ("a.ply", (PLY.format(3, 1) + CORNERS + "99 0 1 2\n").encode(), "'face': row 0: .*'99 0"),
        ("a.ply", (PLY.format(3, 1) + CORNERS + "-3 0 1 2\n").encode(), "'face': row 0: "),
        (
            "a.ply",
            (PLY.format(3, 1) + "0 0 0 0\n1 0\n0 1 0\n3 0 1 2\n").encode(),
            "'vertex': row 0",
        ),
        ("a.ply", PLY.format("9" * 5000, 1).encode(), "line 3: expected a number of rows"),
        ("a.ply", PLY.format(-3, 1).encode(), "line 3: expected a number of rows .*got '-3'"),
        ("a.txt", b"", "expected one of .glb, .gltf"),
        ("a.glb", b"glTF", "expected the header of a GLB, got 4 bytes"),
        ("a.glb", bytes(100), "expected the header of a GLB"),
        ("a.glb", GLB_HEAD + b"\xff" * 4 + JSON_CHUNK, "GLB of 4294967295 bytes .*got 20"),
        ("a.gltf", b"[]", "expected an object"),
        ("a.gltf", b"[" * 10**6, "expected JSON, got one nested too deep"),
        ("a.gltf", b"\xff", "expected JSON in UTF-8"),
        ("a.gltf", b"[1", "expected JSON: "),
        ("a.gltf", b"9" * 5000, "expected JSON, got a number with too many digits"),
        ("a.gltf", b"[" + b"0," * 3_000_001, "at most 3000000 values of JSON"),
        ("a.gltf", bytes(100_000_001), "at most 100 MB of JSON"),
    ],
)
def test_hostile_files_are_refused(name: str, data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(SceneError, match=f"{name}: .*{message}"):
        read_mesh(path)


def test_files_that_there_are_not_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SceneError, match=r"a\.obj: cannot be read: No such file"):
        read_mesh(tmp_path / "a.obj")
    (tmp_path / "b.obj").mkdir()
    with pytest.raises(SceneError, match=r"b\.obj: expected a regular file"):
        read_mesh(tmp_path / "b.obj")


@pytest.mark.parametrize(
    ("faces", "area"), [("4 0 1 2 3", 2.5), ("3 0 1 2\n4 0 2 3 4", 3.0), ("5 0 1 2 3 4", 3.0)]
)
def test_polygons_of_a_ply_are_fans(faces: str, area: float, tmp_path: Path) -> None:
    path = tmp_path / "a.ply"
    corners = "0 0 0\n2 0 0\n2 1 0\n1 2 0\n0 1 0\n"
    path.write_text(PLY.format(5, faces.count("\n") + 1) + corners + faces + "\n")
    first, second = np.moveaxis(np.diff(read_mesh(path).corners(), axis=1), 1, 0)
    assert np.linalg.norm(np.cross(first, second), axis=1).sum() / 2 == pytest.approx(area)


def test_axes_that_there_are_not_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "body.obj")
    for axes in ("up", 7):
        with pytest.raises(SceneError, match=r"body.obj: axes: expected .*got"):
            read_mesh(path, axes=axes)  # type: ignore[arg-type]


def gltf(**changes: Any) -> dict[str, Any]:
    """Return the JSON of a triangle in triangle.bin, with other entries."""
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"byteLength": 36, "uri": "triangle.bin"}],
        **changes,
    }


def read_gltf(folder: Path, document: dict[str, Any], data: bytes = TRIANGLE.tobytes()) -> Mesh:
    (folder / "triangle.bin").write_bytes(data)
    (folder / "a.gltf").write_text(json.dumps(document))
    return read_mesh(folder / "a.gltf")


def accessor(**changes: Any) -> dict[str, Any]:
    return {"accessors": [{**gltf()["accessors"][0], **changes}]}


def primitive(**changes: Any) -> dict[str, Any]:
    return {"meshes": [{"primitives": [{"attributes": {"POSITION": 0}, **changes}]}]}


def test_a_gltf_of_a_triangle(tmp_path: Path) -> None:
    mesh = read_gltf(tmp_path, gltf())
    assert mesh.vertices.tolist() == [[0, 0, 0], [0, -1, 0], [0, 0, -1]]


@pytest.mark.parametrize(
    ("mode", "triangles"),
    [
        (4, [[0, 1, 2]]),
        (5, [[0, 1, 2], [1, 3, 2], [2, 3, 4]]),
        (6, [[1, 2, 0], [2, 3, 0], [3, 4, 0]]),
    ],
)
def test_strips_and_fans_are_triangles(mode: int, triangles: Any, tmp_path: Path) -> None:
    """The triangles of section 3.7.2.1 of glTF's specification, of five corners."""
    places = np.array([[0, 0, 0], [2, 0, 0], [2, 1, 0], [1, 2, 0], [0, 1, 0]], "<f4").tobytes()
    document = gltf(
        **accessor(count=5),
        **primitive(mode=mode),
        bufferViews=[{"buffer": 0, "byteLength": 60}],
        buffers=[{"byteLength": 60, "uri": "triangle.bin"}],
    )
    assert read_gltf(tmp_path, document, places).triangles.tolist() == triangles


def test_nodes_below_nodes_are_where_trimesh_has_them(tmp_path: Path) -> None:
    """Turns, shears and shifts, one below the other, of two meshes."""
    draws = np.random.default_rng(7)
    scene, bodies = trimesh.Scene(), [body(), trimesh.creation.icosphere(1)]
    for number in range(12):
        matrix = np.eye(4)
        matrix[:3] = draws.normal(size=(3, 4))
        above = str(draws.integers(number)) if number else None
        kind = bodies[number % 2]
        scene.add_geometry(kind, f"{number}", f"mesh {number % 2}", above, transform=matrix)
    (tmp_path / "a.glb").write_bytes(scene.export(file_type="glb"))
    found = read_mesh(tmp_path / "a.glb", axes="ned").corners()
    expected = np.concatenate([part.triangles for part in scene.dump()])
    assert found.shape == expected.shape
    order, other = (np.argsort(a.mean(axis=1) @ (1, 0.7, 0.3)) for a in (found, expected))
    np.testing.assert_allclose(found[order], expected[other], atol=1e-4 * np.abs(expected).max())


def test_a_turn_of_a_node_is_a_quaternion_with_the_scalar_last(tmp_path: Path) -> None:
    half = np.sqrt(0.5)  # a quarter turn about z, which takes x to y, after a scale of 2 along x
    node = {"mesh": 0, "rotation": [0, 0, half, half], "scale": [2, 1, 1], "translation": [5, 0, 0]}
    (tmp_path / "triangle.bin").write_bytes(TRIANGLE.tobytes())
    (tmp_path / "a.gltf").write_text(json.dumps(gltf(nodes=[node])))
    mesh = read_mesh(tmp_path / "a.gltf", axes="ned")
    np.testing.assert_allclose(mesh.vertices, [[5, 0, 0], [5, 2, 0], [4, 0, 0]], atol=1e-12)


def test_base_colours_are_those_of_the_triangles(tmp_path: Path) -> None:
    """Two primitives, of which one has no material, in a mesh that two nodes use."""
    places = {"attributes": {"POSITION": 0}}
    colour = {"pbrMetallicRoughness": {"baseColorFactor": [1.0, 0.214041, 0.0, 0.5]}}
    document = gltf(
        materials=[{}, colour],
        meshes=[{"primitives": [places, {**places, "material": 1}]}],
        nodes=[{"mesh": 0}, {"mesh": 0, "translation": [1, 0, 0]}],
        scenes=[{"nodes": [0, 1]}],
    )
    mesh = read_gltf(tmp_path, document)
    assert mesh.colours is not None
    assert len(mesh.triangles) == 4
    assert mesh.colours.tolist() == [[255, 255, 255], [255, 127, 0]] * 2  # half of sRGB is 0.214
    assert read_mesh(written(tmp_path, "body.obj")).colours is None


def stripes() -> str:
    """Return the address of a picture of 40 x 20 pixels, red on the left, blue on the right."""
    pixels = np.zeros((20, 40, 3), np.uint8)
    pixels[:, :20, 0] = pixels[:, 20:, 2] = 255
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()


def textured(used: dict[str, Any], **changes: Any) -> tuple[dict[str, Any], bytes]:
    """Return a triangle whose picture is all between 0.1 and 0.4 to the right, and its file."""
    texture = np.array([[0.1, 0.1], [0.4, 0.2], [0.2, 0.9]], "<f4")
    shades = np.array([[255, 255, 255, 9]] * 3, np.uint8)
    data = TRIANGLE.tobytes() + texture.tobytes() + shades.tobytes()
    material = {"baseColorFactor": [1, 0.5, 0.214041, 1], "baseColorTexture": {"index": 0, **used}}
    attributes = {"POSITION": 0, "TEXCOORD_0": 1, "COLOR_0": 2}
    document = gltf(
        materials=[{"pbrMetallicRoughness": material}],
        meshes=[{"primitives": [{"attributes": attributes, "material": 0}]}],
        textures=[{"source": 0}],
        images=[{"uri": stripes()}],
        accessors=[
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC2"},
            {"bufferView": 2, "componentType": 5121, "count": 3, "type": "VEC4"},
        ],
        bufferViews=[
            {"buffer": 0, "byteOffset": first, "byteLength": length}
            for first, length in ((0, 36), (36, 24), (60, 12))
        ],
        buffers=[{"byteLength": 72, "uri": "triangle.bin"}],
    )
    return {**document, **changes}, data


def moved(**by: Any) -> dict[str, Any]:
    return {"extensions": {"KHR_texture_transform": by}}


@pytest.mark.parametrize(
    ("used", "wrap", "colour"),
    [
        ({}, {}, [255, 0, 0]),
        (moved(offset=[0.5, 0]), {}, [0, 0, 127]),  # blue by a base colour of half of sRGB
        (moved(scale=[0.5, 3]), {}, [255, 0, 0]),
        (moved(offset=[1, -7]), {}, [255, 0, 0]),
        (moved(offset=[1, 0]), {"wrapS": 33071}, [0, 0, 127]),
        (moved(offset=[1, 0]), {"wrapS": 33648}, [0, 0, 127]),
        (moved(offset=[0.25, 0]), {}, None),
    ],
    ids=str,
)
def test_textures_are_seen_as_their_mean_over_a_triangle(
    used: dict[str, Any], wrap: dict[str, Any], colour: list[int] | None, tmp_path: Path
) -> None:
    document, data = textured(used, textures=[{"source": 0, "sampler": 0}], samplers=[wrap])
    mesh = read_gltf(tmp_path, document, data)
    assert mesh.colours is not None
    if colour is not None:
        assert mesh.colours.tolist() == [colour]
    else:  # some of both
        assert min(mesh.colours[0, 0], mesh.colours[0, 2]) > 20


@pytest.mark.parametrize(
    ("used", "changes", "message"),
    [
        (moved(rotation=0.1), {}, "KHR_texture_transform: rotation: expected none"),
        ({"index": 1}, {}, "baseColorTexture: index: expected a whole number"),
        ({"texCoord": 1}, {}, "attributes: TEXCOORD_1: expected a whole number"),
        (
            {},
            {"textures": [{"extensions": {"KHR_texture_basisu": {"source": 0}}}]},
            "textures: entry 0: expected a picture as PNG, JPEG or WebP, got KHR_texture_basisu",
        ),
        ({}, {"images": [{"uri": "no.png"}]}, "images: entry 0: uri 'no.png': .*No such file"),
        ({}, {"images": [{"uri": "../a.png"}]}, "images: entry 0: uri.*within the folder"),
        ({}, {"images": [{"bufferView": 0}]}, "images: entry 0: expected a picture as PNG"),
        ({}, {"images": [{"bufferView": 7}]}, "images: entry 0: bufferView: expected a whole"),
    ],
    ids=str,
)
def test_textures_that_cannot_be_seen_are_named(
    used: dict[str, Any], changes: dict[str, Any], message: str, tmp_path: Path
) -> None:
    document, data = textured(used, **changes)
    with pytest.raises(SceneError, match=f"a.gltf: .*{message}"):
        read_gltf(tmp_path, document, data)


def test_textures_take_pixels_of_a_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyrfly.scene.gltf_colours.MAXIMUM_PIXELS", 799)
    with pytest.raises(SceneError, match="images: expected at most 799 pixels in all"):
        read_gltf(tmp_path, *textured({}))


@pytest.mark.parametrize("colours", [[[1, 2, 3]], [[1, 2, 256]] * 2, [[1, 2]] * 2, "red"])
def test_colours_that_are_none_are_refused(colours: Any) -> None:
    corners = [[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]
    with pytest.raises(SceneError, match="mesh: colours: expected"):
        Mesh(corners, [[0, 1, 2], [1, 3, 2]], colours=colours)


def test_a_material_that_there_is_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SceneError, match=r"a.gltf: meshes: entry 0: .*material"):
        read_gltf(tmp_path, gltf(**primitive(material=1), materials=[{}]))


def test_a_mesh_used_often_costs_what_its_vertices_take() -> None:
    """100,000 triangles have 7.2 MB of vertices and 2.4 MB of numbers."""
    primitives = [{"attributes": {"POSITION": 0}}] * 10
    document = gltf(
        nodes=[{"mesh": 0}] * 10_000,
        scenes=[{"nodes": list(range(10_000))}],
        meshes=[{"primitives": primitives}],
    )
    data = json.dumps(document).encode()
    tracemalloc.start()
    try:
        vertices, triangles = surface_of_gltf(data, ".gltf", lambda uri: TRIANGLE.tobytes())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(triangles) == len(vertices) / 3 == 100_000
    assert peak < 60e6


CHAIN = [{"children": [i + 1]} for i in range(99)]
UNREADABLE = [
    (
        accessor(count=10**9),
        "accessors: entry 0: count: expected .* less than 512000000, got 1000000000",
    ),
    (accessor(count=-1), "accessors: entry 0: count: expected a whole number"),
    (accessor(count=4), "bufferViews: entry 0: byteLength: expected the 48 bytes of accessor 0"),
    (accessor(count="3"), "accessors: entry 0: count: expected a whole number.* got '3'"),
    (
        accessor(componentType=5123),
        "accessors: entry 0: componentType: expected one of 5126 of POSITION, got 5123",
    ),
    (accessor(sparse={}), "accessors: entry 0: sparse: expected none"),
    (
        {"accessors": [{"componentType": 5126, "count": 3, "type": "VEC3"}]},
        "accessors: entry 0: bufferView: expected .*got nothing",
    ),
    (
        {"bufferViews": [{"buffer": 0, "byteLength": 10**9}]},
        "bufferViews: entry 0: byteLength: expected a whole number",
    ),
    (primitive(mode=7), "meshes: entry 0: primitives: entry 0: mode: expected"),
    (accessor(componentType=99), "accessors: entry 0: componentType: expected .*got 99"),
    (accessor(type="VEC2"), "accessors: entry 0: type: expected VEC3 of POSITION, got 'VEC2'"),
    (accessor(byteOffset=2**62), "accessors: entry 0: byteOffset: expected"),
    (
        {"bufferViews": [{"buffer": 0, "byteLength": 36, "byteStride": 0}]},
        "byteStride: .*12, got 0",
    ),
    ({"bufferViews": [{"buffer": 7, "byteLength": 36}]}, "bufferViews: entry 0: buffer: expected"),
    ({"bufferViews": [{"buffer": 0, "byteOffset": 4, "byteLength": 36}]}, "a buffer of 36 from 4"),
    ({"buffers": [{"byteLength": 37, "uri": "triangle.bin"}]}, "expected 37 bytes, got 36"),
    ({"buffers": [{"byteLength": 36, "uri": "data:;base64,!"}]}, "uri: expected data in base64"),
    ({"buffers": [{"byteLength": 36}]}, "buffers: entry 0: uri: expected .*got nothing"),
    ({"nodes": [{"mesh": 0, "rotation": [0, 0, 0, 0]}]}, "rotation: expected a unit quaternion"),
    ({"nodes": [{"mesh": 0, "rotation": [0, 0, 1]}]}, "rotation: expected 4 finite numbers"),
    ({"nodes": [{"mesh": 0, "scale": ["x", 1, 1]}]}, "nodes: entry 0: scale: expected 3 finite"),
    ({"nodes": [{"mesh": 0, "matrix": [0] * 16}]}, "nodes: entry 0: matrix: expected a last row"),
    (
        {"nodes": [{"mesh": 0, "scale": [1e308] * 3, "translation": [1e308] * 3}]},
        "vertices: .*nan|inf",
    ),
    ({"nodes": [{"children": [99]}]}, "nodes: entry 0: children: expected .*got 99"),
    ({"meshes": [None]}, "meshes: entry 0: expected an object, got None"),
    ({"scene": 5}, "scene: expected a whole number"),
    (primitive(mode=1), "expected triangles, found none"),
    (primitive(indices=5), "meshes: entry 0: primitives: entry 0: indices: expected .*got 5"),
    (
        primitive(extensions={"KHR_draco_mesh_compression": {}}),
        "primitives: entry 0: expected plain arrays",
    ),
    ({"extensionsRequired": ["KHR_mesh_quantization"]}, "extensionsUsed: expected plain arrays"),
    ({"nodes": [{"children": [0], "mesh": 0}]}, "nodes: expected a tree, entry 0 is twice in it"),
    ({"nodes": [*CHAIN, {"mesh": 0}]}, "nodes: expected at most 64 deep, entry 65 is not"),
    ({"nodes": [{}] * 100_001}, "nodes: expected at most 100000 in all, got 100001"),
    ({"meshes": [{"primitives": [{}] * 60_000}] * 2}, "at most 100000 primitives .*got 120000"),
    ({"scenes": [{}]}, "found none"),
    ({"nodes": [{"mesh": 7}]}, "nodes: entry 0: mesh: expected .*got 7"),
    ({"nodes": 5}, "nodes: expected a list, got 5"),
]


@pytest.mark.parametrize(("changes", "message"), UNREADABLE, ids=[text for _, text in UNREADABLE])
def test_hostile_gltf_is_refused(changes: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(SceneError, match=f"a.gltf: .*({message})"):
        read_gltf(tmp_path, gltf(**changes))


def test_instances_count_as_often_as_they_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten nodes have a mesh of 30 triangles, of one accessor."""
    data = np.tile(TRIANGLE, (30, 1)).tobytes()
    size = {"byteLength": len(data)}
    document = gltf(
        **accessor(count=90),
        nodes=[{"mesh": 0}] * 10,
        scenes=[{"nodes": list(range(10))}],
        bufferViews=[{"buffer": 0, **size}],
        buffers=[{"uri": "triangle.bin", **size}],
    )
    assert len(read_gltf(tmp_path, document, data).triangles) == 300
    for limit, message in (
        ("TRIANGLES", "299 triangles in all, got 300"),
        ("VERTICES", "299 vert"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(f"pyrfly.scene.gltf.MAXIMUM_{limit}", 299)
            with pytest.raises(SceneError, match=f"nodes: expected at most {message}"):
                read_gltf(tmp_path, document, data)
    document["meshes"] *= 20
    monkeypatch.setattr("pyrfly.scene.gltf.MAXIMUM_TRIANGLES", 599)
    with pytest.raises(SceneError, match="meshes: expected at most 599 triangles in all, got 600"):
        read_gltf(tmp_path, document, data)


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("../secret.bin", "within the folder"),
        ("%2e%2e/secret.bin", "within the folder"),
        ("link.bin", "within the folder"),
        ("https://example.org/a.bin", "expected a file beside it"),
        ("file:///etc/passwd", "expected a file beside it"),
        ("missing.bin", "No such file"),
        ("a\0b", "within the folder"),
        ("", "expected a regular file"),
    ],
)
def test_a_gltf_reads_no_file_outside_of_its_folder(uri: str, message: str, tmp_path: Path) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    (tmp_path / "secret.bin").write_bytes(TRIANGLE.tobytes())
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    with pytest.raises(SceneError, match=f"a.gltf: buffers: entry 0: uri.*{message}"):
        read_gltf(folder, gltf(buffers=[{"byteLength": 36, "uri": uri}]))


def test_a_gltf_reads_files_beside_it_and_within_it(tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "c.bin").write_bytes(TRIANGLE.tobytes())
    document = gltf(buffers=[{"byteLength": 36, "uri": "a%20b/c.bin"}])
    assert len(read_gltf(tmp_path, document).triangles) == 1


def test_without_trimesh_the_error_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, "body.stl")
    others = [written(tmp_path, name) for name in ("body.obj", "body.glb", "body.gltf")]
    monkeypatch.setitem(__import__("sys").modules, "trimesh", None)
    with pytest.raises(MissingExtraError, match=r"pyrfly\[scene\]"):
        read_mesh(path)
    assert [len(read_mesh(other).triangles) for other in others] == [12, 12, 12]


WRONG = (None, True, -1, 99, 10**30, 1.5, "x", [], {}, [None], [[]], [{}], {"a": 1}, [-1], [1e308])
FULL = gltf(
    extensionsUsed=["KHR_materials_unlit"],
    nodes=[{"mesh": 0, "rotation": [0, 0, 0, 1], "scale": [1, 1, 1], "children": [1]}, {"mesh": 0}],
    meshes=[{"primitives": [{"attributes": {"POSITION": 0}, "mode": 4, "extensions": {}}]}],
    bufferViews=[{"buffer": 0, "byteOffset": 0, "byteLength": 36, "byteStride": 12}],
)


def changed(value: Any) -> Iterator[Any]:
    """Yield a JSON with each of its parts in turn replaced by each of `WRONG`."""
    yield from WRONG
    keys = range(len(value)) if isinstance(value, list) else value
    for key in keys if isinstance(value, list | dict) else ():
        for other in changed(value[key]):
            copy = value.copy()
            copy[key] = other
            yield copy


def test_a_wrong_entry_of_a_gltf_is_read_or_refused_by_name() -> None:
    """No error of Python's own comes through, whatever stands where."""
    for document in changed(FULL):
        with contextlib.suppress(SceneError):
            surface_of_gltf(json.dumps(document).encode(), ".gltf", lambda uri: TRIANGLE.tobytes())
