"""Sets of cars whose tyres cannot be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pyrfly import ParameterError, vehicles

SOURCE = Path(vehicles.__file__).parent / "car" / "sets" / "bmw_320i_slip.toml"


@pytest.mark.parametrize(
    ("entry", "old", "new"),
    [
        ("tyre_longitudinal", "1.6411", "2.6"),
        ("tyre_longitudinal", "1.1739", "-1.1739"),
        ("tyre_lateral", "-21.92", "21.92"),
        ("tyre_lateral_combined", "1.9, -10.704", "-3, -10.704"),
    ],
)
def test_impossible_tyres_are_refused_by_name(
    tmp_path: Path, entry: str, old: str, new: str
) -> None:
    text, odd = SOURCE.read_text(encoding="utf-8"), tmp_path / "odd.toml"
    assert text.count(old) == 1
    odd.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(
        ParameterError, match=f"{entry}: expected .* got {re.escape(new.split(',')[0])}"
    ):
        vehicles.load(odd)
