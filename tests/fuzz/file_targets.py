"""Files: scripts, plans, waypoints, logs, mixers, scenes."""

from __future__ import annotations

import io
import json
import struct
import tempfile
import warnings
from collections.abc import Iterable
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import trimesh
from mutation import TEXTS
from PIL import Image
from target import Target

from pyrfly import ParameterWarning, Sim, load
from pyrfly.columns import Field
from pyrfly.compare import compare, comparison_table
from pyrfly.errors import MissionError, MixerError, SceneError
from pyrfly.log import Log, Recorder, export_log
from pyrfly.mission.plan import read_plan
from pyrfly.mission.waypoint_list import read_waypoint_list
from pyrfly.mixers import Mixer, parse
from pyrfly.scene import Box, Mesh, Plane, Scene, Sphere, gate, read_scene, write_scene
from pyrfly.server.scripts.reader import read_start_script
from pyrfly.sim.appearance import appearance_of
from pyrfly.transport import OptionError
from pyrfly.vehicles.drawing_document import document_of
from pyrfly.view import picture
from pyrfly.view.codec import decode_frame, decode_world, encode_frame, encode_world, kind
from pyrfly.view.drawings import group_of
from pyrfly.view.world import Frame, World

ROOT = Path(__file__).resolve().parents[2]


class ScriptTarget(Target):
    """Start scripts; the first byte chooses the language."""

    words = (
        *TEXTS,
        *(b"SET /a ", b"set ", b"IF ", b"ELSE", b"FOR /l %%i in (1,1,", b"goto :", b"call ", b")"),
        *(b"%VehicleNum%", b"!VehicleNum!", b"START_INDEX=", b"$((", b"))", b"${", b"`", b"$("),
        *(b"for i in ", b"do\n", b"done\n", b"fi\n", b"then\n", b"; ", b"&&", b"|", b"<<EOF\n"),
        *(b"1/0", b"2**99", b"1<<99", b"%%", b"=", b"+=", b"\n"),
    )

    def __init__(self) -> None:
        super().__init__()
        scripts = ROOT / "tests" / "server" / "data"
        self.corpus = [
            bytes([path.suffix == ".sh"]) + path.read_bytes() for path in sorted(scripts.iterdir())
        ]
        self.folder = tempfile.TemporaryDirectory()
        self.paths = [Path(self.folder.name, name) for name in ("fuzz.bat", "fuzz.sh")]

    def feed(self, data: bytes) -> None:
        path = self.paths[data[0] % 2 if data else 0]
        path.write_bytes(data[1:])
        with suppress(OptionError):
            read_start_script(path)

    def close(self) -> None:
        self.folder.cleanup()


class PlanTarget(Target):
    """Plan files of QGroundControl."""

    words = (
        *TEXTS,
        *(b'"Plan"', b"-1e308", b"1e308", b"90", b"-180", b'"command": 22', b'"params": []'),
        *(b'"type": "ComplexItem"', b'"frame": 3', b"[null, 0, 0]", b'"complexItemType": "survey"'),
    )

    def __init__(self) -> None:
        super().__init__()
        plans = [*ROOT.glob("pyrfly/mission/plans/*.plan"), *ROOT.glob("tests/**/*.plan")]
        self.corpus = [path.read_bytes() for path in sorted(plans)]

    def feed(self, data: bytes) -> None:
        with suppress(MissionError):
            read_plan(data.decode("utf-8", "replace"))


class WaypointTarget(Target):
    """Text missions of ground stations."""

    words = (*TEXTS, b"QGC WPL 110\n", b"QGC WPL 120\n", b"\t", b"1e308", b"nan", b"-1", b"177")

    def __init__(self) -> None:
        super().__init__()
        items = ["0 0 0 16 0 0 0 0 47 8 400 1", "1 0 3 22 0 0 0 nan 0 0 10 1"]
        items += ["2 0 3 16 0 0 0 0 47.001 8 20 1", "3 0 2 177 1 2 0 0 0 0 0 1"]
        lines = [line.replace(" ", "\t") for line in items]
        self.corpus = ["\n".join([f"QGC WPL {version}", *lines]).encode() for version in (110, 120)]

    def feed(self, data: bytes) -> None:
        with suppress(MissionError):
            read_waypoint_list(data.decode("utf-8", "replace"))


