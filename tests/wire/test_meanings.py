"""What the fields of packets mean."""

from __future__ import annotations

import pytest

from pyrfly.wire.layouts import LAYOUTS
from pyrfly.wire.meanings import meaning


def test_a_field_without_meaning_names_the_place_for_it() -> None:
    layout = next(iter(LAYOUTS.values()))
    with pytest.raises(KeyError, match=f"{layout.name}.altitude: .* MEANINGS of pyrfly/wire/mean"):
        meaning(layout, "altitude")
