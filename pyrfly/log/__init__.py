"""Flight logs: columns of a `pyrfly.Sim` over time, in memory and in files.

A `Recorder` copies columns of a running simulation into a `Log`, which can be saved as ``.npz``
(read by `Log.load`), or as a ``.parquet`` or ``.csv`` table for other programs. All units are SI,
as in the simulation.
"""

from pyrfly.log.log import FORMATS, Log, component_names
from pyrfly.log.plots import plot_flight
from pyrfly.log.recorder import DEFAULT_COLUMNS, Recorder

__all__ = [
    "DEFAULT_COLUMNS",
    "FORMATS",
    "Log",
    "Recorder",
    "component_names",
    "plot_flight",
]
