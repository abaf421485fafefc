"""Comparison of flights: a simulated with a real one, or two of one mission.

`compare` takes logs of any format that `pyrfly.log` reads, makes times, rates, frames and units
equal, and says for each signal how much it differs and how well it correlates (docs/compare.md).
"""

from pyrfly.compare.alignment import Alignment
from pyrfly.compare.comparison import Comparison, SignalComparison, compare
from pyrfly.compare.report import write_report
from pyrfly.compare.statistics import Spectrum
from pyrfly.compare.table import comparison_table

__all__ = [
    "Alignment",
    "Comparison",
    "SignalComparison",
    "Spectrum",
    "compare",
    "comparison_table",
    "write_report",
]
