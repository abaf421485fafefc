"""Parameter sets in place of RflySim's model DLLs: `RFLYSIM_MODELS`, `set_of_model`."""

from __future__ import annotations

from pathlib import PureWindowsPath

__all__ = ["RFLYSIM_MODELS", "set_of_model"]

RFLYSIM_MODELS = {
    **dict.fromkeys(("multicopter", "multicopternoctrl", "multicopternopx4"), "sdk"),
    **dict.fromkeys(("quadmodel", "quadmodelv"), "sdk"),
    **{f"fx{size}{ending}": f"x{size}" for size in (150, 200, 450) for ending in ("", "_model")},
}
"""Parameter sets by name of a model in lower case.

Those of RflySim's installation are its default quadrotor [@rfly-template]; FX150 to FX450 are the
FEISI quadrotors [@rfly-models].
"""

_ENDINGS = (".dll", ".so")


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
