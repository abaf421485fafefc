"""Moving pictures of simulations and logs: `animate`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import brief, import_extra
from pyrfly.files import path_of, replacing
from pyrfly.sim import Sim
from pyrfly.view.camera import Camera
from pyrfly.view.fleet import LEAST
from pyrfly.view.frames import frames_of
from pyrfly.view.logged import LogSource
from pyrfly.view.marks import TRAIL
from pyrfly.view.painter import Painter
from pyrfly.view.pictures import Seen, remember_before, source_of
from pyrfly.view.replay import replay

__all__ = ["FORMATS", "animate"]

Pictures = Iterator[NDArray[np.uint8]]

COLOURS = 127
"""Colours of a GIF; twice as many are 8 % more bytes, and look the same."""

SAME = COLOURS
"""Number, after those of the colours, of pixels that stay as they are."""

SEEN_PICTURES, SEEN_PIXELS = 24, 700_000
"""Numbers of pictures and of their pixels from which the colours of a GIF are chosen."""

MOST = 3_000_000_000
"""Maximum size of all pictures of a file whose pictures are kept in memory [bytes]."""

SIDES = (2, 16_383)
"""Minimum and maximum of the sides of pictures [pixels]: of MP4, of WebP."""

QUALITY = 75
"""Of WebP, 0 to 100."""

PAGE = ".html"
"""Suffix of a page that plays, see `pyrfly.view.replay`."""


def animate(
    source: Seen | Iterable[NDArray[np.uint8]],
    path: str | os.PathLike[str],
    *,
    size: tuple[int, int] = (640, 480),
    fps: float = 15.0,
    speed: float = 1.0,
    camera: str | Camera = "overview",
    start: float | None = None,
    stop: float | None = None,
    trail: float = TRAIL,
    labels: str | None = None,
    least: float = LEAST,
    told: Callable[[float], object] | None = None,
) -> None:
    """Write a moving picture, without browser, display or graphics card.

    Parameters
    ----------
    source : Sim, Log, str, path-like or iterable of ndarray
        What is seen: a log or its file; a simulation, which is stepped up to ``stop``; or pictures,
        shape (height, width, 3), such as those of ``env.render()``.
    path : str or path-like
        The file, which is replaced. Its suffix says what it is: ``.gif``, ``.webp``, ``.png``
        (animated), ``.mp4`` (of the extra ``video``), or ``.html``: a page for any browser, see
        `pyrfly.view.replay`.
    size : (int, int)
        Width and height [pixels].
    fps : float
        Pictures per second of what is shown, 0.1 to 60.
    speed : float
        Seconds of the flight in a second of what is shown, 0.001 to 10,000.
    camera, trail, labels, least
        As of `pyrfly.view.picture`.
    start, stop : float, optional
        Times of the first and the last picture [s]; by default those of the log. A simulation
        begins where it is, and needs ``stop``, a time of its clock: ``sim.time + 5`` for 5 s.
    told : callable, optional
        Called with the share that is done, 0 to 1, after every picture.

    Raises
    ------
    ValueError
        An argument is out of range, or the suffix none of these.
    MissingExtraError
        What writes ``.mp4`` is not installed.

    Examples
    --------
    >>> sim = Sim("x450", 4)  # doctest: +SKIP
    >>> animate(sim, "flight.gif", stop=sim.time + 5)  # doctest: +SKIP
    """
    file = path_of("path", path)
    kind = file.suffix.lower()
    if kind not in FORMATS:
        raise ValueError(f"path: expected {', '.join(FORMATS)} as suffix, got {brief(str(path))}")
    _require(fps, speed)
    if isinstance(source, Iterable) and not isinstance(source, (str, os.PathLike, Sim)):
        if kind == PAGE:
            raise ValueError(f"path: expected {', '.join(_WRITERS)} of pictures, got {PAGE}")
        with replacing(file) as temporary:
            _WRITERS[kind](_checked(source), temporary, fps)
        return
    found = source_of(source)
    if kind == PAGE:
        replay(found, fps=fps / speed, camera=camera, start=start, stop=stop, told=told).save(file)
        return
    world, frames = found.world(), frames_of(found, speed / fps, start, stop, told)
    painter = Painter(
        world, size, camera, trail=trail, labels=labels, least=least, step=speed / fps
    )

    def pictures() -> Pictures:
        for k, frame in enumerate(frames):
            if k == 0 and isinstance(found, LogSource):
                remember_before(painter, found, frame.time, trail)
            yield painter.draw(frame)

    with replacing(file) as temporary:
        _WRITERS[kind](pictures(), temporary, fps)


def _require(fps: float, speed: float) -> None:
    for name, value, least, most in (("fps", fps, 0.1, 60.0), ("speed", speed, 1e-3, 1e4)):
        if not isinstance(value, (int, float)) or not least <= value <= most:
            raise ValueError(f"{name}: expected a number of {least:g} to {most:g}, got {value!r}")


def _checked(pictures: Iterable[Any]) -> Pictures:
    """Yield pictures; raise for what is none, or of another size than the first."""
    first = None
    for picture in pictures:
        try:
            array = np.asarray(picture)
        except ValueError:  # of a list of unequal lists
            array = np.empty(0)
        shape = array.shape
        first = first or shape
        fits = len(shape) == 3 and all(SIDES[0] <= side <= SIDES[1] for side in shape[:2])
        if not fits or array.dtype != np.uint8 or shape != first or shape[2] != 3:
            raise ValueError(
                f"source: expected pictures of one size, uint8 (height, width, 3) with sides of "
                f"{SIDES[0]} to {SIDES[1]} pixels, got {array.dtype} {shape}"
            )
        yield array


# --- files ---


def _first(pictures: Pictures) -> NDArray[np.uint8]:
    for picture in pictures:
        return picture
    raise ValueError("source: expected one picture or more, got none")


def _write_by_pillow(pictures: Pictures, path: Path, fps: float, kind: str, **options: Any) -> None:
    from PIL import Image

    first = _first(pictures)
    images = (Image.fromarray(picture) for picture in chain([first], pictures))
    every = list(islice(images, MOST // first.nbytes + 1))
    if len(every) > MOST // first.nbytes:
        raise ValueError(
            f"path: expected at most {len(every) - 1} pictures of this size in a {path.suffix}, "
            "got more: a higher speed, fewer fps, or an .mp4"
        )
    if kind == "GIF":
        every = list(_few_colours(every))
    every[0].save(
        path,
        kind,
        save_all=True,
        append_images=every[1:],
        duration=_durations(len(every), fps),
        loop=0,
        **options,
    )


def _few_colours(images: list[Any]) -> Iterator[Any]:
    """Yield images in colours that all share, each pixel in the nearest one, or as it was.

    Dithering would flicker. `Image.quantize` has one colour for 4 x 4 x 4 colours, that of the one
    it meets first: ground of one colour would change with what else is seen.
    """
    from PIL import Image

    palette = np.array(_palette(images), np.float32).reshape(-1, 3)
    indices = np.full(1 << 24, -1, np.int16)  # of the nearest colours, where they are known
    before = None
    for image in images:
        numbers = _numbers(np.asarray(image))
        new = np.unique(numbers[indices[numbers] < 0])
        for some in np.array_split(new, len(new) // 4096 + 1):  # of integers: exact
            distances = (palette * palette).sum(1) - 2 * (_colours(some) @ palette.T)
            indices[some] = distances.argmin(1)
        now = indices[numbers].astype(np.uint8)
        changes = now if before is None else np.where(now == before, np.uint8(SAME), now)
        few = Image.fromarray(_shorter(now, changes))
        few.putpalette(palette.astype(np.uint8).tobytes().ljust(3 * (SAME + 1), b"\0"))
        before = now
        yield few


def _shorter(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the image with fewer runs of equal pixels, which takes fewer bytes.

    That is the one of changes alone, unless all moves.
    """
    runs = [np.count_nonzero(image[:, 1:] != image[:, :-1]) for image in (other, one)]
    return other if runs[0] < runs[1] else one


