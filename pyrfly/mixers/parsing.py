"""The grammar of mixer files: `parse` [@px4 v1.12.3 src/lib/mixer, @px4-guide].

Where PX4 silently stops at a mixer that it cannot read, this raises an error.
"""

from __future__ import annotations

from collections.abc import Iterator

from pyrfly.errors import MixerError, ParameterWarning, brief, near_names, warn
from pyrfly.mixers.definitions import (
    SCALE,
    Control,
    Definition,
    Helicopter,
    Multirotor,
    Null,
    Scaler,
    Sum,
    SwashServo,
)
from pyrfly.mixers.geometry import GEOMETRIES
from pyrfly.mixers.lines import Line, definition_lines

__all__ = ["GROUPS", "INDICES", "MAXIMUM_OUTPUTS", "parse"]

GROUPS, INDICES = 4, 8
"""Number of control groups, and of controls of each."""

MAXIMUM_OUTPUTS = 16
"""Maximum number of outputs of a file [@px4 v1.12.3 mixer_module.hpp]."""

MAXIMUM_CONTROLS = 32
"""Maximum number of controls of a sum."""

_LIMIT = 10010
"""Maximum magnitude of offsets and limits: 1.001."""

_SCALER = "negative scale, positive scale, offset, minimum, maximum"
_CURVE = "at 0, at 25 %, at 50 %, at 75 %, at 100 %"


