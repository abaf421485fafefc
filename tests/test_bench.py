"""`pyrfly bench`: its output, not its figures."""

import json

import numpy as np
import pytest

from pyrfly import bench
from pyrfly.cli import main
from pyrfly.compilers import require_compiler
from pyrfly.protocol.bits import Sensor
from pyrfly.sim.bench import CASES
from pyrfly.sim.boundaries import BOUNDARIES
from pyrfly.sim.mixed_bench import mixed_world, shown_sets
from pyrfly.sim.sensors import MEASURED
from pyrfly.vehicles import FAMILIES

KEYS = (
    "benchmark vehicle effects integrator precision simd threads n substeps steps_per_s "
    "peak_gflops flops_per_step bytes_per_step"
).split()
QUICK = ["physics", "--sizes", "1", "64", "--threads", "1", "--seconds", "0.002"]


@pytest.mark.slow
def test_json_is_one_complete_object_per_line(capsys):
    assert main(["bench", *QUICK, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    flights = sum(len(family.benchmark) for family in FAMILIES.values())
    assert len(rows) == 3 * 2 * 2 * 2 * 2 + flights * 2 * 2 * 2
    for row in rows:
        assert list(row) == KEYS
        assert row["steps_per_s"] > 0
        assert row["peak_gflops"] > 0
    keys = ("vehicle", "effects", "integrator", "precision", "n", "substeps")
    kinds = {tuple(row[key] for key in keys) for row in rows}
    assert len(kinds) == len(rows)


@pytest.mark.slow
def test_bytes_are_shared_by_the_substeps():
    rows = list(bench.physics(sizes=[1], threads=[1], seconds=1e-3))
    for one, five in zip(rows[::2], rows[1::2], strict=True):
        assert (one.substeps, five.substeps) == (1, 5)
        assert one.bytes_per_step == pytest.approx(5 * five.bytes_per_step)


@pytest.mark.slow
def test_table_has_a_line_per_row(capsys):
    assert main(["bench", *QUICK]) == 0
    flights = sum(len(family.benchmark) for family in FAMILIES.values())
    assert len(capsys.readouterr().out.splitlines()) == 1 + 48 + 8 * flights


def test_control_is_measured_with_and_without_the_navigator(capsys):
    quick = ["control", "--sizes", "1", "9", "--threads", "1", "--seconds", "0.002"]
    assert main(["bench", *quick, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    kinds = {(row["commanded"], row["precision"], row["n"]) for row in rows}
    assert len(rows) == len(kinds) == 2 * 2 * 2
    assert all(row["steps_per_s"] > 0 for row in rows)
    assert main(["bench", *quick]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(rows)


def test_a_mixed_world_has_as_many_of_each_family():
    sim = mixed_world(shown_sets(100), "float64", 1)
    counts = dict.fromkeys(FAMILIES, 0)
    for group in sim.groups:
        counts[group.family.name] += group.n
    assert sim.n == 100
    assert max(counts.values()) - min(counts.values()) <= 1
    start = sim.pos.copy()
    sim.sleep(3)
    assert sim.check().ok
    assert (np.linalg.norm(sim.pos - start, axis=1) > 1).all()


@pytest.mark.slow
def test_a_mixed_world_is_measured_together_and_by_sets(capsys):
    quick = ["mixed", "--sizes", "30", "--threads", "1", "--seconds", "0.001"]
    assert main(["bench", *quick, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    half = len(rows) // 2
    for together, *alone in (rows[:half], rows[half:]):
        assert together["n"] == sum(row["n"] for row in alone) == 30
        assert {row["vehicle"]: row["n"] for row in alone} == shown_sets(30)
        assert {row["family"] for row in alone} == set(FAMILIES)
    assert main(["bench", *quick]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(rows)


@pytest.mark.slow
def test_calls_of_models_in_libraries_are_measured(capsys):
    require_compiler(windows=False)
    quick = ["models", "--sizes", "2", "--threads", "1", "--seconds", "0.001"]
    assert main(["bench", *quick, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["model"], row["per_call"]) for row in rows] == [
        (way, steps)
        for way in ("in process", "isolated", "own, in C", "built in")
        for steps in (1, 4)
    ]
    assert all(row["steps_per_s"] > 0 for row in rows)
    assert main(["bench", *quick]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(rows)


def test_models_are_not_measured_without_a_compiler(monkeypatch, capsys):
    monkeypatch.setenv("CC", "no-such-compiler")
    assert main(["bench", "models"]) == 2
    assert "no-such-compiler" in capsys.readouterr().err


def test_downwash_is_measured_in_swarms(capsys):
    quick = ["downwash", "--sizes", "2", "300", "--seconds", "0.002"]
    assert main(["bench", *quick, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    kinds = [(n, spacing) for n in (2, 300) for spacing in bench.SPACINGS]
    assert [(row["n"], row["spacing"]) for row in rows] == kinds
    assert all(row["seconds"] > 0 for row in rows)
    assert rows[3]["met"] > 0.5
    assert main(["bench", *quick]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(rows)


@pytest.mark.slow
def test_sensors_are_measured_beside_none_of_them(capsys):
    quick = ["sensors", "--sizes", "3", "--threads", "1", "--seconds", "0.005"]
    assert main(["bench", *quick, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["precision"], row["measured"]) for row in rows] == [
        (precision, name) for precision in ("float64", "float32") for name in bench.MEASURED
    ]
    half = len(bench.MEASURED)
    for nothing, *others in (rows[:half], rows[half:]):
        assert nothing["added"] == 0
        for row in others:
            assert row["added"] == pytest.approx(nothing["steps_per_s"] / row["steps_per_s"] - 1)
    assert main(["bench", *quick]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(rows)


def test_the_cost_of_each_boundary_is_measured():
    assert set(BOUNDARIES) <= set(CASES["safety"]["all"])


@pytest.mark.parametrize("benchmark", CASES)
def test_faults_and_boundaries_are_measured_beside_none(benchmark, capsys):
    quick = [benchmark, "--sizes", "3", "--threads", "1", "--seconds", "0.001"]
    assert main(["bench", *quick, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    cases = [(name, case) for name, cases in CASES[benchmark].items() for case in cases]
    assert [(row["simulated"], row["given"]) for row in rows] == cases * 2
    for row in rows:
        assert row["steps_per_s"] > 0
        assert (row["added"] == 0) == (row["given"] == "none")
    assert main(["bench", *quick]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(rows)


def test_benchmarked_sensors_are_all_on_at_their_rates():
    sim = bench._circling(3, "directly", "float64", 1, "1 kHz")
    sim.step(900)
    assert (sim.imu_updates == 1000).all()
    for name in MEASURED:
        if sim.sensors_on[0] & Sensor[name.upper()]:
            assert (getattr(sim, f"{name}_updates") >= 5).all(), name
    assert sim.sensors_on[0] == Sensor.RANGE * 2 - 1  # but those in water


def test_benchmarked_vehicles_fly_alike_whoever_commands_them():
    direct, ported = (bench._circling(3, kind, "float64", 1) for kind in bench.COMMANDED)
    for sim in (direct, ported):
        sim.step(3000)
    np.testing.assert_allclose(direct.pos, ported.pos, atol=1e-3)
    assert (np.linalg.norm(direct.vel, axis=1) > 1.9).all()


@pytest.mark.parametrize(
    "argv",
    [["physics", "--sizes", "0"], ["optics"], ["physics", "--threads", "x"]]
    + [["physics", *rest] for rest in (["--sizes", "9" * 14], ["--threads", "257"])]
    + [["physics", "--seconds", seconds] for seconds in ("nan", "0", "-1", "inf", "1e308")],
)
def test_bad_options_are_refused(argv, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["bench", *argv])
    assert stop.value.code == 2
    assert "error" in capsys.readouterr().err


@pytest.mark.slow
def test_environments_are_measured_beside_their_physics(capsys):
    performance = pytest.importorskip("gymnasium.utils.performance")
    quick = ["env", "--sizes", "3", "40", "--threads", "1", "--seconds", "0.002"]
    assert main(["bench", *quick, "--json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = [json.loads(line, parse_constant=pytest.fail) for line in lines]  # NaN is no JSON
    own = int(hasattr(performance, "benchmark_vector_step"))
    assert [row["n"] for row in rows] == [3] * (8 + own) + [40] * (8 + own) + [1]
    assert all(row["env_steps_per_s"] > 0 for row in rows)
    assert {row["observed"] for row in rows} == {0, 22, 29}
    assert all(row["share"] == 1 for row in rows if row["measured"] == "physics")
    assert sum(row["measured"] == "Gymnasium's" for row in rows) == 2 * own
    alone = [row for row in rows if row["share"] is None]
    assert [row["measured"] for row in alone] == ["Gymnasium's"] * 2 * own + ["gymnasium.make"]
    assert main(["bench", *quick]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(rows)


@pytest.mark.slow
def test_rays_are_measured_in_all_scenes(capsys):
    quick = ["scene", "--sizes", "1", "--threads", "1", "2", "--seconds", "0.002"]
    assert main(["bench", *quick, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (
        len({(row["scene"], row["rays"], row["threads"]) for row in rows}) == len(rows) == 3 * 3 * 2
    )
    assert all(row["rays_per_s"] > 0 for row in rows)


@pytest.mark.slow
def test_pictures_are_measured_with_and_without_smooth_edges(capsys):
    quick = ["pictures", "--sizes", "2", "--seconds", "0.001"]
    assert main(["bench", *quick, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["n"], row["width"], row["samples"]) for row in rows] == [
        *((2, 640, 1), (2, 640, 2), (2, 1280, 1), (2, 1280, 2))
    ]
    assert all(row["pictures_per_s"] > 0 for row in rows)
