"""Trajectories have the same bits for any batch, number of threads and processor."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import pyrfly

Flying = Callable[..., pyrfly.Sim]

VARIANTS = pytest.mark.parametrize(
    ("vehicle", "options"),
    [
        ("sdk", {}),
        ("sdk", {"precision": "float32", "effects": "plain"}),
        ("tri_y_plus", {}),
        ("quad_plus", {"precision": "float32"}),
        ("hex_coax", {"effects": "plain"}),
        ("octo_x", {"integrator": "euler", "precision": "float32"}),
    ],
)

MEMORY = ("state", "input", "controller", "flag")


def copy_vehicle(source: pyrfly.Sim, i: int, target: pyrfly.Sim, j: int) -> None:
    """Copy vehicle i of a Sim to vehicle j of another one, of the same kind."""
    for field in source.fields():
        if field.role != "output":
            getattr(target.groups[0], field.name)[j] = getattr(source.groups[0], field.name)[i]


def bits(sim: pyrfly.Sim, i: int) -> bytes:
    """Return the complete state of vehicle i, as bytes."""
    group = sim.groups[0]
    return b"".join(
        np.ascontiguousarray(getattr(group, field.name)[i]).tobytes()
        for field in group.fields
        if field.role in MEMORY
    )


@VARIANTS
def test_trajectory_does_not_depend_on_batch_size_or_position(
    flying: Flying, vehicle: str, options: dict[str, str]
) -> None:
    together = flying(vehicle, 37, **options)
    positions = [(0, 1, 0), (5, 1, 0), (17, 3, 2), (36, 40, 0), (20, 40, 39)]
    others = []
    for i, n, j in positions:
        sim = flying(vehicle, n, seed=2, **options)
        copy_vehicle(together, i, sim, j)
        others.append(sim)
    for sim in (together, *others):
        sim.step(400)
    for (i, _, j), sim in zip(positions, others, strict=True):
        assert bits(sim, j) == bits(together, i)


@VARIANTS
def test_trajectory_does_not_depend_on_the_number_of_threads(
    flying: Flying, vehicle: str, options: dict[str, str]
) -> None:
    start, hashes = flying(vehicle, 600, **options).snapshot(), set()
    for threads in (1, 2, 3, 7):
        sim = pyrfly.Sim(vehicle, 600, threads=threads, **options)
        sim.restore(start)
        for _ in range(4):
            sim.step(10)
        hashes.add(sim.hash())
    assert len(hashes) == 1


@VARIANTS
def test_trajectory_does_not_depend_on_how_steps_are_split(
    flying: Flying, vehicle: str, options: dict[str, str]
) -> None:
    """The control loops run at ticks 0, 10, 20, ... wherever a call begins."""
    hashes = set()
    for calls in ([120], [1] * 120, [7, 13, 50, 0, 49, 1], [119, 1]):
        sim = flying(vehicle, 5, **options)
        for n in calls:
            sim.step(n)
        assert sim.time == pytest.approx(0.12)
        hashes.add(sim.hash())
    assert len(hashes) == 1


@VARIANTS
def test_a_snapshot_continues_bit_for_bit(
    flying: Flying, vehicle: str, options: dict[str, str]
) -> None:
    sim = flying(vehicle, 5, **options)
    sim.step(123)
    saved = sim.snapshot()
    sim.step(200)
    after = sim.hash()
    sim.restore(saved)
    sim.step(200)
    assert sim.hash() == after
    other = flying(vehicle, 5, seed=3, **options)
    other.restore(saved)
    assert other.time == pytest.approx(0.123)
    other.step(200)
    assert other.hash() == after


def test_a_fleet_flies_as_its_groups_alone_do(flying: Flying) -> None:
    fleet = flying({"sdk": 3, "octo_x": 2}, None)
    alone = [flying("sdk", 3), flying("octo_x", 2)]
    for group, sim in zip(fleet.groups, alone, strict=True):
        for field in group.fields:
            if field.role != "output":
                getattr(sim.groups[0], field.name)[:] = getattr(group, field.name)
    for sim in (fleet, *alone):
        sim.step(200)
    for group, sim in zip(fleet.groups, alone, strict=True):
        np.testing.assert_array_equal(group.pos, sim.pos)
        np.testing.assert_array_equal(group.rotor_speed, sim.rotor_speed)


def test_the_hash_sees_every_bit_of_the_state(flying: Flying) -> None:
    sim = flying("sdk", 5)
    before = sim.hash()
    sim.rate[4, 2] = np.nextafter(sim.rate[4, 2], 1)
    assert sim.hash() != before


FLIGHT = """
import numpy as np, pyrfly
assert pyrfly.simd_info()["simd"] == {simd!r}
for vehicle in ("sdk", "cf2x_l250", "tri_y_plus", "octo_coax"):
    for precision in ("float64", "float32"):
        for effects in ("full", "plain"):
            if effects == "plain" and vehicle == "cf2x_l250":
                continue
            sim = pyrfly.Sim(vehicle, 11, precision=precision, effects=effects, threads=1)
            random = np.random.default_rng(9)
            sim.pos[:] = random.uniform(-5, 5, (11, 3)) - [0, 0, 40]
            sim.rate[:] = random.uniform(-1, 1, (11, 3))
            sim.vel[:] = random.uniform(-2, 2, (11, 3))
            sim.wind[:] = random.uniform(-2, 2, (11, 3))
            sim.terrain[:] = -39.5
            sim.arm()
            sim.command_position(random.uniform(-5, 5, (11, 3)) - [0, 0, 45], yaw=1.0)
            sim.step(1000)
            assert sim.check().ok
            print(vehicle, precision, effects, sim.hash(), *sim.pos.ravel(), *sim.vel.ravel())
