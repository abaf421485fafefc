"""Mixer files: what is read, and what is wrong with others, by line and reason."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrfly import ParameterWarning
from pyrfly.errors import MixerError
from pyrfly.mixers import (
    GEOMETRIES,
    Control,
    Definition,
    Helicopter,
    Mixer,
    Multirotor,
    Null,
    Scaler,
    Sum,
    SwashServo,
    parse,
)

SUM = "M: 1\nS: 0 0 10000 10000 0 -10000 10000\n"
SWASH = "S: 0 10000 10000 0 -8000 8000\n" * 3
CURVES = "T: 0 3000 6000 8000 10000\nP: 500 1500 2500 3500 4500\n"


def read(text: str) -> tuple[Definition, ...]:
    """Return the definitions of a text, with warnings as errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return parse(text.encode())


def test_definitions_are_in_the_order_of_the_file() -> None:
    found = read(f"Z:\nR: 4x\n{SUM}H: 3\n{CURVES}{SWASH}")
    assert [type(definition) for definition in found] == [Null, Multirotor, Sum, Helicopter]
    assert [definition.count for definition in found] == [1, 4, 1, 4]


def test_numbers_are_divided_by_10000() -> None:
    text = "M: 1\nO: -5000 20000 1000 -9000 8000 20000\nS: 1 4 1 -2 3 -4 5\n"
    control = Control(1, 4, Scaler(0.0001, -0.0002, 0.0003, -0.0004, 0.0005))
    assert read(text) == (Sum((control,), Scaler(-0.5, 2.0, 0.1, -0.9, 0.8), 2.0),)


def test_helicopters_have_curves_and_servos() -> None:
    text = f"H: 3\n{CURVES}S: 0 10000 10000 0 -8000 8000\n" + "S: 140 13054 -10000 50 -1 1\n" * 2
    (heli,) = read(text)
    assert isinstance(heli, Helicopter)
    assert heli.throttle == (0.0, 0.3, 0.6, 0.8, 1.0)
    assert heli.pitch == (0.05, 0.15, 0.25, 0.35, 0.45)
    assert heli.servos[0] == SwashServo(0, 1.0, 1.0, 0.0, -0.8, 0.8)
    assert heli.servos[2] == SwashServo(140, 1.3054, -1.0, 0.005, -0.0001, 0.0001)


