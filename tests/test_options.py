"""Values of options."""

import argparse
import warnings

import pytest

from pyrfly import CommandWarning, ParameterWarning
from pyrfly.options import (
    Parser,
    attach_negative,
    number,
    numbers,
    triple,
    vehicle_counts,
    warnings_told,
    whole_number,
)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("x450", {"x450": 1}),
        ("quad_x:4", {"sdk": 4}),
        ("x450:2,hex_x:3, octo_x", {"x450": 2, "hex_x": 3, "octo_x": 1}),
    ],
)
def test_vehicles_are_names_with_counts(text, counts):
    assert vehicle_counts(text) == counts
    assert list(vehicle_counts(text)) == list(counts)  # CopterIDs follow this order


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (number(0, 1000, "m"), "1e3", 1000.0),
        (whole_number(0, 2**64 - 1), "18446744073709551615", 2**64 - 1),
        (numbers("north and east [m]", (5.0, 5.0)), "-5, 5", (-5.0, 5.0)),
        (triple, "1e300,-2,0", (1e300, -2.0, 0.0)),
    ],
)
def test_values_are_read(read, text, value):
    assert read(text) == value


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (number(0, 1000, "m"), "1001", "expected 0 to 1000 m, got '1001'"),
        (number(0, 1000, "m"), "nan", "expected 0 to 1000 m, got 'nan'"),
        (whole_number(1, 5), "0", "expected 1 to 5, got '0'"),
        (numbers("north and east [m]", (5.0, 6.0)), "5,7", "within plus and minus 5, 6, got '5,7'"),
        (numbers("a heading [deg]", (360.0,)), "1,2", r"expected a heading \[deg\] within"),
        (triple, "1,2", "expected three numbers a,b,c, got '1,2'"),
        (triple, "1,inf,3", "expected three numbers a,b,c, got '1,inf,3'"),
        (triple, "9" * 500, "got '9{70,80}"),
    ],
)
def test_values_that_are_none_are_named(read, text, message):
    with pytest.raises(argparse.ArgumentTypeError, match=message):
        read(text)


@pytest.mark.parametrize(
    ("read", "text", "words"),
    [
        (whole_number(0, 9), "1e3", "expected a whole number, 0 to 9, got '1e3'"),
        (number(0, 9, "m"), "two", "expected 0 to 9 m, got 'two'"),
    ],
)
def test_what_is_no_number_is_told_with_what_was_expected(read, text, words):
    with pytest.raises(argparse.ArgumentTypeError, match=words):
        read(text)


@pytest.mark.parametrize(
    ("given", "joined"),
    [
        (["--wind", "-5,0,0"], ["--wind=-5,0,0"]),
        (["--start", "-.5,3", "x"], ["--start=-.5,3", "x"]),
        (["x", "-5"], ["x", "-5"]),
        (["--a", "-b", "-1"], ["--a", "-b", "-1"]),
        (["--a=1", "-1"], ["--a=1", "-1"]),
    ],
)
def test_negative_values_are_joined_to_their_options(given, joined):
    assert attach_negative(given) == joined


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["serve", "--vehicels", "x450"],
            "p serve: error: unknown option --vehicels; try --vehicles",
        ),
        (["serve", "--vehicels=x450"], "unknown option --vehicels; try --vehicles"),
        (["serve", "--sensors", "nnoe"], "'nnoe' (choose from 'none', 'px4'); try none\n"),
        (["serv"], "; try serve\n"),
        (["xyz"], "serve)\n"),
    ],
)
def test_errors_of_a_command_line_say_what_was_probably_meant(words, message, capsys):
    parser = Parser(prog="p")
    serve = parser.add_subparsers(dest="command").add_parser("serve")
    serve.add_argument("--vehicles")
    serve.add_argument("--sensors", choices=["none", "px4"])
    with pytest.raises(SystemExit, match="2"):
        parser.parse_known_args(words)
    error = capsys.readouterr().err
    assert message.replace("'", "") in error.replace("'", "")  # Python 3.12 and later quote less


def test_warnings_are_lines_of_the_program_or_of_a_script(capsys):
    with warnings_told("pyrfly sim"):
        warnings.warn("heavy", ParameterWarning, stacklevel=1)
    with pytest.warns(ParameterWarning), warnings_told("pyrfly", CommandWarning, places=True):
        _warn_of_both()
    first, second = capsys.readouterr().err.splitlines()
    assert first == "pyrfly sim: warning: heavy"
    assert second.startswith("pyrfly: warning: not armed (test_options.py:")


def _warn_of_both():
    warnings.warn("not armed", CommandWarning, stacklevel=1)
    warnings.warn("its own", ParameterWarning, stacklevel=1)
