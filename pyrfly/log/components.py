"""Names of the components of columns: `component_names`."""

from __future__ import annotations

from pyrfly.columns import Field

__all__ = ["component_names"]

# Names of the components of a column, by width and frame.
_COMPONENTS = {
    (3, "NED"): ("north", "east", "down"),
    (3, "FRD"): ("x", "y", "z"),
    (3, "NED or heading"): ("x", "y", "z"),
    (4, "FRD to NED"): ("w", "x", "y", "z"),
    (6, "FRD"): ("xx", "yy", "zz", "xy", "xz", "yz"),
}
_COMPONENTS_OF = {"euler": ("roll", "pitch", "yaw")}
_DIRECTION = ("north", "east")  # of a horizontal unit vector


def component_names(column: Field) -> tuple[str, ...]:
    """Return a name for each component of a column, such as ``pos_north``.

    Parameters
    ----------
    column : Field
        The column.

    Returns
    -------
    tuple of str
        The name of the column followed by ``north``, ``east``, ``down`` for vectors in NED; ``x``,
        ``y``, ``z`` (forward, right, down) for vectors in FRD; ``w``, ``x``, ``y``, ``z`` for
        quaternions; else numbers from 1, such as those of the rotors. For width 1 the name of the
        column.
    """
    if column.width == 1:
        return (column.name,)
    numbers = tuple(str(number) for number in range(1, column.width + 1))
    names: tuple[str, ...] | None = _COMPONENTS_OF.get(column.name)
    if (column.width, column.frame, column.unit) == (2, "NED", "1"):
        names = _DIRECTION
    names = names or _COMPONENTS.get((column.width, column.frame), numbers)
    return tuple(f"{column.name}_{name}" for name in names)
