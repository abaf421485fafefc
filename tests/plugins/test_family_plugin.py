"""Families of vehicles outside of the tree: what is no family. tests/vehicles has what flies."""

from __future__ import annotations

from pathlib import Path

import pytest

import pyrfly
from pyrfly import Error, ParameterError, plugins
from pyrfly.vehicles import DEFAULT_FAMILY, FAMILIES


def folder_of(path: Path, *families: str) -> Path:
    """Return a folder with types of some families, which compile to nothing."""
    path.mkdir()
    lines = (f"#define TYPE_FAMILY {family}\n" for family in families)
    (path / "types.inc").write_text("".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("families", "message"),
    [
        ((), "expected one TYPE_FAMILY, a word of a-z, 0-9 and _, got none"),
        (("one", "two"), "got one, two"),
        (("Ball",), "got 'Ball'"),
        ((DEFAULT_FAMILY,), f"there is a family {DEFAULT_FAMILY} already"),
    ],
)
def test_a_folder_that_is_no_new_family(
    families: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ParameterError, match=message):
        plugins.load_family(folder_of(tmp_path / "family", *families))


def test_a_folder_without_types(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="expected types of vehicles"):
        plugins.load_family(tmp_path)


def test_what_does_not_compile_is_named(tmp_path: Path) -> None:
    path = folder_of(tmp_path / "a family", "wrong")
    (path / "types.inc").write_text(
        "#define TYPE wrong\n#define TYPE_FAMILY wrong\n#include RF_EACH_TYPE\n", encoding="utf-8"
    )
    with pytest.raises(Error, match="failed: "):
        plugins.load_family(path, base_only=True)
    assert "wrong" not in FAMILIES
    assert "wrong" not in pyrfly.names()


def test_without_a_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(Error, match="CC: expected a C compiler"):
        plugins.load_family(folder_of(tmp_path / "family", "wrong"))
