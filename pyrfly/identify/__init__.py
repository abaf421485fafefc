"""Identification: the parameters of a vehicle from a log of its flight.

`identify` returns estimates with their confidence, what the flight does not tell, and a parameter
set that flies.
"""

from pyrfly.identify import excitation
from pyrfly.identify.battery import Battery, identify_battery
from pyrfly.identify.identification import METHODS, Identification, identify
from pyrfly.identify.report import write_report
from pyrfly.identify.search import Estimate

__all__ = [
    "METHODS",
    "Battery",
    "Estimate",
    "Identification",
    "excitation",
    "identify",
    "identify_battery",
    "write_report",
]
