"""Pictures of the ground, which pictures of terrain maps show: `read_picture`."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import MapError, brief, import_extra
from pyrfly.files import is_regular, printable, read_regular

__all__ = [
    "LONGEST_SIDE",
    "Pixels",
    "checked_picture",
    "jpeg_of",
    "picture_beside",
    "picture_in",
    "read_picture",
]

Pixels = NDArray[np.uint8]

LONGEST_SIDE = 2048
"""Maximum width and height of a picture that is read [pixels]; a larger one is reduced."""

ENDINGS = (".jpg", ".jpeg")
"""Of a picture beside a map: a ``.png`` is the heights of one."""

_MOST_BYTES = 200_000_000
_FORMATS = ("JPEG", "PNG", "WEBP")


def picture_beside(file: Path) -> Path | None:
    """Return the file of the picture of a map, which has its name and an ending of `ENDINGS`."""
    candidates = (file.with_suffix(ending) for ending in ENDINGS)
    return next((path for path in candidates if is_regular(path)), None)


def read_picture(path: Path) -> Pixels:
    """Return the pixels of a JPEG, PNG or WebP file, shape (height, width, 3).

    Raises
    ------
    MapError
        It is none, or has more than 200 MB or 89,478,485 pixels, the limit of Pillow.
    MissingExtraError
        Without ``pip install 'pyrfly[maps]'``.
    """
    try:
        return picture_in(read_regular(path, _MOST_BYTES))
    except ValueError as error:
        raise MapError(f"{printable(path)}: {error}") from None


def picture_in(data: bytes) -> Pixels:
    """Return the pixels of the bytes of a file; raise a ValueError that does not name it."""
    images = import_extra("PIL.Image", "maps", "a picture of the ground")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", images.DecompressionBombWarning)
            image = images.open(io.BytesIO(data), formats=_FORMATS)
        image.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))  # a large JPEG need not be expanded
        return np.asarray(_within(image.convert("RGB"), LONGEST_SIDE))
    except images.UnidentifiedImageError:
        raise ValueError("not a readable picture: expected JPEG, PNG or WebP") from None
    except _unreadable(images) as error:
        raise ValueError(f"not a readable picture: {error}") from None


def _unreadable(images: Any) -> tuple[type[Exception], ...]:
    """Return what Pillow raises for pictures that are damaged or have too many pixels."""
    bombs = images.DecompressionBombWarning, images.DecompressionBombError
    return OSError, SyntaxError, ValueError, *bombs


def jpeg_of(picture: Pixels, longest_side: int) -> bytes:
    """Return a picture as JPEG, with at most so many pixels a side."""
    images = import_extra("PIL.Image", "maps", "a picture of the ground")
    stream = io.BytesIO()
    _within(images.fromarray(picture), longest_side).save(stream, "JPEG", quality=85)
    return stream.getvalue()


def checked_picture(picture: Any) -> Pixels:
    """Return an unchangeable copy of a picture; raise a MapError if it is none."""
    pixels = np.asarray(picture)
    if pixels.ndim != 3 or pixels.shape[2] != 3 or not pixels.size or pixels.dtype != np.uint8:
        raise MapError(
            "picture: expected red, green and blue of uint8, shape (height, width, 3), got "
            f"{pixels.dtype} of shape {brief(pixels.shape)}"
        )
    copy = np.array(pixels, order="C")
    copy.flags.writeable = False
    return copy


def _within(image: Any, longest_side: int) -> Any:
    """Return an image that is reduced where it has more pixels a side."""
    if max(image.size) <= longest_side:
        return image
    scale = longest_side / max(image.size)
    size = [max(1, round(side * scale)) for side in image.size]
    return image.resize(size, reducing_gap=2.0)