def _palette(images: list[Any]) -> list[int]:
    """Return red, green and blue of the colours that stand for those of images.

    Half of them follow from pixels, so that ground and sky have fine shades, half from the distinct
    colours of these pixels: vehicles and trails are few pixels.
    """
    some = images[:: -(-len(images) // SEEN_PICTURES)]
    width, height = some[0].size
    every = max(1, len(some) * width * height // SEEN_PIXELS) | 1  # odd: not the same columns
    pixels = np.concatenate([np.asarray(image).reshape(-1, 3)[::every] for image in some])
    distinct = _colours(np.unique(_numbers(pixels))).astype(np.uint8)
    return _means(pixels, COLOURS // 2) + _means(distinct, COLOURS // 2)


def _numbers(colours: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Return a number for each colour, shape (...,) of (..., 3)."""
    red, green, blue = np.moveaxis(colours.astype(np.int32), -1, 0)
    numbers: NDArray[np.int32] = red << 16 | green << 8 | blue
    return numbers


def _colours(numbers: NDArray[np.int32]) -> NDArray[np.float32]:
    return np.stack([numbers >> 16, numbers >> 8 & 255, numbers & 255], -1).astype(np.float32)


def _means(colours: NDArray[np.uint8], count: int) -> list[int]:
    """Return red, green and blue of at most ``count`` colours that stand for those of an array."""
    from PIL import Image

    square = np.resize(colours, (-(-len(colours) // 256), 256, 3))
    found = Image.fromarray(square).quantize(count, Image.Quantize.MEDIANCUT).getpalette() or []
    return found[: 3 * count]


def _durations(count: int, fps: float) -> list[int]:
    """Return how long each picture is shown [ms], in hundredths of a second."""
    ends = [round(100 * (k + 1) / fps) for k in range(count)]
    return [10 * max(1, end - begin) for begin, end in zip([0, *ends], ends, strict=False)]


def _write_gif(pictures: Pictures, path: Path, fps: float) -> None:
    _write_by_pillow(pictures, path, fps, "GIF", optimize=False, disposal=1, transparency=SAME)


def _write_webp(pictures: Pictures, path: Path, fps: float) -> None:
    _write_by_pillow(pictures, path, fps, "WEBP", quality=QUALITY, method=2)


def _write_png(pictures: Pictures, path: Path, fps: float) -> None:
    _write_by_pillow(pictures, path, fps, "PNG")


def _write_mp4(pictures: Pictures, path: Path, fps: float) -> None:
    ffmpeg = import_extra("imageio_ffmpeg", "video", "an .mp4")
    first = _first(pictures)
    height, width = (side - side % 2 for side in first.shape[:2])  # its colours need even sides
    writer = ffmpeg.write_frames(
        str(path),
        (width, height),
        fps=fps,
        macro_block_size=2,
        quality=7,
        output_params=["-f", "mp4"],
    )
    writer.send(None)
    for picture in chain([first], pictures):
        writer.send(np.ascontiguousarray(picture[:height, :width]))
    writer.close()


_WRITERS: dict[str, Callable[[Pictures, Path, float], None]] = {
    ".gif": _write_gif,
    ".webp": _write_webp,
    ".png": _write_png,
    ".mp4": _write_mp4,
}
"""What writes files of pictures, by their suffixes."""

FORMATS = (*_WRITERS, PAGE)
"""Suffixes of the files of `animate`."""
