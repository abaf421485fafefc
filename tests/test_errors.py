"""Names in error messages that are near to what was written."""

from __future__ import annotations

import re

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.cli import main
from pyrfly.errors import near_names
from pyrfly.mavlink import MESSAGES
from pyrfly.mixers.controls import CONTROLS
from pyrfly.mixers.geometry import GEOMETRIES
from pyrfly.sim.laws import settable_width
from pyrfly.vehicles import FAMILIES
from pyrfly.wire import LAYOUTS


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("velocity", "vel, velocity_p"),
        ("postion", "pos, position_p"),
        ("massive", "mass"),
        ("winds", "wind"),
        ("xyz", "all"),
    ],
)
def test_near_names_begin_with_what_is_abbreviated(word, near):
    known = ["pos", "vel", "position_p", "velocity_p", "mass", "wind", "i"]
    assert near_names(word, known, otherwise="all") == near


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["fly", "--turbulance", "light"], "pyrfly fly: error: .*try --turbulence"),
        (["fly", "--vehicels=x450"], "pyrfly fly: error: .*--vehicels; try --vehicle"),
        (["sim", "--vehicls", "x450"], "pyrfly sim: error: .*try --vehicle"),
        (["campaign", "run", "a.toml", "--shrad-size", "3"], "campaign run: .*try --shard-size"),
        (["export", "a.npz", "--orign", "0,0,0"], "pyrfly export: error: .*try --origin"),
        (["fly", "--zzz"], "try those of pyrfly fly --help"),
    ],
)
def test_an_unknown_option_is_told_with_near_ones(arguments, told, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert re.search(told, capsys.readouterr().err)


@pytest.mark.parametrize(
    ("column", "told"),
    [
        ("velocity", "the state vel follows from the start"),
        ("pos", "the state pos follows from the start"),
        ("mas", "such as mass"),
        ("wnd", "such as wind"),
    ],
)
def test_a_state_is_not_taken_for_a_gain_of_its_name(column, told):
    with pytest.raises(ValueError, match=f"randomize: expected .*{told}.* got '{column}'"):
        settable_width(Sim("x450"), column, "randomize")


@pytest.mark.parametrize(
    ("table", "key", "near"),
    [
        (MESSAGES, "ATTITUD", "ATTITUDE"),
        (LAYOUTS, "SOut2Simulato", "SOut2Simulator"),
        (FAMILIES, "multiroto", "multirotor"),
        (GEOMETRIES, "4xx", "4x"),
        (CONTROLS, "thrst", "thrust"),
    ],
)
def test_a_key_that_a_table_has_not_is_told_with_those_near_it(table, key, near):
    with pytest.raises(KeyError, match=f"no '{key}'; try .*{near}"):
        table[key]
    assert (key in table, table.get(key)) == (False, None)
    with pytest.raises(KeyError, match="no 7; try one of its keys"):
        table[7]


@pytest.mark.parametrize("value", [30.0, np.float64(30.0), np.float32(30.0)])
def test_a_number_of_numpy_is_shown_as_a_plain_one(value):
    with pytest.raises(ValueError, match=r"got 30\.0$"):
        Sim("x450").select().within("share", value, "1", 0.0, 1.0)
