"""A trained policy as plain arrays in an ``.npz``: it flies with NumPy alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

ROTATION = slice(3, 12)
"""The rotation matrix, FRD to NED by rows, in the observations of all tasks."""


class Directions(NamedTuple):
    """Where observations of a task have directions of the world, besides the rotation matrix.

    Attributes
    ----------
    vectors : tuple of int
        Where vectors in NED begin.
    headings : tuple of int
        Where cosine and sine of a heading begin.
    body : bool
        Whether vectors are in FRD as they are.
    """

    vectors: tuple[int, ...]
    headings: tuple[int, ...] = ()
    body: bool = False


def in_body_frame(observations: Any, directions: Directions, library: Any = np) -> Any:
    """Return observations without the heading, for what a vehicle has to do is the same in all.

    Parameters
    ----------
    observations : array or tensor, shape (..., observed)
        Of an environment.
    directions : Directions
        They become vectors in FRD.
    library : module
        NumPy, or torch for tensors.

    Returns
    -------
    array or tensor, shape (..., observed - 6 + headings)
        These vectors, what is down in FRD in place of the rotation matrix, and the others; what
        they are without vectors, for actions in NED.
    """
    if directions.body:
        down = ROTATION.stop - 3
        return library.concatenate(
            [observations[..., : ROTATION.start], observations[..., down:]], -1
        )
    if not directions.vectors:
        return observations
    rotation = observations[..., ROTATION].reshape(*observations.shape[:-1], 3, 3)
    level = library.zeros_like(observations[..., :1])
    vectors = [observations[..., k : k + 3] for k in directions.vectors]
    headings = [
        library.concatenate([observations[..., k : k + 2], level], -1) for k in directions.headings
    ]
    body = (library.stack(vectors + headings, -2) @ rotation).reshape(*observations.shape[:-1], -1)
    down = observations[..., ROTATION][..., 6:]
    turned = {k + i for k in (*directions.vectors, *range(3, 12, 3)) for i in range(3)}
    turned |= {k + i for k in directions.headings for i in range(2)}
    others = [k for k in range(observations.shape[-1]) if k not in turned]
    return library.concatenate([body, down, observations[..., others]], -1)


@dataclass(frozen=True)
class Network:
    """Layers with tanh between, of normalized observations; the last gives the actions.

    Attributes
    ----------
    directions : Directions
        Of `in_body_frame`.
    mean, deviation : ndarray, shape (inputs,)
        Of the observations in the body frame.
    layers : list of (weight, bias)
        Shapes (outputs, inputs) and (outputs,).
    """

    directions: Directions
    mean: Floats
    deviation: Floats
    layers: list[tuple[Floats, Floats]]

    def __call__(self, observations: Floats) -> Floats:
        """Return the actions, shape (n, values), of observations, shape (n, observed)."""
        x = (in_body_frame(observations, self.directions) - self.mean) / self.deviation
        for weight, bias in self.layers[:-1]:
            x = np.tanh(x @ weight.T + bias)
        weight, bias = self.layers[-1]
        return np.asarray(np.clip(x @ weight.T + bias, -1.0, 1.0), np.float32)

    def save(self, path: str | Path) -> None:
        """Write an ``.npz`` of the arrays."""
        layers = {
            f"{name}{i}": array
            for i, layer in enumerate(self.layers)
            for name, array in zip(("weight", "bias"), layer, strict=True)
        }
        arrays: dict[str, Any] = {"mean": self.mean, "deviation": self.deviation, **layers}
        np.savez(path, **arrays, **self.directions._asdict())

    @classmethod
    def load(cls, path: str | Path) -> Network:
        """Read what `save` wrote."""
        with np.load(path) as file:
            count = sum(name.startswith("weight") for name in file)
            layers = [(file[f"weight{i}"], file[f"bias{i}"]) for i in range(count)]
            vectors, headings = (tuple(file[k].tolist()) for k in ("vectors", "headings"))
            directions = Directions(vectors, headings, "body" in file and bool(file["body"]))
            return cls(directions, file["mean"], file["deviation"], layers)
