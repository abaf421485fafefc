"""docs/protocol.md agrees with the packaged vehicles."""

from __future__ import annotations

import re
from pathlib import Path

import pyrfly
from pyrfly.vehicles import load

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")


def test_vehicle_types_of_the_page_are_those_of_the_packaged_sets() -> None:
    table = PAGE.split("**`vehicleType`**")[1].split("## ")[0]
    rows = re.findall(r"^\| ([\d, ]+) \|", table, re.MULTILINE)
    numbers = {int(number) for row in rows for number in row.split(",")}
    assert numbers - {12} == {load(name).uav_type for name in pyrfly.names()} - {None}
