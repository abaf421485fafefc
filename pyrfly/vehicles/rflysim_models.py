"""Parameter sets in place of RflySim's models: `RFLYSIM_MODELS`, `set_of_model`, `PX4_FRAMES`."""

from __future__ import annotations

from pathlib import PureWindowsPath

__all__ = ["LIBRARY", "PX4_FRAMES", "RFLYSIM_MODELS", "set_of_model"]

LIBRARY = ".so"
"""Ending of the file of a model that can be loaded, see `pyrfly.plugins`."""

RFLYSIM_MODELS = {
    **dict.fromkeys(("multicopter", "multicopternoctrl", "multicopternopx4"), "sdk"),
    **dict.fromkeys(("quadmodel", "quadmodelv", "quadmodelctrl"), "sdk"),
    **{f"fx{size}{ending}": f"x{size}" for size in (150, 200, 450) for ending in ("", "_model")},
    **dict.fromkeys(("hexmodel", "hexmodelctrl"), "hex_x"),
    **dict.fromkeys(("octox", "octomodel", "octomodelctrl"), "octo_x"),
    **dict.fromkeys(("octocoax", "octocoxmodelctrl"), "octo_coax"),
    **dict.fromkeys(("fixwingmodel", "fixwingmodelctrl", "aircraftmathworks"), "aerosonde"),
    **dict.fromkeys(("vtolmodel", "vtolmodelctrl", "standardvtolmodel"), "gz_standard_vtol"),
}
"""Parameter sets by name of a model in lower case.

Those of RflySim's installation are its default quadrotor [@rfly-template]; FX150 to FX450 are the
FEISI quadrotors [@rfly-models]. Parameters of the others are not published: they are vehicles of
the same kind.
"""

PX4_FRAMES = {
    "iris": "sdk",
    **dict.fromkeys(("hexa_x", "typhoon_h480"), "hex_x"),
    "hexa_+": "hex_plus",
    "octo_x": "octo_x",
    "octo_+": "octo_plus",
    **dict.fromkeys(("plane", "standard_plane"), "gz_plane"),
    "generic_wing": "skywalker_x8",
    "standard_vtol": "gz_standard_vtol",
    "tailsitter": "gz_tailsitter",
    **dict.fromkeys(("rover", "r1_rover"), "rover_differential"),
}
"""Parameter sets by the frame of a PX4 that flies RflySim's built-in model."""

_ENDINGS = (".dll", LIBRARY)


def set_of_model(name: str) -> str:
    r"""Return the parameter set for the name of a model, or the name itself, as a set may have it.

    Parameters
    ----------
    name : str
        File name, with or without folders and the ending ``.dll`` or ``.so``.

    Examples
    --------
    >>> set_of_model(r"C:\PX4PSP\CopterSim\external\model\MulticopterNOpx4.dll")
    'sdk'
    >>> set_of_model("x450.so")
    'x450'
    """
    stem = PureWindowsPath(name).name  # knows both kinds of slashes
    for ending in _ENDINGS:
        stem = stem.removesuffix(ending)
    return RFLYSIM_MODELS.get(stem.lower(), stem)