class LogTarget(Target):
    """Files of logs; the first byte chooses the format."""

    suffixes = ("npz", "csv", "parquet", "ulg", "bin")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        sim = Sim("sdk")
        recorder = Recorder(sim, ("pos", "vel", "att", "armed"))
        for _ in range(3):
            recorder.sample()
            sim.step(10)
        log = recorder.log()
        for suffix in self.suffixes[:3]:
            log.save(self._path(suffix))
        export_log(log, self._path("ulg"))
        self._path("bin").write_bytes(self._dataflash())
        self.corpus = [
            bytes([i]) + self._path(suffix).read_bytes() for i, suffix in enumerate(self.suffixes)
        ]
        self.corpus += [b"\2" + table for table in self._tables()]
        self.corpus += [b"\3" + self._nested(times) for times in (2, 9, 65535)]
        numbers = ",".join(f"throttle_{i}" for i in range(1, 200))
        self.corpus.append(f"\1time,copter_id,{numbers}\n0,1{',1e300' * 199}\n".encode())

    def _tables(self) -> Iterable[bytes]:
        """Return Parquet tables with a header that does not fit, and with what is no number."""
        axes = {"time": [0.0, 1.0], "copter_id": [1, 2**62]}
        header = {"format": 1, "fields": [["pos", 10**12, *"abcd"]], "metadata": {}}
        about = {b"pyrfly": json.dumps(header)}
        for values in ([1.0, 2.0], ["x" * 9999] * 2, [[1], []], [1.0, None]):
            table = pyarrow.table({**axes, "pos": values})
            for known in (table, table.replace_schema_metadata(about)):
                stream = io.BytesIO()
                pyarrow.parquet.write_table(known, stream, compression="zstd")
                yield stream.getvalue()

    def _dataflash(self) -> bytes:
        """Return a log as of ArduPilot."""
        texts = (b"ATT", b"QcccB", b"TimeUS,Roll,Pitch,Yaw,I")
        described = b"\xa3\x95\x80" + struct.pack("<BB4s16s64s", 9, 18, *texts)
        rows = (struct.pack("<QhhhB", i * 1000, i, -i, 100 * i, 0) for i in range(5))
        return described + b"".join(b"\xa3\x95\x09" + row for row in rows)

    def _nested(self, times: int) -> bytes:
        """Return a ULog file of types in one another."""
        topic = b"vehicle_local_position"
        types = [b"t0:uint64_t timestamp;float x"]
        types += [b"t%d:t%d[%d] a" % (i, i - 1, times) for i in range(1, 12)]
        types.append(topic + b":uint64_t timestamp;t11 x")
        messages = [(b"F", kind) for kind in types]
        messages += [(b"A", bytes(3) + topic), (b"D", bytes(60))]
        head = self._path("ulg").read_bytes()[:16]
        return head + b"".join(
            struct.pack("<Hc", len(data), kind) + data for kind, data in messages
        )

    def _path(self, suffix: str) -> Path:
        return Path(self.folder.name, f"fuzz.{suffix}")

    def feed(self, data: bytes) -> None:
        path = self._path(self.suffixes[data[0] % len(self.suffixes) if data else 0])
        path.write_bytes(data[1:])
        said = io.StringIO()
        with suppress(OSError, ValueError), redirect_stdout(said):
            comparison_table(compare(path, path))
        with suppress(OSError, KeyError, ValueError), redirect_stdout(said):
            log = Log.load(path)
            for suffix in ("csv", "ulg"):
                export_log(log, self._path(f"out.{suffix}"), origin=(47, 8, 0))
        assert not said.getvalue()

    def close(self) -> None:
        self.folder.cleanup()


class MixerTarget(Target):
    """Mixer files."""

    words = (
        *(b"M: 1\n", b"O: ", b"S: 0 0 ", b"R: 4x\n", b"H: 3\n", b"T: ", b"P: ", b"Z:\n", b"A:"),
        *(b"10000 ", b"-10000 ", b"0 ", b"99999999999", b"\r\n", b"\0", b"\xff"),
    )

    def __init__(self) -> None:
        super().__init__()
        curves = b"T: 0 1 2 3 4\nP: 0 1 2 3 4\n" + b"S: 0 10000 10000 0 -8000 8000\n" * 3
        total = b"M: 1\nO: 1 2 3 -4 5 6\nS: 0 3 10000 10000 0 -10000 10000\n"
        self.corpus = [b"Z:\nR: 4x\n", total, b"H: 3\n" + curves]

    def feed(self, data: bytes) -> None:
        with suppress(MixerError), warnings.catch_warnings():
            warnings.simplefilter("ignore", ParameterWarning)
            assert np.isfinite(Mixer(parse(data))(thrust=0.5, roll=1.0)).all()


