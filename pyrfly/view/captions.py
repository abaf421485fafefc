"""Texts in pictures: `Caption`, `captioned`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Caption", "captioned"]

LIGHT = (250, 250, 250)

HEIGHT = 12
"""Height of letters [pixels]."""


class Caption(NamedTuple):
    """A text in a picture.

    Attributes
    ----------
    x, y : float
        Where it is, right and down from the upper left corner [pixels].
    text : str
        The text.
    colour : tuple of int
        Red, green and blue, 0 to 255.
    anchor : str
        What of the text is there: ``lm`` the middle of its left side, ``ld`` its lower left and
        ``rd`` its lower right corner.
    """

    x: float
    y: float
    text: str
    colour: tuple[int, int, int] = (60, 66, 74)
    anchor: str = "lm"


def captioned(colours: NDArray[np.uint8], captions: Iterable[Caption]) -> NDArray[np.uint8]:
    """Return a picture, shape (height, width, 3), with texts."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.fromarray(colours)
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(HEIGHT)
    for x, y, text, colour, anchor in captions:
        pen.text((x, y), text, colour, font, anchor, stroke_width=2, stroke_fill=LIGHT)
    return np.asarray(image)
