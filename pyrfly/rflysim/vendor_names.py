"""RflySim's modules under their own names: `vendor_names`."""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["PACKAGES", "vendor_names"]

PACKAGES = {
    "ctrl": (
        "DllSimCtrlAPI", "EarthModel", "PX4MavCtrlV4", "PX4MavCtrlV4ROS", "ReqCopterSim", "api",
    ),
    "swarm": ("VehicleApi",),
    "ue": ("UE4CtrlAPI", "UEMapServe"),
    "vision": ("VisionCaptureApi",),
}  # fmt: skip
"""Modules by RflySim's package; scripts import them with or without it."""


@contextmanager
def vendor_names(folder: Path) -> Iterator[None]:
    """Let ``import PX4MavCtrlV4``, ``import ctrl.PX4MavCtrlV4`` and so on find pyrfly's modules.

    A copy of RflySim's module beside the script is not imported. A script's own ``api``, whose name
    says little, precedes; so do its own packages of the names of RflySim's, but for the modules.

    Parameters
    ----------
    folder : Path
        Where the script is.
    """
    ours: dict[str, types.ModuleType] = {}
    for package, names in PACKAGES.items():
        if not (folder / package / "__init__.py").exists():
            ours[package] = types.ModuleType(package, "RflySim's package, of pyrfly's modules.")
            ours[package].__path__ = [str(folder / package)]
        for name in names:
            module = importlib.import_module(f"pyrfly.rflysim.{name}")
            ours[f"{package}.{name}"] = module
            if package in ours:
                setattr(ours[package], name, module)
            if name != "api" or not (folder / "api.py").exists():
                ours[name] = module
    before = {name: sys.modules[name] for name in ours if name in sys.modules}
    sys.modules.update(ours)
    try:
        yield
    finally:
        for name in ours:
            sys.modules.pop(name, None)
        sys.modules.update(before)