"""

LEVELS = pyrfly.simd_info()["available"]


@pytest.fixture(scope="module")
def flights() -> dict[str, list[list[str]]]:
    """Return a function from instruction sets to the results of the same flights, cached."""
    return {}


def flown(
    simd: str, flights: dict[str, list[list[str]]], run_python: Callable[..., str]
) -> list[list[str]]:
    if simd not in flights:
        printed = run_python(FLIGHT.format(simd=simd), PYRFLY_SIMD=simd)
        flights[simd] = [line.split() for line in printed.splitlines()]
    return flights[simd]


@pytest.mark.slow
@pytest.mark.skipif("strict" not in LEVELS, reason="no strict kernels for this processor")
def test_strict_kernels_give_the_bits_of_the_base_set(
    flights: dict[str, list[list[str]]], run_python: Callable[..., str]
) -> None:
    assert flown("strict", flights, run_python) == flown("base", flights, run_python)


@pytest.mark.parametrize("simd", [level for level in LEVELS if level not in ("base", "strict")])
@pytest.mark.slow
def test_fused_kernels_stay_close_to_the_base_set(
    simd: str, flights: dict[str, list[list[str]]], run_python: Callable[..., str]
) -> None:
    ours, base = flown(simd, flights, run_python), flown("base", flights, run_python)
    for row, other in zip(ours, base, strict=True):
        assert row[:3] == other[:3]
        tolerance = 1e-9 if row[1] == "float64" else 2e-3
        np.testing.assert_allclose(
            np.array(row[4:], float), np.array(other[4:], float), atol=tolerance, rtol=0
        )


MACHINES = """
import hashlib, numpy as np, pyrfly
from pyrfly.mission import fly_mission
from pyrfly.frames import LocalFrame
from pyrfly.mission import DEMO, read_mission
digest = hashlib.blake2b()
for name in pyrfly.names():
    sim = pyrfly.Sim(name, 3)
    sim.reset(pos=[[0, 0, -20], [5, 0, -20], [0, 5, -20]], yaw=[0.3, -2.9, 0.7])
    for field in sim.fields():
        digest.update(np.ascontiguousarray(getattr(sim, field.name)).tobytes())
    sim.arm()
    if "command_velocity" in sim.groups[0].abilities.commands:
        sim.command_velocity([1.0, 0.5, 0.25], yaw_rate=0.3)
    sim.step(50)
    if hasattr(sim, "multirotor"):
        sim.multirotor.command_attitude([0.9, 0.1, -0.2, 0.3], 0.6)
        sim.step(50)
    digest.update(sim.hash().encode())
positions = np.random.default_rng(1).uniform(-0.5, 0.5, (20, 3)) + (40.15, 116.26, 50.0)
frame = LocalFrame(40.1540302, 116.2593683, 50.0)
digest.update(frame.to_ned(positions).tobytes())
digest.update(frame.to_lla(frame.to_ned(positions)).tobytes())
sim = pyrfly.Sim("x450")
fly_mission(sim, read_mission(DEMO))
print(digest.hexdigest(), sim.hash())
"""


def _features() -> list[str]:
    """Return the instruction sets that NumPy would choose at run time on this processor."""
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    return [name for name in __cpu_dispatch__ if __cpu_features__.get(name)]


@pytest.mark.slow
def test_no_bit_depends_on_the_kernels_of_numpy_or_its_blas(
    run_python: Callable[..., str],
) -> None:
    """Values of columns are computed by pyrfly.exact, with the same bits on all processors."""
    machines: list[dict[str, str]] = [
        {},
        {"OPENBLAS_CORETYPE": "Haswell"},
        {"OPENBLAS_CORETYPE": "Nehalem"},
        {"NPY_DISABLE_CPU_FEATURES": " ".join(_features())},
    ]
    printed = [run_python(MACHINES, PYRFLY_SIMD="base", **machine) for machine in machines]
    assert len(set(printed)) == 1, dict(zip(map(str, machines), printed, strict=True))
