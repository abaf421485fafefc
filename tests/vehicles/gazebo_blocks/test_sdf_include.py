"""Models that an SDF file merges into its own."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pyrfly import ParameterError, ParameterWarning
from pyrfly.vehicles import VehicleParameters, from_sdf

from .conftest import parts, sdf

PLACED = "<pose>0.3 -0.2 0.1 0.2 -0.3 0.5</pose>"
BALLAST = """
<link name='ballast'>{pose}
  <inertial><pose>0.05 0 0 0 0 0</pose><mass>0.5</mass>
    <inertia><ixx>0.01</ixx><iyy>0.02</iyy><izz>0.025</izz></inertia></inertial>
</link>
"""
JOINT = """
<joint name='strap' type='fixed'><parent>{parent}</parent><child>ballast</child></joint>
"""
Write = Callable[..., Path]


def include(uri: str, inside: str = "") -> str:
    """Return an element that merges a model."""
    return f"<include merge='true'><uri>{uri}</uri>{inside}</include>"


@pytest.fixture
def model(tmp_path: Path) -> Callable[[str, str], Path]:
    """Return a function that writes a model of the folder ``models``."""

    def written(name: str, text: str) -> Path:
        folder = tmp_path / "models" / name
        folder.mkdir(parents=True)
        (folder / "model.sdf").write_text(text, encoding="utf-8")
        return folder.parent

    return written


def read(path: Path, models: Path) -> VehicleParameters:
    """Return the vehicle of a file without anything left out."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return from_sdf(path, models=models, strict=True)


def assert_equal(one: VehicleParameters, other: VehicleParameters) -> None:
    """Compare all columns, to rounding."""
    for name, column in one.columns.items():
        np.testing.assert_allclose(column, other.columns[name], atol=1e-12, err_msg=name)


def test_a_merged_model_is_one_of_its_elements(write: Write, model: Callable[..., Path]) -> None:
    elements = parts()
    plugins = elements.pop("interface")
    inner = sdf("<static>true</static>", *elements.values(), name="wing_base")
    models = model("wing_base", inner)
    outer = write(sdf(include("model://wing_base"), plugins), "outer.sdf")
    assert_equal(read(outer, models), from_sdf(write(), strict=True))


@pytest.mark.parametrize(
    ("inside", "of_the_model"),
    [
        (PLACED.replace("<pose>", "<pose relative_to='body'>"), ""),
        (PLACED.replace("<pose>", "<pose relative_to='body'>"), "<pose>9 9 9 0 0 0</pose>"),
        ("", PLACED.replace("<pose>", "<pose relative_to='body'>")),
    ],
    ids=["of the include", "of the include, not of the model", "of the model"],
)
def test_its_pose_is_that_of_its_elements(
    inside: str, of_the_model: str, write: Write, model: Callable[..., Path]
) -> None:
    models = model("ballast", sdf(of_the_model, BALLAST.format(pose=""), name="ballast"))
    strap = JOINT.format(parent="body")
    merged = read(write(sdf(*parts().values(), include("ballast", inside), strap), "a.sdf"), models)
    pose = PLACED.replace("<pose>", "<pose relative_to='body'>")
    written = sdf(*parts().values(), BALLAST.format(pose=pose), strap)
    assert_equal(merged, from_sdf(write(written, "b.sdf"), strict=True))


def test_a_merged_model_merges_others(write: Write, model: Callable[..., Path]) -> None:
    at = "<pose relative_to='holder'>0.1 0 0 0 0 0.4</pose>"
    model("ballast", sdf(BALLAST.format(pose=""), name="ballast"))
    frame = "<frame name='holder'><pose>0 0.2 0 0 0 0.3</pose></frame>"
    models = model("pod", sdf(frame, include("model://ballast", at), name="pod"))
    strap = JOINT.format(parent="body")
    turned = "<pose>0 0 0.5 0 0 0.2</pose>"
    text = sdf(*parts().values(), include("model://pod", turned), strap)
    merged = read(write(text, "a.sdf"), models)
    frames = (
        "<frame name='pod'><pose>0 0 0.5 0 0 0.2</pose></frame>"
        "<frame name='holder' attached_to='pod'><pose>0 0.2 0 0 0 0.3</pose></frame>"
    )
    written = sdf(*parts().values(), frames, BALLAST.format(pose=at), strap)
    assert_equal(merged, from_sdf(write(written, "b.sdf"), strict=True))


