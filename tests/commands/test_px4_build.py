"""Builds of PX4: where they are found, their versions, airframes and command lines."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pyrfly.commands.px4_build import find_build
from pyrfly.transport import OptionError


@pytest.mark.parametrize("version", ["1.12", "1.13", "1.14", "1.15", "1.16"])
def test_the_version_is_seen_from_the_start_scripts(built, version: str) -> None:
    assert find_build(built(version)).version == version


@pytest.mark.parametrize(
    ("tag", "expected"),
    [("v1.14.4", "1.14"), ("v1.16.1-1-gabc", "1.16"), ("v1.9.2", "1.12"), ("v2.0.0", "1.16")],
)
def test_the_version_of_a_tag_goes_first(built, tag: str, expected: str) -> None:
    folder = built("1.15")
    header = folder / "src" / "lib" / "version" / "build_git_version.h"
    header.parent.mkdir(parents=True)
    header.write_text(f'#define PX4_GIT_TAG_STR "{tag}"\n')
    assert find_build(folder).version == expected


def test_a_header_of_any_bytes_is_none(built) -> None:
    folder = built("1.15")
    header = folder / "src" / "lib" / "version" / "build_git_version.h"
    header.parent.mkdir(parents=True)
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    header.write_bytes(random.Random(seed).randbytes(1000) + b'PX4_GIT_TAG_STR "v1')
    assert find_build(folder).version == "1.15"


@pytest.mark.parametrize(
    ("folder", "given"),
    [
        ("build", "build"),
        ("px4/build/px4_sitl_default", "px4"),
        ("px4/build/px4_sitl_default", "px4/build"),
        ("px4/build/px4_sitl_nolockstep", "px4"),
    ],
)
def test_the_sources_lead_to_the_build(built, tmp_path: Path, folder: str, given: str) -> None:
    built(folder=folder)
    assert find_build(tmp_path / given).folder == (tmp_path / folder).resolve()


def test_none_or_several_builds_are_said(built, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="px4-dir: expected"):
        find_build(tmp_path / "nothing")
    for name in ("one", "two"):
        built(folder=f"px4/build/px4_sitl_{name}")
    with pytest.raises(OptionError, match=r"there are .*px4_sitl_one, .*px4_sitl_two"):
        find_build(tmp_path / "px4")


@pytest.mark.parametrize(
    ("version", "model", "expected"),
    [
        ("1.16", None, "none_iris"),
        ("1.16", "iris", "none_iris"),
        ("1.16", "none_iris", "none_iris"),
        ("1.16", "10016", "none_iris"),
        ("1.16", "plane", "gazebo-classic_plane"),
        ("1.16", "sihsim_quadx", "sihsim_quadx"),
        ("1.12", None, "iris"),
        ("1.12", "none_iris", "iris"),
        ("1.12", "1030", "plane"),
    ],
)
def test_an_airframe_has_the_name_of_the_version(built, version, model, expected) -> None:
    assert find_build(built(version)).airframe(model) == expected


def test_an_unknown_airframe_is_said_with_near_names(built) -> None:
    with pytest.raises(OptionError, match=r"model: .*got 'none_irix'"):
        find_build(built()).airframe("none_irix")


def test_parameters_go_into_the_environment_where_they_are_read(built) -> None:
    build = find_build(built("1.14", "new"))
    assert build.environment("none_iris", {"MIS_TAKEOFF_ALT": "5"}) == {
        "PX4_SIM_MODEL": "none_iris",
        "PX4_PARAM_MIS_TAKEOFF_ALT": "5",
    }
    with pytest.raises(OptionError, match=r"param: PX4 1\.13 takes none"):
        find_build(built("1.13", "old")).environment("iris", {"A": "1"})