def parse(data: bytes, name: str = "mixer") -> tuple[Definition, ...]:
    r"""Return the definitions of a mixer file in their order.

    Parameters
    ----------
    data : bytes
        Contents of the file.
    name : str
        Name of the file, for messages.

    Raises
    ------
    MixerError
        A line is wrong or missing, or nothing is defined; the message names file and line.
    TypeError
        The contents are no bytes.

    Warns
    -----
    ParameterWarning
        PX4 itself reads less of the file: up to a sum of 0 controls, which its guide has as a
        constant output, not the last mixer, if the last line has no end, or not the first line, if
        it begins with a byte-order mark.

    Examples
    --------
    >>> from pyrfly.mixers import parse
    >>> parse(b"Motors of a quadrotor\nR: 4x\n")
    (Multirotor(key='4x'),)
    >>> parse(b"R: 4x\nM: 1\nS: 0 2 10000\n", "my.main.mix")
    Traceback (most recent call last):
    pyrfly.errors.MixerError: my.main.mix, line 3: S: expected 7 numbers (group, index, negative
    scale, positive scale, offset, minimum, maximum), got 3
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"data: expected the bytes of a mixer file, got {brief(data)}")
    reader = _Reader(definition_lines(bytes(data), name))
    found: list[Definition] = []
    while (line := reader.next()) is not None:
        found.append(_definition(line, reader))
        reader.before = line
        if sum(definition.count for definition in found) > MAXIMUM_OUTPUTS:
            raise line.error(f"expected at most {MAXIMUM_OUTPUTS} outputs of a file, got more")
    if not found:
        raise MixerError(f"{name}: expected a line that begins with M:, R:, H: or Z:, got none")
    return tuple(found)


class _Reader:
    """The lines of a file, of which the next one can be looked at."""

    def __init__(self, lines: Iterator[Line]) -> None:
        self._lines = lines
        self._ahead: Line | None = None
        self.before: Line | None = None
        """The line that began the mixer before."""

    def next(self) -> Line | None:
        """Return the next line, None at the end."""
        line, self._ahead = self.peek(), None
        return line

    def peek(self) -> Line | None:
        """Return the next line, which stays the next one."""
        if self._ahead is None:
            self._ahead = next(self._lines, None)
        return self._ahead

    def expect(self, tag: str, after: Line, which: str = "") -> Line:
        """Return the next line; raise a MixerError if it has another tag.

        ``which`` says which one of several it is.
        """
        line = self.next()
        if line is None:
            raise after.error(f"expected a line {tag}:{which} after it, got the end of the file")
        if line.tag != tag:
            raise line.error(f"expected {tag}:{which} here, for {after.tag}: of {after.place}")
        return line

    def expect_each(self, tag: str, after: Line, count: int) -> Iterator[Line]:
        """Yield the next lines, of the same tag."""
        for number in range(1, count + 1):
            yield self.expect(tag, after, f" ({number} of {count})" if count > 1 else "")


def _definition(line: Line, reader: _Reader) -> Definition:
    match line.tag:
        case "Z":
            if line.words:
                raise line.error(f"expected nothing after the colon, got {brief(line.words[0])}")
            return Null()
        case "R":
            return _multirotor(line)
        case "M":
            return _sum(line, reader)
        case "H":
            return _helicopter(line, reader)
        case "O" | "S" | "T" | "P":
            raise line.error(_misplaced(line.tag, reader.before))
        case "A":
            raise line.error("actuators of the control allocation, which is no mixer")
        case _:
            raise line.error("expected one of M:, R:, H:, Z: and of their lines O:, S:, T:, P:")


_OWNERS = {"O": "M:", "S": "M: or H:", "T": "H:", "P": "T: of H:"}


def _misplaced(tag: str, before: Line | None) -> str:
    """Return why a line of a mixer is at the wrong place, after the mixer that is complete."""
    if before is None:
        return f"expected after {_OWNERS[tag]} only, got it before any mixer"
    whole = f"{brief(' '.join((f'{before.tag}:', *before.words)))} of {before.place}"
    if tag == "S" and before.tag in "MH":
        return f"expected no more S: for {whole}, which has as many as it says"
    if tag == "O" and before.tag == "M":
        return f"expected before the S: of {whole}"
    return f"expected after {_OWNERS[tag]} only, got it after {whole}"


def _multirotor(line: Line) -> Multirotor:
    """Return the mixer of an ``R:`` line; numbers after the key are read by older versions only."""
    if not line.words:
        raise line.error("expected a geometry, got none")
    key, *numbers = line.words
    if key not in GEOMETRIES:
        raise line.error(
            f"expected a geometry such as {near_names(key, GEOMETRIES)}, got {brief(key)}"
        )
    if numbers:
        line._replace(words=tuple(numbers)).numbers(
            "roll scale, pitch scale, yaw scale, idle speed"
        )
    return Multirotor(key)


def _sum(line: Line, reader: _Reader) -> Sum:
    (count,) = line.numbers("number of controls")
    line.check("number of controls", count, 0, MAXIMUM_CONTROLS)
    if count == 0:
        warn(
            f"{line.place}: M: 0 controls: a constant output, as PX4's guide says, "
            "but PX4 itself reads the file up to here only",
            ParameterWarning,
        )
    scaler, rise_time = Scaler(), 0.0
    following = reader.peek()
    if following is not None and following.tag == "O":
        output = reader.expect("O", line)
        *values, rise = (*output.numbers(f"{_SCALER}, traversal time", 1), 0)[:6]
        scaler = _scaler(output, values)
        rise_time = output.check("traversal time", rise, 0, 2**31 - 1) / SCALE
    controls = tuple(_control(each) for each in reader.expect_each("S", line, count))
    return Sum(controls, scaler, rise_time)


def _control(line: Line) -> Control:
    group, index, *values = line.numbers(f"group, index, {_SCALER}")
    line.check("group", group, 0, GROUPS - 1)
    line.check("index", index, 0, INDICES - 1)
    return Control(group, index, _scaler(line, values))


def _scaler(line: Line, values: list[int]) -> Scaler:
    negative, positive, *rest = values
    _check_limits(line, rest)
    return Scaler(negative / SCALE, positive / SCALE, *(value / SCALE for value in rest))


def _check_limits(line: Line, values: list[int]) -> None:
    """Raise a MixerError unless offset, minimum and maximum are in PX4's ranges."""
    for name, value in zip(("offset", "minimum", "maximum"), values, strict=True):
        line.check(name, value, -_LIMIT, _LIMIT)
    if values[1] > values[2]:
        raise line.error(f"expected a minimum up to the maximum, got {values[1]} and {values[2]}")


def _helicopter(line: Line, reader: _Reader) -> Helicopter:
    (count,) = line.numbers("number of servos")
    line.check("number of servos", count, 3, 4)
    throttle = _curve(reader.expect("T", line), 0)
    pitch = _curve(reader.expect("P", line), -SCALE)
    servos = tuple(_servo(each) for each in reader.expect_each("S", line, count))
    return Helicopter(throttle, pitch, servos)


def _curve(line: Line, low: int) -> tuple[float, ...]:
    return tuple(line.check("point", y, low, SCALE) / SCALE for y in line.numbers(_CURVE))


def _servo(line: Line) -> SwashServo:
    angle, arm, scale, *rest = line.numbers("angle, arm, scale, offset, minimum, maximum")
    line.check("angle", angle, 0, 360)
    line.check("arm", arm, 0, 2**31 - 1)
    _check_limits(line, rest)
    return SwashServo(angle, arm / SCALE, scale / SCALE, *(value / SCALE for value in rest))
