"""Where shards are flown: in this process, or on a cluster of Ray."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any, Protocol

from numpy.typing import NDArray

from pyrfly.campaign.plan import Shard
from pyrfly.errors import import_extra

__all__ = ["BACKENDS", "Backend"]

Rows = dict[str, NDArray[Any]]

RETRIES = 3
"""How often a shard is flown again after the loss of its worker."""


class Backend(Protocol):
    """Flies shards; yields their rows in the order in which they are done."""

    def __call__(self, rows_of: Callable[[Shard], Rows], shards: Iterable[Shard]) -> Iterator[Rows]:
        """Fly shards, each by ``rows_of``."""


def _local(rows_of: Callable[[Shard], Rows], shards: Iterable[Shard]) -> Iterator[Rows]:
    return map(rows_of, shards)


def _ray(rows_of: Callable[[Shard], Rows], shards: Iterable[Shard]) -> Iterator[Rows]:
    """Fly shards as tasks of one processor, in the cluster that ``ray.init`` finds or starts."""
    ray = import_extra("ray", "ray", "backend='ray'")
    if not ray.is_initialized():
        ray.init()
    task = ray.remote(num_cpus=1, max_retries=RETRIES)(rows_of)
    begun = (task.remote(_on_one_thread(shard)) for shard in shards)
    at_once = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
    waiting = list(islice(begun, at_once))
    try:
        while waiting:
            done, waiting = ray.wait(waiting)
            waiting += islice(begun, len(done))
            yield from ray.get(done)
    finally:
        for reference in waiting:
            ray.cancel(reference)


def _on_one_thread(shard: Shard) -> Shard:
    setting = shard.setting
    options = {"threads": 1, **setting.options}
    return replace(shard, setting=replace(setting, options=options))


BACKENDS: Mapping[str, Backend] = {"local": _local, "ray": _ray}
"""The backends by name."""
