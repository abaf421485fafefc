"""Lines of a mixer file: `definition_lines`."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import NamedTuple

from pyrfly.errors import MixerError, ParameterWarning, brief, warn

__all__ = ["Line", "definition_lines"]

LONGEST_LINE = 119
"""Maximum number of bytes of a line with its end; PX4 cuts longer ones [@px4 v1.12.3
load_mixer_file.cpp]."""

LARGEST = 2046
"""Maximum number of bytes of all definitions, without repeated spaces [@px4 v1.12.3 mixer.cpp]."""

_DEFINITION = re.compile(rb"[A-Z]:")
_NUMBER = re.compile(r"[+-]?[0-9]{1,10}")
_BOUND = 2**31 - 1


class Line(NamedTuple):
    """A line of a definition.

    Attributes
    ----------
    place : str
        File and number of the line, for messages.
    tag : str
        Its letter.
    words : tuple of str
        What follows the colon, between blanks.
    """

    place: str
    tag: str
    words: tuple[str, ...]

    def error(self, reason: str) -> MixerError:
        """Return the exception for this line."""
        return MixerError(f"{self.place}: {self.tag}: {reason}")

    def numbers(self, names: str, optional: int = 0) -> list[int]:
        """Return the whole numbers of the line.

        Parameters
        ----------
        names : str
            What they are, between commas. A number may be missing if it is one of the last
            ``optional`` ones.
        optional : int
            How many may be missing.
        """
        most = names.count(",") + 1
        if not most - optional <= len(self.words) <= most:
            least = f"{most - optional} or " if optional else ""
            raise self.error(f"expected {least}{most} numbers ({names}), got {len(self.words)}")
        values = []
        for word in self.words:
            if not _NUMBER.fullmatch(word) or abs(int(word)) > _BOUND:
                raise self.error(f"expected whole numbers of 32 bits, got {brief(word)}")
            values.append(int(word))
        return values

    def check(self, name: str, value: int, low: int, high: int) -> int:
        """Return a number of the line that is in a range; raise a MixerError for others."""
        if not low <= value <= high:
            raise self.error(f"{name}: expected {low} to {high}, got {value}")
        return value


def definition_lines(data: bytes, name: str) -> Iterator[Line]:
    """Yield the lines that begin with a capital letter and a colon; all others are comments.

    Parameters
    ----------
    data : bytes
        Contents of a mixer file.
    name : str
        Name of the file, for messages.

    Raises
    ------
    MixerError
        A definition is longer than PX4 reads.
    """
    total = 0
    marked = data.startswith(BOM_UTF8)
    for number, raw in enumerate(data.removeprefix(BOM_UTF8).split(b"\n"), 1):
        if not _DEFINITION.match(raw):
            continue
        words = tuple(word.decode("utf-8", "replace") for word in raw[2:].split())
        line = Line(f"{name}, line {number}", chr(raw[0]), words)
        if marked and number == 1:
            warn(
                f"{line.place}: {line.tag}: the file begins with a byte-order mark, so that PX4 "
                "itself does not read this line",
                ParameterWarning,
            )
        if len(raw) + 1 > LONGEST_LINE:
            raise line.error(f"expected at most {LONGEST_LINE - 1} characters, got {len(raw)}")
        total += len(re.sub(rb" +", b" ", raw)) + 1
        if total > LARGEST:
            raise line.error(
                f"expected at most {LARGEST} characters of definitions up to here, got more"
            )
        yield line
    if _DEFINITION.match(data.rpartition(b"\n")[2]):
        warn(
            f"{line.place}: {line.tag}: the last line has no end, so that PX4 itself does not read "
            "the mixer that it belongs to",
            ParameterWarning,
        )
