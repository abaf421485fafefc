"""Flight logs: columns of a `pyrfly.Sim` over time, in memory and in files.

A `Recorder` copies columns of a running simulation into a `Log`, which can be saved as ``.npz``, or
as a ``.parquet`` or ``.csv`` table for other programs; or it writes chunks into a folder, which
outlive the process. A `SensorRecorder` keeps a log per sensor, at its rate. `export_log` writes
files for other programs. `Log.load` reads all of them but KML, and ULog files of PX4.
All units are SI, as in the simulation.
"""

from pyrfly.log.columns import component_names
from pyrfly.log.export import EXPORTS, export_log
from pyrfly.log.flight_columns import flight_columns
from pyrfly.log.log import FORMATS, Log, require_format
from pyrfly.log.plots import plot_columns, plot_flight
from pyrfly.log.read_series import read_flight_data, series_of_log
from pyrfly.log.recorder import DEFAULT_COLUMNS, Recorder
from pyrfly.log.sensors import SensorRecorder
from pyrfly.log.series import FlightData, Series

__all__ = [
    "DEFAULT_COLUMNS",
    "EXPORTS",
    "FORMATS",
    "FlightData",
    "Log",
    "Recorder",
    "SensorRecorder",
    "Series",
    "component_names",
    "export_log",
    "flight_columns",
    "plot_columns",
    "plot_flight",
    "read_flight_data",
    "require_format",
    "series_of_log",
]
