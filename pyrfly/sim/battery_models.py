"""Battery models by name: numbers of a cell."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

__all__ = ["BATTERY_MODELS", "BatteryModel"]


class BatteryModel(NamedTuple):
    """A chemistry of cells, as tables over the charges of the column ``battery_curve``.

    Attributes
    ----------
    voltage : tuple of float
        Open-circuit voltage of a cell [V], the full one last.
    nominal : float
        Open-circuit voltage [V] with which a capacity is chosen.
    resistance : float
        Default resistance of a cell after minutes of load, with cables, times its capacity
        [ohm A h].
    growth : tuple of float
        Resistances over those of the full cell.
    polarization : float
        Resistance of the RC pair over the ohmic one.
    time_constant : float
        Of the RC pair [s].
    rflysim : bool
        Whether RflySim's law takes the place of ``voltage`` but the last.
    """

    voltage: tuple[float, ...]
    nominal: float
    resistance: float
    growth: tuple[float, ...]
    polarization: float
    time_constant: float
    rflysim: bool = False


_LIPO = BatteryModel(
    # the lithium polymer cell Enertech SPB655060 (LiCoO2, graphite) between its limits of 4.2 and
    # 3 V, by the electrode potentials of [@ai-pouch-cell] as PyBaMM 26.10 has them [@pybamm]
    voltage=(
        *(3.0, 3.219, 3.339, 3.542, 3.619, 3.640, 3.665, 3.695),
        *(3.733, 3.762, 3.793, 3.836, 3.909, 3.994, 4.088, 4.2),
    ),
    nominal=3.9,  # the mean over the charge that is used in an endurance
    resistance=0.02,  # estimated for packs of high discharge rates
    # R_series of [@chen-battery]: 0.07446 + 0.1562 exp(-24.37 s) ohm
    growth=(
        *(3.098, 2.644, 2.289, 1.620, 1.337, 1.183, 1.054, 1.016, 1.001),
        *(1.0,) * 7,
    ),
    polarization=0.627,  # R_Transient_S over R_series [@chen-battery]: 0.04669 / 0.07446 ohm
    time_constant=33.0,  # R_Transient_S C_Transient_S [@chen-battery]: 0.04669 ohm, 703.6 F
)

_RFLYSIM = BatteryModel(
    voltage=(4.2,) * 16,
    nominal=3.7,
    resistance=0.02,
    growth=(1.0,) * 16,
    polarization=0.0,
    time_constant=33.0,
    rflysim=True,
)

BATTERY_MODELS: Mapping[str, BatteryModel] = MappingProxyType({"lipo": _LIPO, "rflysim": _RFLYSIM})
"""By name; RflySim's [@rfly-safe] has a resistance that is ohmic alone and constant."""