def test_without_an_output_line_a_sum_is_not_scaled() -> None:
    (definition,) = read(SUM)
    assert isinstance(definition, Sum)
    assert definition.scaler == Scaler(1.0, 1.0, 0.0, -1.0, 1.0)
    assert definition.rise_time == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "Quadrotor\n# R is below\n\n  M: 7 is indented\nm: 1\nR4x\n: :\nR: 4x\n",
        "R: 4x\r\n",
        "R:4x\n",
        "R:   4x   \n",
        "R: 4x 10000 10000 10000 0\n",  # ignored since 1.12
        "motors, \xe4\x00\n\nR: 4x\n\nno line end",
    ],
)
def test_other_lines_are_comments(text: str) -> None:
    assert read(text) == (Multirotor("4x"),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "mixer: expected a line that begins with M:, R:, H: or Z:, got none"),
        ("nothing\n", "mixer: expected a line"),
        ("\nB: 3\n", "line 2: B: expected one of M:, R:, H:, Z:"),
        ("\nA: 3\n", "line 2: A: actuators of the control allocation"),
        ("R:\n", "line 1: R: expected a geometry, got none"),
        ("R: 4y2\n", "line 1: R: expected a geometry such as 4y.*, got '4y2'"),
        ("R: 4x 1 2\n", "line 1: R: expected 4 numbers .roll scale, .*, got 2"),
        ("Z: 1\n", "line 1: Z: expected nothing after the colon, got '1'"),
        ("M:\n", "line 1: M: expected 1 numbers .number of controls., got 0"),
        ("M: 33\n", "line 1: M: number of controls: expected 0 to 32, got 33"),
        ("M: -1\n", "line 1: M: number of controls: expected 0 to 32, got -1"),
        ("M: 1.5\n", "line 1: M: expected whole numbers of 32 bits, got '1.5'"),
        ("M: 1\n", "line 1: M: expected a line S: after it, got the end of the file"),
        ("M: 1\nZ:\n", "line 2: Z: expected S: here, for M: of mixer, line 1"),
        ("M: 1\nS: 0 0 1 1 0 -1\n", "line 2: S: expected 7 numbers .group, .*, got 6"),
        ("M: 1\nS: 0 0 1 1 0 -1 1 1\n", "line 2: S: expected 7 numbers .*, got 8"),
        ("M: 1\nS: 4 0 1 1 0 -1 1\n", "line 2: S: group: expected 0 to 3, got 4"),
        ("M: 1\nS: 0 8 1 1 0 -1 1\n", "line 2: S: index: expected 0 to 7, got 8"),
        ("M: 1\nS: 0 0 1 1 10011 -1 1\n", "line 2: S: offset: expected -10010 to 10010, got 10011"),
        ("M: 1\nS: 0 0 1 1 -10011 -1 1\n", "offset: expected -10010 to 10010, got -10011"),
        ("M: 1\nS: 0 0 1 1 0 -10011 1\n", "minimum: expected -10010 to 10010, got -10011"),
        ("M: 1\nS: 0 0 1 1 0 0 10011\n", "maximum: expected -10010 to 10010, got 10011"),
        ("M: 1\nS: 0 0 1 1 0 2 1\n", "expected a minimum up to the maximum, got 2 and 1"),
        ("M: 1\nS: 0 0 x 1 0 0 1\n", "line 2: S: expected whole numbers of 32 bits, got 'x'"),
        ("M: 1\nS: 0 0 9999999999 1 0 0 1\n", "whole numbers of 32 bits, got '9999999999'"),
        ("M: 1\nS: 0 0 \xb2 1 0 0 1\n", "whole numbers of 32 bits, got '\xb2'"),
        (f"{SUM}S: 0 0 1 1 0 0 1\n", "line 3: S: expected no more S: for .M: 1. of mixer, line 1"),
        (
            f"M: 1\n{SUM[5:]}O: 1 1 0 0 1\n",
            "line 3: O: expected before the S: of .M: 1. of mixer, line 1",
        ),
        ("M: 1\nO: 1 1 0 0\n", "line 2: O: expected 5 or 6 numbers .*traversal time., got 4"),
        ("M: 1\nO: 1 1 0 0 1 -1\n", "traversal time: expected 0 to 2147483647, got -1"),
        ("M: 1\nO: 1 1 0 0 1\nO: 1 1 0 0 1\n", "line 3: O: expected S: here"),
        ("T: 1 2 3 4 5\n", "line 1: T: expected after H: only, got it before any mixer"),
        ("S: 0 0 1 1 0 0 1\n", "line 1: S: expected after M: or H: only, got it before any mixer"),
        (
            "R: 4x\n\nS: 0 0 1 1 0 0 1\n",
            "line 3: S: expected after M: or H: only, got .* 'R: 4x' of",
        ),
        ("Z:\nO: 1 1 0 0 1\n", "line 2: O: expected after M: only, got it after 'Z:' of mixer, li"),
        ("M: 3\nS: 0 0 1 1 0 0 1\nZ:\n", r"line 3: Z: expected S: \(2 of 3\) here, for M: of"),
        ("H: 2\n", "line 1: H: number of servos: expected 3 to 4, got 2"),
        ("H: 3\nP: 1 2 3 4 5\n", "line 2: P: expected T: here, for H: of mixer, line 1"),
        ("H: 3\nT: 1 2 3 4\n", "line 2: T: expected 5 numbers .*, got 4"),
        ("H: 3\nT: 1 2 3 4 -5\n", "line 2: T: point: expected 0 to 10000, got -5"),
        (
            f"H: 4\n{CURVES}{SWASH}",
            r"line 1: H: expected a line S: \(4 of 4\) after it, got the end of the file",
        ),
        (f"H: 3\n{CURVES}S: 400 1 1 0 0 1\n", "line 4: S: angle: expected 0 to 360, got 400"),
        (f"H: 3\n{CURVES}S: 0 -1 1 0 0 1\n", "line 4: S: arm: expected 0 to"),
        (f"H: 3\n{CURVES}S: 0 1 1 0 2 1\n", "line 4: S: expected a minimum up to the maximum"),
        ("Z:\n" * 17, "line 17: Z: expected at most 16 outputs of a file, got more"),
        ("R: 8x\nR: 8x\nR: 8x\n", "line 3: R: expected at most 16 outputs"),
        (f"M: {'0' * 120}1\n", "line 1: M: expected at most 118 characters, got 124"),
        ("M: 32\n" + ("S: 0 0" + " 10000" * 5 + "." * 60 + "\n") * 32, "line 2: S: expected whole"),
    ],
)
def test_an_error_names_line_and_reason(text: str, message: str) -> None:
    with pytest.raises(MixerError, match=message):
        read(text)


def test_a_byte_order_mark_hides_no_line() -> None:
    """From PX4 it does, of which there is a warning if the line is a definition."""
    with pytest.warns(ParameterWarning, match="line 1: R: the file begins with a byte-order mark"):
        assert parse(b"\xef\xbb\xbfR: 4x\nZ:\n") == (Multirotor("4x"), Null())
    assert read("\ufeffmy mixer\nZ:\n") == (Null(),)


@pytest.mark.parametrize("data", ["R: 4x\n", None, 3, [82]])
def test_a_file_has_bytes(data: Any) -> None:
    with pytest.raises(TypeError, match="data: expected the bytes of a mixer file, got"):
        parse(data)
    assert parse(bytearray(b"Z:\n")) == parse(memoryview(b"Z:\n")) == (Null(),)


