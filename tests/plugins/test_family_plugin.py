"""Families of vehicles outside of the tree: what is no family. tests/vehicles has what flies."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

import pyrfly
from pyrfly import Error, ParameterError, plugins, vehicles
from pyrfly.columns import Field, fields_of_type, parts, vehicle_types
from pyrfly.options import ALIASES
from pyrfly.plugins.family_checks import require_new_columns
from pyrfly.vehicles import DEFAULT_FAMILY, FAMILIES

ALIAS = next(iter(ALIASES))

PACKAGE = """
from pathlib import Path
from pyrfly.vehicles.abilities import Abilities
from pyrfly.vehicles.commands import FamilyCommands
from pyrfly.vehicles.family import CommandsOf, Family

COMMANDS = CommandsOf(
    Family(
        name="NAME",
        sets=Path(__file__).parent / "sets",
        build=print,
        gains=print,
        trim=print,
        fastest_rate=print,
        actuators=print,
        abilities=Abilities(),
        commands=FamilyCommands,
    )
)
"""


def folder_of(path: Path, *families: str, python: str = PACKAGE) -> Path:
    """Return a folder with types of some families, which compile to nothing."""
    path.mkdir()
    lines = (f"#define TYPE_FAMILY {family}\n" for family in families)
    (path / "types.inc").write_text("".join(lines), encoding="utf-8")
    (path / "__init__.py").write_text(python.replace("NAME", families[-1] if families else ""))
    (path / "sets").mkdir()
    return path


def add_set(folder: Path, file: str, text: str) -> None:
    (folder / "sets" / file).write_text(text, encoding="utf-8")


@pytest.fixture
def never_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test fail that would compile."""
    monkeypatch.setattr(
        "pyrfly.plugins.family_plugin.compile_family", lambda *_, **__: pytest.fail("compiled")
    )


@pytest.mark.usefixtures("never_compiled")
@pytest.mark.parametrize(
    ("families", "message"),
    [
        ((), "expected one TYPE_FAMILY, a word of a-z, 0-9 and _, got none"),
        (("one", "two"), "got one, two"),
        (("Ball",), "got 'Ball'"),
        ((DEFAULT_FAMILY,), f"there is a family {DEFAULT_FAMILY} already"),
        (("wind",), "wind: a Sim has something else of this name"),
        (("step",), "step: a Sim has something else of this name"),
        (("class",), "class: a Sim .* cannot have it"),
        (("entries",), "entries: pyrfly has a folder or module of this name"),
        (("body",), "body: pyrfly has a folder or module of this name"),
    ],
)
def test_a_folder_that_is_no_new_family(
    families: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ParameterError, match=message):
        plugins.load_family(folder_of(tmp_path / "family", *families))


@pytest.mark.usefixtures("never_compiled")
def test_a_type_that_there_is(tmp_path: Path) -> None:
    taken = next(c_type for c_type, row in vehicle_types().items() if row["family"] in FAMILIES)
    path = folder_of(tmp_path / "family", "fresh")
    (path / "types.inc").write_text(f"#define TYPE_FAMILY fresh\n#define TYPE {taken}\n")
    with pytest.raises(ParameterError, match=f"there is a type {taken} already"):
        plugins.load_family(path)


def test_a_folder_without_types(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="expected types of vehicles"):
        plugins.load_family(tmp_path)


@pytest.mark.usefixtures("never_compiled")
@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("mine", 'name = "x450"', "mine.toml: name: expected 'mine', .* got 'x450'"),
        ("mine", "", "mine.toml: name: expected 'mine', .* got None"),
        ("mine", f'name = "mine"\naliases = ["{ALIAS}"]', f"mine.toml: aliases: '{ALIAS}' is a"),
        (ALIAS, f'name = "{ALIAS}"', rf"{ALIAS}.toml: name: '{ALIAS}' is .* of \w+.toml"),
        ("mine", 'name = "mine"\naliases = ["x450"]', "aliases: 'x450' is a name .* of x450.toml"),
        ("x450", 'name = "x450"', "x450.toml: name: 'x450' is a name"),
        ("mine", 'name = "mine"\naliases = ["a", "a"]', "aliases: 'a' is .* of mine.toml"),
        ("mine", 'name = "mine"\naliases = 3', "aliases: expected a list of names, got 3"),
        ("mine", "name = ", "mine.toml"),
    ],
)
def test_a_set_whose_names_are_not_new(file: str, text: str, message: str, tmp_path: Path) -> None:
    path = folder_of(tmp_path / "fresh", "fresh")
    add_set(path, f"{file}.toml", f'family = "fresh"\n{text}\n')
    before = pyrfly.load(ALIAS).family
    with pytest.raises(ParameterError, match=message):
        plugins.load_family(path)
    assert "fresh" not in FAMILIES
    assert pyrfly.load(ALIAS).family == before


