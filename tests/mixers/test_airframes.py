"""Mixers of airframes in a user's PX4; nothing outside of it is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pyrfly.errors import MixerError
from pyrfly.mixers import find_airframe, load_airframe

DATA = Path("ROMFS", "px4fmu_common")


@pytest.mark.parametrize(
    ("airframe", "number", "name", "main", "aux"),
    [
        (3000, 3000, "generic_wing", "wing.main.mix", "pass.aux.mix"),
        ("3000", 3000, "generic_wing", "wing.main.mix", "pass.aux.mix"),
        ("generic_wing", 3000, "generic_wing", "wing.main.mix", "pass.aux.mix"),
        ("3000_generic_wing", 3000, "generic_wing", "wing.main.mix", "pass.aux.mix"),
        (1002, 1002, "standard_vtol.hil", "vtol.main.mix", "vtol.aux.mix"),
        (10016, 10016, "3dr_quad", "quad.main.mix", None),  # of boards first
        ("iris", 10016, "iris", "quad.main.mix", None),  # not 10016_iris.post
        ("iris_irlock", 1011, "iris_irlock", "quad.main.mix", None),  # by its include
        (1030, 1030, "plane", "plane_sitl.main.mix", "pass.aux.mix"),
        ("1033_two", 1033, "two", "quad.main.mix", None),
        (6011, 6011, "typhoon", "quad.main.mix", None),  # where PX4 1.11 has it
        ("typhoon_cam", 6012, "typhoon_cam", "quad.main.mix", None),
    ],
)
def test_an_airframe_has_its_mixers(
    px4: Path, airframe: int | str, number: int, name: str, main: str, aux: str | None
) -> None:
    found = find_airframe(px4, airframe)
    assert (found.number, found.name, found.missing) == (number, name, ())
    assert found.main is not None
    assert found.main.name == main
    assert (found.aux.name if found.aux else None) == aux
    assert found.script.name == f"{number}_{name}"


def test_the_mixer_of_an_airframe_is_loaded(px4: Path) -> None:
    assert load_airframe(px4, "iris").count == 4
    assert load_airframe(px4, 1002).count == 7  # both files
    assert load_airframe(str(px4), 1030)(roll=0.5).tolist() == [0, 0, 0.5, 0]


def test_a_build_and_the_folder_itself_will_do(px4: Path) -> None:
    assert load_airframe(px4 / DATA, 3000).count == 3
    (px4 / DATA).rename(px4 / "etc")
    assert load_airframe(px4, 3000).count == 3


@pytest.mark.parametrize(
    ("airframe", "message"),
    [
        (
            "generic_wings",
            "airframe: expected a number or a name such as generic_wing, .*'generic_wings'",
        ),
        (3001, "airframe: expected a number or a name such as 3000.*, got 3001"),
        (10**30, "airframe: expected a number or a name"),
        (-1, "airframe: expected a number or a name"),
        ("", "airframe: expected a number or a name"),
        ("../airframes/10016_iris", "airframe: expected a number or a name"),
        (1033, r"airframe: .*got 1033"),
    ],
)
def test_what_is_not_found_is_said(px4: Path, airframe: int | str, message: str) -> None:
    with pytest.raises(MixerError, match=message):
        find_airframe(px4, airframe)


def test_an_airframe_without_a_mixer_is_found_but_not_loaded(px4: Path) -> None:
    found = find_airframe(px4, "allocated")
    assert (found.main, found.aux, found.missing) == (None, None, ())
    with pytest.raises(MixerError, match="airframe 4018_allocated: its start scripts set no MIXER"):
        load_airframe(px4, "allocated")
    found = find_airframe(px4, "disco")
    assert found.missing == ("MIXER: there is no mixers/wing.main.mix.main.mix",)
    with pytest.raises(MixerError, match="airframe 3037_disco: MIXER: there is no mixers/wing"):
        load_airframe(px4, "disco")


def test_a_folder_of_something_else_is_said(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none", Path("a\0b")):
        with pytest.raises(MixerError, match="folder: expected"):
            find_airframe(folder, 3000)
    with pytest.raises(MixerError, match=r"folder: .*got 3"):
        find_airframe(3, 3000)  # type: ignore[arg-type]
    (tmp_path / "init.d" / "airframes").mkdir(parents=True)
    (tmp_path / "init.d" / "airframes" / "4001_quad_x").write_text("set CA_ROTOR_COUNT 4\n")
    with pytest.raises(
        MixerError, match=r"airframe 4001_quad_x: there is no folder mixers in .*1.14"
    ):
        load_airframe(tmp_path, 4001)


@pytest.mark.parametrize(
    "script",
    [
        "set MIXER ../../../../outside\n",
        "set MIXER_FILE ../../../outside.main.mix\n",
        "set MIXER_FILE etc/../../../../outside.main.mix\n",
        "set MIXER_FILE /etc/mixers/../../../../outside.main.mix\n",
        "set MIXER_FILE //outside.main.mix\n",
        "set MIXER linked\n",
        "set MIXER_FILE etc/mixers-linked/outside.main.mix\n",
        "set MIXER_FILE etc/mixers/loop.main.mix\n",
        "set MIXER_FILE etc/mixers/\n",
        "set MIXER_FILE etc/mixers/a\0b\n",
    ],
)
def test_nothing_outside_of_the_folder_is_read(px4: Path, script: str) -> None:
    outside = px4.parent / "outside.main.mix"
    outside.write_text("R: 4x\n")
    (px4 / DATA / "mixers" / "linked.main.mix").symlink_to(outside)
    (px4 / DATA / "mixers" / "loop.main.mix").symlink_to("loop.main.mix")
    (px4 / DATA / "mixers-linked").symlink_to(px4.parent)
    (px4 / DATA / "init.d" / "airframes" / "9_bad").write_text(script)
    found = find_airframe(px4, "bad")
    assert found.main is None
    assert len(found.missing) == 1


def test_scripts_outside_of_the_folder_are_not_airframes(px4: Path) -> None:
    outside = px4.parent / "outside"
    outside.write_text("set MIXER quad\n")
    folder = px4 / DATA / "init.d" / "airframes"
    (folder / "77_linked").symlink_to(outside)
    (folder / "78_including").write_text(
        ". ${R}etc/init.d/../../../../outside\n. ${R}etc/init.d/airframes/77_linked\n"
    )
    with pytest.raises(MixerError, match="airframe: expected a number"):
        find_airframe(px4, "linked")
    assert find_airframe(px4, "including").main is None


def test_scripts_that_include_themselves_end(px4: Path) -> None:
    folder = px4 / DATA / "init.d" / "airframes"
    (folder / "9_loop").write_text(". ${R}etc/init.d/airframes/9_loop\nset MIXER quad\n")
    assert load_airframe(px4, "loop").count == 4
    (folder / "9_big").write_text("#" * 70000)
    with pytest.raises(MixerError, match="9_big: expected at most"):
        find_airframe(px4, "big")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    st.one_of(
        st.binary(max_size=80),
        st.lists(
            st.sampled_from(
                b"set |MIXER |MIXER_FILE |quad|..|/|etc/|\n|. |${R}|init.d/airframes/8_any|\0|\xff|"
                b"~|*|mixers/".split(b"|")
            ),
            max_size=20,
        ).map(b"".join),
    )
)
def test_any_script_is_read(px4: Path, script: bytes) -> None:
    (px4 / DATA / "init.d" / "airframes" / "8_any").write_bytes(script)
    found = find_airframe(px4, 8)
    assert found.main is None or found.main.is_relative_to(px4)
