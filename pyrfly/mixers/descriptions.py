"""Outputs of mixers in words: `descriptions_of`."""

from __future__ import annotations

from pyrfly.mixers.controls import name_of
from pyrfly.mixers.definitions import Definition, Helicopter, Multirotor, Null, Scaler, Sum
from pyrfly.mixers.geometry import GEOMETRIES

__all__ = ["descriptions_of"]

_AXES = ("roll", "pitch", "yaw", "thrust")


def descriptions_of(definition: Definition) -> list[str]:
    r"""Return what the outputs of a definition are made of, in one line each.

    Examples
    --------
    >>> from pyrfly.mixers import Mixer, parse
    >>> Mixer(parse(b"Z:\nM: 1\nS: 0 3 0 20000 -10000 -10000 10000\n")).descriptions()
    ['nothing', '(0 or 2) thrust - 1']
    """
    match definition:
        case Null():
            return ["nothing"]
        case Sum(controls, scaler, rise_time):
            terms = " + ".join(
                _scaled(name_of(c.group, c.index), c.scaler) for c in controls
            ).replace("+ -", "- ")
            text = _scaled(f"({terms or 0})", scaler) if scaler != Scaler() else terms or "0"
            return [f"{text}, {rise_time:g} s from -1 to 1" if rise_time else text]
        case Multirotor(key):
            return [
                f"motor {k} of {key}: {_terms(row)}" for k, row in enumerate(GEOMETRIES[key], 1)
            ]
        case Helicopter(servos=servos):
            arms = [f"servo {k} of the swash plate: {s.angle} deg" for k, s in enumerate(servos, 1)]
            return ["throttle of the main rotor", *arms]


def _terms(row: tuple[float, ...]) -> str:
    return " ".join(f"{gain:+g} {axis}" for gain, axis in zip(row, _AXES, strict=True) if gain)


def _scaled(name: str, scaler: Scaler) -> str:
    """Return a scaled value in words; its two gains are those of negative and other values."""
    negative, positive, offset, minimum, maximum = scaler
    text = (
        f"{positive:g} {name}" if negative == positive else f"({negative:g} or {positive:g}) {name}"
    )
    if offset:
        text += f" {'-' if offset < 0 else '+'} {abs(offset):g}"
    if (minimum, maximum) != (-1.0, 1.0):
        text += f" in [{minimum:g}, {maximum:g}]"
    return text