@pytest.mark.parametrize(
    ("element", "message"),
    [
        (include("model://.."), "expected a model of the folder, got 'model://..'"),
        (include("../ballast"), "expected a model of the folder, got '../ballast'"),
        (include("/etc"), "expected a model of the folder, got '/etc'"),
        (include("model://link"), "expected a model of the folder, got 'model://link'"),
        (include("model://nothing"), r"nothing[/\\]model.sdf: cannot be read: No such file"),
        (include("model://mirror"), "mirror/model.sdf: line 2: <include>: <uri>: 'model://mirror'"),
        (include("model://ballast", "<placement_frame>x</placement_frame>"), "expected none"),
        (include("model://bad"), "bad/model.sdf: line 2: <joint name='strap'>: type: expected one"),
        (include("model://wide"), "expected up to 20 included models, got more"),
    ],
)
def test_what_cannot_be_merged_is_refused(
    element: str, message: str, write: Write, model: Callable[..., Path], tmp_path: Path
) -> None:
    model("ballast", sdf(BALLAST.format(pose=""), name="ballast"))
    model("bad", sdf("<joint name='strap' type='loose'/>", name="bad"))
    model("wide", sdf(*[include("model://ballast")] * 30, name="wide"))
    models = model("mirror", sdf(include("model://mirror"), name="mirror"))
    (tmp_path / "outside").mkdir()
    (models / "link").symlink_to(tmp_path / "outside")
    with pytest.raises(ParameterError, match=message):
        from_sdf(write(sdf(*parts().values(), element)), models=models)


@pytest.mark.parametrize("folder", ["nowhere", "a\0b", 3, "model.sdf"])
def test_the_folder_of_models_is_checked(folder: object, write: Write, tmp_path: Path) -> None:
    path = write()
    given = tmp_path / folder if folder == "model.sdf" else folder
    with pytest.raises(ParameterError, match="models: expected a folder of models"):
        from_sdf(path, models=given)  # type: ignore[arg-type]


def test_what_is_left_out_of_a_merged_model_has_its_file(
    write: Write, model: Callable[..., Path]
) -> None:
    jet = "<plugin name='jet' filename='libJetEngine.so'/>"
    models = model("ballast", sdf(BALLAST.format(pose=""), jet, name="ballast"))
    text = sdf(*parts().values(), include("ballast"), JOINT.format(parent="body"))
    with pytest.warns(ParameterWarning, match=r"ballast/model.sdf: line \d+: plugin 'libJet"):
        from_sdf(write(text), models=models)


@pytest.mark.parametrize("name", ["frame", "body"])
def test_a_nested_model_has_names_of_its_own(
    name: str, write: Write, model: Callable[..., Path]
) -> None:
    """A wrapper as PX4's for Gazebo classic: the vehicle, and a load on a fixed joint."""
    model("base", sdf(*parts().values(), name="base"))
    models = model("ballast", sdf(BALLAST.format(pose=""), name="ballast"))
    wrapper = sdf(
        f"<include><name>{name}</name><uri>model://base</uri></include>",
        f"<include><uri>model://ballast</uri>{PLACED}</include>",
        f"<joint name='strap' type='fixed'><parent>{name}::body</parent>"
        "<child>ballast::ballast</child></joint>",
    )
    nested = read(write(wrapper, "a.sdf"), models)
    strap = JOINT.format(parent="body")
    written = sdf(*parts().values(), BALLAST.format(pose=PLACED), strap)
    assert_equal(nested, from_sdf(write(written, "b.sdf"), strict=True))


def test_a_nested_model_that_is_not_in_the_folder_is_left_out(
    write: Write, model: Callable[..., Path]
) -> None:
    models = model("ballast", sdf(BALLAST.format(pose=""), name="ballast"))
    text = sdf(*parts().values(), "<include><uri>model://gps</uri></include>")
    with pytest.warns(ParameterWarning, match="'model://gps': not in the folder"):
        from_sdf(write(text), models=models)


def test_without_a_folder_it_says_how_to_name_one(write: Write) -> None:
    with pytest.warns(ParameterWarning, match="'model://pod': expected models="):
        from_sdf(write(sdf(*parts().values(), include("model://pod"))))