class SceneTarget(Target):
    """Scenes and meshes; the first byte chooses the format."""

    suffixes = ("toml", "obj", "stl", "ply", "glb", "gltf")
    words = (
        *TEXTS,
        *(b"[[mesh]]\n", b"file = 'fuzz.obj'\n", b"attitude_deg = [0, 0, 9]\n", b"1e308", b"nan"),
        *(b"v 0 0 0\n", b"f 1 2 3\n", b"f -1 1//1 0", b"element face 4", b"solid", b"vertex 0 0 1"),
        *(b'"uri":"../fuzz.obj"', b'"count":', b'"children":[0]', b'"mesh":0', b'"sparse":{}'),
    )

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        body = trimesh.creation.box((1, 2, 3))
        turned = trimesh.transformations.rotation_matrix(1.0, (1, 2, 3))
        painted = body.copy().apply_transform(turned)
        picture = trimesh.visual.material.PBRMaterial(baseColorTexture=Image.new("RGB", (2, 2)))
        painted.visual = trimesh.visual.TextureVisuals(painted.vertices[:, :2], picture)
        scene = trimesh.Scene([body, painted])
        shapes = [Box((1, 2, 3)), Plane(), Sphere(1), Mesh(body.vertices, body.faces, name="m")]
        path = self._path("toml")
        write_scene(path, Scene(shapes) + gate((1, 2, 3)))
        contents = [("toml", path.read_bytes())]
        for suffix in ("obj", "stl", "ply", "glb"):
            exported = (
                scene.export(file_type=suffix) if suffix == "glb" else body.export(file_type=suffix)
            )
            contents.append(
                (suffix, exported if isinstance(exported, bytes) else exported.encode())
            )
        contents.append(("stl", body.export(file_type="stl_ascii").encode()))
        contents.append(("ply", body.export(file_type="ply", encoding="ascii")))
        for name, data in trimesh.exchange.gltf.export_gltf(scene).items():
            if name == "model.gltf":
                contents.append(("gltf", data))
            else:
                Path(self.folder.name, name).write_bytes(data)
        self.corpus = [bytes([self.suffixes.index(suffix)]) + data for suffix, data in contents]

    def _path(self, suffix: str) -> Path:
        return Path(self.folder.name, f"fuzz.{suffix}")

    def feed(self, data: bytes) -> None:
        path = self._path(self.suffixes[data[0] % len(self.suffixes) if data else 0])
        path.write_bytes(data[1:])
        with suppress(SceneError):
            scene = read_scene(path)
            assert np.isfinite(scene.arrays.triangles).all()

    def close(self) -> None:
        self.folder.cleanup()


class ViewTarget(Target):
    """Worlds and frames for pages, and drawings in logs, as a list in JSON."""

    words = (*TEXTS, b'"f8"', b'"u4"', b"[2147483647,3]", b'"kind":"frame"', b'"spin"', b"null")
    first = 16

    def __init__(self) -> None:
        super().__init__()
        world = World((group_of(load("x450"), [1, 2]),))
        rest = np.zeros((2, 8), np.float32)
        frame = Frame(
            1.0, np.zeros((2, 3)), np.ones((2, 4), np.float32), rest, np.ones(2, np.uint8)
        )
        self.corpus = [encode_world(world), encode_frame(frame)]
        for name in ("x450", "aerosonde", "otter"):
            looks = appearance_of(load(name))
            self.corpus.append(json.dumps(document_of(looks.drawing)).encode())
        self.time, self.ids, self.pos = np.zeros(1), np.array([1]), np.zeros((1, 1, 3))
        self.fields = {"pos": Field("pos", 3, "state", "m", "NED", "")}

    def feed(self, data: bytes) -> None:
        if data[:1] == b"[":
            with suppress(ValueError, RecursionError):
                self._draw(json.loads(data))
            return
        for read in (kind, decode_world, decode_frame):
            with suppress(ValueError):
                read(data)

    def _draw(self, parts: Any) -> None:
        """Draw a log with such a drawing."""
        drawing = {"parts": parts, "lift": 0, "rise": 0}
        vehicle = {"name": "fuzz", "first_id": 1, "n": 1, "drawing": drawing}
        log = Log(self.time, self.ids, {"pos": self.pos}, self.fields, {"vehicles": [vehicle]})
        picture(log, (32, 24))

    def repaired(self, data: bytes) -> bytes:
        return data if data[:1] == b"[" else self.corpus[0][:8] + data[8:]
