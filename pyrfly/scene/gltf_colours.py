"""Colours of the triangles of a glTF file: `Paint`.

Each triangle has one colour: the base colour of its material, times the mean of its picture over
the triangle, times the colours of its vertices. All is linear until the end [@gltf 3.9.2].
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import SceneError
from pyrfly.scene.checks import Array
from pyrfly.scene.gltf_arrays import Arrays
from pyrfly.scene.gltf_file import Entry

__all__ = ["MAXIMUM_PIXELS", "Paint"]

MAXIMUM_PIXELS = 1 << 28
"""Maximum number of pixels of all pictures of a glTF file that are used."""

_SIDE = 256  # pixels that a picture keeps
_FORMATS = ("PNG", "JPEG", "WEBP")
_TRANSFORM = "KHR_texture_transform"
_CLAMP, _MIRROR, _REPEAT = 33071, 33648, 10497  # what is beyond the edges of a picture
_PARTS = 3  # of each side of a triangle: its picture is looked at in the middle of 3 x 3 parts


def _middles() -> list[tuple[float, float, float]]:
    """Return the weights of the corners at the middles of equal parts of a triangle."""
    low = [
        (i + third, j + third)
        for third, rows in ((1 / 3, _PARTS), (2 / 3, _PARTS - 1))
        for i in range(rows)
        for j in range(rows - i)
    ]
    return [(1 - (i + j) / _PARTS, i / _PARTS, j / _PARTS) for i, j in low]


class _Texture(NamedTuple):
    """A picture, shape (height, width, 3), and what is beyond its edges, right and down."""

    picture: NDArray[np.uint8]
    beyond: tuple[int, int]


class Paint:
    """The colours of primitives.

    Parameters
    ----------
    document : Entry
        The JSON.
    arrays : Arrays
        Its arrays and files.
    """

    def __init__(self, document: Entry, arrays: Arrays) -> None:
        self._document, self._arrays = document, arrays
        self._pictures: dict[int, NDArray[np.uint8]] = {}
        self._left = MAXIMUM_PIXELS

    def colours(
        self, primitive: Entry, count: int, corners: Callable[[], NDArray[np.int64]]
    ) -> NDArray[np.uint8]:
        """Return red, green and blue of each triangle, sRGB, shape (count, 3).

        Parameters
        ----------
        primitive : Entry
            The primitive.
        count : int
            Its triangles.
        corners : callable
            Returns their corners, shape (count, 3): only where colours differ among them.

        Raises
        ------
        SceneError
            A material or picture is not as it should be, or needs what is not supported.
        """
        material = self._material(primitive)
        base = np.clip(material.numbers("baseColorFactor", (1.0, 1.0, 1.0, 1.0))[:3], 0.0, 1.0)
        linear = np.tile(base, (count, 1))
        attributes = primitive.part("attributes")
        if "COLOR_0" in attributes.fields:
            linear *= self._at_corners(attributes, "COLOR_0", corners())[..., :3].mean(axis=1)
        if "baseColorTexture" in material.fields:
            linear *= self._seen(material.part("baseColorTexture"), attributes, corners())
        return np.round(255.0 * _srgb(np.clip(linear, 0.0, 1.0))).astype(np.uint8)

    def _material(self, primitive: Entry) -> Entry:
        if "material" not in primitive.fields:
            return Entry("", {})
        number = primitive.whole("material", len(self._document.rows("materials")))
        return self._document.entry("materials", number).part("pbrMetallicRoughness")

    def _at_corners(self, attributes: Entry, key: str, corners: NDArray[np.int64]) -> Array:
        """Return what an attribute has at the corners of triangles, shape (m, 3, columns)."""
        values = self._arrays.array(attributes, key)
        if len(values) != self._arrays.count(attributes, "POSITION"):
            raise attributes.error(key, "as many rows as POSITION has")
        largest = 1.0 if values.dtype.kind == "f" else float(np.iinfo(values.dtype).max)
        return np.asarray(values[corners], np.float64) / largest

    def _seen(self, used: Entry, attributes: Entry, corners: NDArray[np.int64]) -> Array:
        """Return the mean of a picture over each triangle, linear, shape (m, 3)."""
        texture = self._texture(used.whole("index", len(self._document.rows("textures"))))
        moved = used.part("extensions").part(_TRANSFORM)
        if moved.fields.get("rotation", 0) != 0:
            raise moved.error("rotation", "none")
        number = moved.whole("texCoord", 1 << 16, used.whole("texCoord", 1 << 16, 0))
        places = self._at_corners(attributes, f"TEXCOORD_{number}", corners)
        places = places * moved.numbers("scale", (1.0, 1.0)) + moved.numbers("offset", (0.0, 0.0))
        total = np.zeros((len(corners), 3))
        weights = _middles()
        for weight in weights:
            at = (np.array(weight)[:, None] * places).sum(axis=1)
            total += _LINEAR[_pixels(texture, at)]
        return total / len(weights)

    def _texture(self, number: int) -> _Texture:
        texture = self._document.entry("textures", number)
        if "source" not in texture.fields:
            names = ", ".join(sorted(map(str, texture.part("extensions").fields))) or "no source"
            raise SceneError(f"{texture.where}expected a picture as PNG, JPEG or WebP, got {names}")
        image = texture.whole("source", len(self._document.rows("images")))
        if image not in self._pictures:
            self._pictures[image] = self._picture(self._document.entry("images", image))
        sampler = Entry("", {})
        if "sampler" in texture.fields:
            count = len(self._document.rows("samplers"))
            sampler = self._document.entry("samplers", texture.whole("sampler", count))
        right, down = (sampler.whole(key, 1 << 16, _REPEAT) for key in ("wrapS", "wrapT"))
        return _Texture(self._pictures[image], (right, down))

    def _picture(self, image: Entry) -> NDArray[np.uint8]:
        """Return a picture, reduced to few pixels, shape (height, width, 3)."""
        from PIL import Image, UnidentifiedImageError

        data = self._arrays.data(image)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", Image.DecompressionBombWarning)
                opened = Image.open(io.BytesIO(data), formats=_FORMATS)
            pixels = opened.width * opened.height
            if pixels <= self._left:
                self._left -= pixels
                opened.draft("RGB", (_SIDE, _SIDE))
                reduced = opened.convert("RGB")
                reduced.thumbnail((_SIDE, _SIDE), Image.Resampling.BOX)
                return np.asarray(reduced)
        except UnidentifiedImageError:
            raise SceneError(f"{image.where}expected a picture as PNG, JPEG or WebP") from None
        except Exception as error:  # a file may have anything
            told = f"{type(error).__name__}: {error}"
            raise SceneError(
                f"{image.where}expected a picture as PNG, JPEG or WebP: {told:.200}"
            ) from None
        raise SceneError(f"images: expected at most {MAXIMUM_PIXELS} pixels in all, got more")


def _pixels(texture: _Texture, places: Array) -> NDArray[np.uint8]:
    """Return the pixels at places, 0 to 1 from the upper left corner to the right and down."""
    size = texture.picture.shape[1::-1]
    with np.errstate(invalid="ignore"):
        right, down = (
            np.nan_to_num(_within(places[:, axis], beyond) * size[axis])
            for axis, beyond in enumerate(texture.beyond)
        )
    columns, rows = (
        np.minimum(at.astype(np.int64), most - 1)
        for at, most in zip((right, down), size, strict=True)
    )
    return np.asarray(texture.picture[rows, columns])


def _within(at: Array, beyond: int) -> Array:
    """Return places of an axis of a picture that are within it [@gltf 5.26]."""
    if beyond == _CLAMP:
        return np.clip(at, 0.0, 1.0)
    part = at - np.floor(at)
    odd = np.floor(at) % 2.0 == 1.0
    return np.where(odd, 1.0 - part, part) if beyond == _MIRROR else part


def _srgb(linear: Array) -> Array:
    """Return linear shares of light as sRGB has them [@srgb]."""
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1.0 / 2.4) - 0.055)


def _linear(srgb: Array) -> Array:
    """Return the shares of light of sRGB [@srgb]."""
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


_LINEAR: Any = _linear(np.arange(256) / 255.0)