@pytest.mark.usefixtures("never_compiled")
def test_a_set_of_another_family(tmp_path: Path) -> None:
    path = folder_of(tmp_path / "fresh", "fresh")
    add_set(path, "mine.toml", 'name = "mine"\n')
    with pytest.raises(ParameterError, match=r"mine.toml: family: expected 'fresh', .* got None"):
        plugins.load_family(path)


@pytest.mark.usefixtures("never_compiled")
@pytest.mark.parametrize(
    ("python", "message"),
    [
        ("x = (\n", r"family fresh cannot be imported: __init__.py:1: SyntaxError"),
        ("\nimport no_such_module\n", "fresh .*: __init__.py:2: ModuleNotFoundError: .*no_such"),
        ("\n\n{}['no type']\n", "fresh .*: __init__.py:3: KeyError: 'no type'"),
        ("", "expected COMMANDS, those of <Family fresh>, got None"),
        (PACKAGE.replace("trim=print", "trim=0.5"), "<Family fresh>: trim: .* got 0.5"),
        (PACKAGE.replace("Abilities(),", "None,"), "<Family fresh>: abilities: .* got None"),
        (PACKAGE.replace('"sets"', '"other"'), "<Family fresh>: sets: expected the Path of a fol"),
        (PACKAGE.replace("NAME", "other"), "<Family fresh>, got those of <Family other>"),
    ],
)
def test_a_package_that_is_wrong(python: str, message: str, tmp_path: Path) -> None:
    path = folder_of(tmp_path / "family", "fresh", python=python)
    with pytest.raises(ParameterError, match=message):
        plugins.load_family(path)
    assert f"{vehicles.__name__}.fresh" not in sys.modules


@pytest.mark.parametrize(
    ("name", "unit", "role", "message"),
    [
        ("mass", "kg", "state", r"expected param \[kg\], as other .* got state \[kg\]"),
        ("mass", "g", "param", r"expected param \[kg\], as other vehicles have it, got param \[g"),
        ("step", "1", "param", "a Sim has something else of this name"),
        (DEFAULT_FAMILY, "1", "param", "a Sim has something else of this name"),
        ("fresh", "1", "param", "a Sim has something else of this name"),
    ],
)
def test_a_column_that_has_another_meaning(
    name: str, unit: str, role: str, message: str, tmp_path: Path
) -> None:
    columns = {"small": [Field(name, 1, role, unit, "", "a number")]}
    with pytest.raises(ParameterError, match=f"small: column {name}: {message}"):
        require_new_columns("fresh", columns, tmp_path)


def test_a_column_of_a_part(tmp_path: Path) -> None:
    part, about = next((part, about) for part, about in parts().items() if about["columns"])
    field = Field(*about["columns"][0])
    with pytest.raises(ParameterError, match=f"{field.name}: {part} has a column of this name"):
        require_new_columns("fresh", {"small": [field]}, tmp_path)


def test_columns_as_others_have_them_are_taken(tmp_path: Path) -> None:
    columns = {c_type: fields_of_type(c_type) for c_type in list(vehicle_types())[:3]}
    own = Field("of_nothing_else", 2, "param", "m", "NED", "a place")
    require_new_columns("fresh", {**columns, "small": [own]}, tmp_path)


def test_what_does_not_compile_is_named(tmp_path: Path) -> None:
    path = folder_of(tmp_path / "a family", "wrong")
    (path / "types.inc").write_text(
        "#define TYPE wrong\n#define TYPE_FAMILY wrong\n#include RF_EACH_TYPE\n", encoding="utf-8"
    )
    with pytest.raises(Error, match="failed: "):
        plugins.load_family(path, base_only=True)
    assert "wrong" not in FAMILIES
    assert "wrong" not in pyrfly.names()
    assert f"{vehicles.__name__}.wrong" not in sys.modules


def test_without_a_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(Error, match="CC: expected a C compiler"):
        plugins.load_family(folder_of(tmp_path / "family", "wrong"))


def test_vehicles_of_a_family_that_is_not_loaded(tmp_path: Path) -> None:
    absent = replace(pyrfly.load("x450"), family="absent")
    path = tmp_path / "mine.toml"
    path.write_text('family = "absent"\nname = "mine"\n')
    for vehicle in (absent, path):
        with pytest.raises(ParameterError, match=r"got 'absent'; .*plugins\.load_family"):
            pyrfly.Sim(vehicle)