def test_definitions_are_as_long_as_px4_reads_them() -> None:
    """2046 characters without repeated spaces; comments are free."""
    line = "S: 0 0 -1000000000 -1000000000 -10000 -10000 -10000"
    text = f"M: 32\n{line}\n" + f"{line}\n" * 31
    assert len(text) < 2046
    read(f"{'comment' * 9}\n" * 500 + text.replace(" -1000", "    -1000"))
    with pytest.raises(MixerError, match=r"line 42: S: expected at most 2046 characters"):
        read(text + "M: 16\n" + f"{line}\n" * 16)


def test_a_constant_output_is_read_with_a_warning() -> None:
    """PX4's guide describes it; PX4's parser takes it for an error and reads no further."""
    text = b"Z:\nM: 0\nO: 10000 10000 5000 -10000 2000\nR: 4x\n"
    with pytest.warns(ParameterWarning, match=r"mixer, line 2: M: 0 controls"):
        found = parse(text)
    assert Mixer(found)(roll=1.0, thrust=0.5).tolist()[:2] == [0.0, 0.2]
    with pytest.warns(ParameterWarning, match="line 1"):
        assert Mixer(parse(b"M: 0\n"))().tolist() == [0.0]


@pytest.mark.parametrize("text", [SUM, "R: 4x\n", f"Z:\n{SUM}"])
def test_a_last_line_without_its_end_is_read_with_a_warning(text: str) -> None:
    """PX4 does not read the last mixer then."""
    with pytest.warns(ParameterWarning, match="the last line has no end"):
        assert parse(text[:-1].encode()) == read(text)


def test_the_name_of_the_file_is_in_messages() -> None:
    with pytest.raises(MixerError, match=r"^my\.aux\.mix, line 1: M:"):
        parse(b"M: 1\n", "my.aux.mix")


LIMIT = st.integers(-10010, 10010)
GAIN = st.integers(-(2**31) + 1, 2**31 - 1)
POINTS = st.tuples(*[st.integers(0, 10000)] * 5)


@st.composite
def scalers(draw: st.DrawFn) -> str:
    low, high = sorted([draw(LIMIT), draw(LIMIT)])
    return f"{draw(GAIN)} {draw(GAIN)} {draw(LIMIT)} {low} {high}"


@st.composite
def sums(draw: st.DrawFn) -> str:
    count = draw(st.integers(1, 4))
    rise = draw(st.sampled_from(["", " 0", " 20000"]))
    output = draw(st.sampled_from(["", f"O: {draw(scalers())}{rise}\n"]))
    inputs = [
        f"S: {draw(st.integers(0, 3))} {draw(st.integers(0, 7))} {draw(scalers())}\n"
        for _ in range(count)
    ]
    return f"M: {count}\n{output}{''.join(inputs)}"


@st.composite
def helicopters(draw: st.DrawFn) -> str:
    curves = [" ".join(map(str, draw(POINTS))) for _ in range(2)]
    count = draw(st.integers(3, 4))
    servos = []
    for _ in range(count):
        low, high = sorted([draw(LIMIT), draw(LIMIT)])
        numbers = (draw(st.integers(0, 360)), draw(st.integers(0, 30000)), draw(GAIN), draw(LIMIT))
        servos.append(f"S: {' '.join(map(str, numbers))} {low} {high}\n")
    return f"H: {count}\nT: {curves[0]}\nP: {curves[1]}\n{''.join(servos)}"


MIXERS = st.one_of(
    sums(),
    helicopters(),
    st.just("Z:\n"),
    st.sampled_from(sorted(GEOMETRIES)).map("R: {}\n".format),
)


@given(st.lists(MIXERS, min_size=1, max_size=3).filter(lambda parts: len("".join(parts)) < 1500))
def test_a_text_of_definitions_defines_the_same(parts: list[str]) -> None:
    try:
        found = read("".join(parts))
    except MixerError as error:
        assert "at most" in str(error)  # 16 outputs, the characters of a line  # noqa: PT017
        return
    assert len(found) == len(parts)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert parse(Mixer(found).text().encode()) == found


@given(
    st.one_of(
        st.binary(max_size=300),
        st.lists(
            st.sampled_from(
                b"M:|O:|S:|R:|H:|T:|P:|Z:|A:| |\n|1|4x| 0 0| 1 1 0 0 1|-|\0|\xff|\r|"
                b"99999999999".split(b"|")
            ),
            max_size=60,
        ).map(b"".join),
    )
)
def test_any_bytes_are_definitions_or_a_mixer_error(data: bytes) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ParameterWarning)
        try:
            found = parse(data)
        except MixerError as error:
            assert str(error).startswith("mixer")  # noqa: PT017
        else:
            assert 1 <= Mixer(found).count <= 16
