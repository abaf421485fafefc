"""Colours and style of figures of logs."""

from __future__ import annotations

from typing import Any

__all__ = [
    "DPI",
    "FENCE",
    "FLOWN",
    "INK",
    "OTHERS",
    "PITCH",
    "SETPOINT",
    "START",
    "STYLE",
    "WAYPOINT",
    "YAW",
]

# Colour-blind safe palette: M. Okabe, K. Ito, "Color Universal Design", 2008.
FLOWN = "#0072B2"
SETPOINT = "#8A8A8A"
OTHERS = "#56B4E9"
WAYPOINT = "#D55E00"
START = "#009E73"
PITCH = "#E69F00"
YAW = "#009E73"
FENCE = "#CC79A7"
INK = "#333333"

STYLE: Any = {
    "font.size": 9,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": "#AAAAAA",
    "axes.titlelocation": "left",
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.formatter.useoffset": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E6E6E6",
    "grid.linewidth": 0.8,
    "xtick.color": INK,
    "ytick.color": INK,
    "lines.linewidth": 1.5,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
}
DPI = 110
