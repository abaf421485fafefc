"""Campaigns: the values of their runs, the same results however they are flown, resuming."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow")

import pyrfly
from pyrfly.campaign import Campaign, Results, read_campaign, read_results
from pyrfly.mission import Land, Mission, TakeOff, Waypoint

SHORT = Mission((TakeOff((0.0, 0.0, -1.0)), Waypoint((1.0, 0.0, -1.0)), Land((1.0, 0.0, 0.0))))
FALL: dict[str, Any] = {
    "function": "flights:fall",
    "configure": "flights:gusty",
    "randomize": {"mass": ("scale", 0.8, 1.2), "wind": ("normal", 0, 3)},
}


def assert_same(one: Results, other: Results) -> None:
    """Assert that two results are equal in every bit."""
    assert list(one.columns) == list(other.columns)
    for name, values in one.columns.items():
        assert values.dtype == other[name].dtype
        assert values.tolist() == other[name].tolist() or values.tobytes() == other[name].tobytes()


def test_runs_are_the_points_of_the_grid_with_all_samples(module: Path) -> None:
    results = Campaign(
        **FALL, vehicle="x450", samples=2, sweep={"motor_tau": [0.02, 0.04, 0.06], "seed": [5, 6]}
    ).run(module / "out")
    np.testing.assert_array_equal(results["run"], np.arange(12))
    np.testing.assert_array_equal(results["sample"], np.tile([0, 1], 6))
    np.testing.assert_array_equal(results["campaign_seed"], np.tile([5, 5, 6, 6], 3))
    np.testing.assert_array_equal(results["motor_tau_2"], np.repeat([0.02, 0.04, 0.06], 4))


def test_a_sample_has_the_same_random_numbers_at_every_point(module: Path) -> None:
    results = Campaign(**FALL, samples=3, sweep={"vehicle": ["x450", "x500"]}).run(module / "out")
    assert (results["wind_down"] == 0.0).all()  # one law of the wind is of no vertical wind
    for name in ("seed", "wind_north", "wind_east"):
        np.testing.assert_array_equal(results[name][:3], results[name][3:])
        assert len(set(results[name].tolist())) == 3
    usual = [float(pyrfly.load(name).columns["mass"][0]) for name in ("x450", "x500")]
    scales = results["mass"].reshape(2, 3) / np.array(usual)[:, None]
    np.testing.assert_allclose(scales[0], scales[1], rtol=1e-14)


def test_what_seems_to_be_of_another_unit_is_told_once(tmp_path: Path) -> None:
    with pytest.warns(pyrfly.ParameterWarning, match="got 1500, .* another unit") as told:
        campaign = Campaign(function="flights:fall", sweep={"mass": [1500.0, 2.0]})
    assert [warning.filename for warning in told] == [__file__]
    campaign.run(tmp_path / "out", shard_size=1)  # and a warning is an error here


@pytest.mark.parametrize("shard_size", [1, 5, 64])
def test_results_are_the_same_whatever_the_shards(module: Path, shard_size: int) -> None:
    campaign = Campaign(**FALL, samples=7, sweep={"vehicle": ["x450", "x500"]})
    whole = campaign.run(module / "whole")
    assert_same(whole, campaign.run(module / "shards", shard_size=shard_size))
    assert len(set(whole["drift"].tolist())) == 14


def on_its_sensors(sim: pyrfly.Sim) -> None:
    sim.environment.set_turbulence("severe")
    sim.sensors.enable("imu", "magnetometer", "barometer", "gps", profile="px4")
    sim.estimator.enable(fly=True)


@pytest.mark.slow
def test_missions_are_the_same_whatever_the_shards(tmp_path: Path) -> None:
    campaign = Campaign(
        mission=SHORT,
        configure=on_its_sensors,
        samples=3,
        randomize={"mass": ("scale", 0.9, 1.1)},
        vehicle="x450",
    )
    results = campaign.run(tmp_path / "one", shard_size=1)
    assert_same(results, campaign.run(tmp_path / "two", shard_size=2))
    assert results["success"].all()
    assert set(results["reason"]) == {"all items flown"}
    assert (results["cross_track_max"] < 1.5).all()  # controllers do not know the mass
    for run in range(3):
        row = {name: values[run] for name, values in results.columns.items()}
        assert campaign.replay(run).row == row


def test_policies_are_the_same_whatever_the_shards(module: Path) -> None:
    pytest.importorskip("gymnasium")
    campaign = Campaign(
        policy="flights:control",
        samples=9,
        randomize={"mass": ("scale", 0.9, 1.1), "wind": ("uniform", -1, 1)},
        configure="flights:gusty",
        options={"task": "hover", "action": "position"},
        limits={"distance_end": 0.5},
    )
    results = campaign.run(module / "one")
    assert_same(results, campaign.run(module / "two", shard_size=4))
    assert sys.modules["flights"].control.begun == [9, 4, 4, 1]
    assert results["success"].any()
    replay = campaign.replay(4)
    assert replay.row == {name: values[4] for name, values in results.columns.items()}
    goal = replay.sim.task_goal[0].astype(float)
    away = np.linalg.norm(replay.log["pos"][1:, 0].astype(float) - goal, axis=1)
    assert len(away) == replay.row["steps"]
    np.testing.assert_allclose(away.max(), replay.row["distance_max"], rtol=1e-6)
    np.testing.assert_allclose(away[-200:].max(), replay.row["distance_end"], rtol=1e-6)
    rms = np.sqrt(np.mean(away**2))
    np.testing.assert_allclose(rms, replay.row["distance_rms"], rtol=1e-6)


def fly_away(observations: Any) -> Any:
    return np.ones((len(observations), 4), dtype=np.float32)


def test_an_episode_that_terminates_is_no_success(tmp_path: Path) -> None:
    pytest.importorskip("gymnasium")
    results = Campaign(policy=fly_away, samples=3).run(tmp_path / "out")
    assert not results["success"].any()
    assert np.isnan(results["distance_end"]).all()
    assert (results["steps"] < 1000).all()
    assert (results["distance_max"] > 3).all()
    assert (results["reason"] == "far").all()


def descend(observations: Any) -> Any:
    """Follow the pad from above, then come down on it."""
    actions = np.zeros((len(observations), 4), dtype=np.float32)
    actions[:, :2] = -0.4 * observations[:, :2] + observations[:, 18:20] / 5
    near = np.hypot(observations[:, 0], observations[:, 1]) < 0.15
    actions[:, 2] = np.where(near, 0.08, 0.0)
    return actions


def stay(observations: Any) -> Any:
    return np.zeros((len(observations), 4), dtype=np.float32)


def test_a_good_touchdown_is_a_success_and_none_is_not(tmp_path: Path) -> None:
    pytest.importorskip("gymnasium")
    options = {"task": "landing", "action": "velocity", "settings": {"limit": 50.0}}
    table: dict[str, Any] = {"sweep": {"policy": [descend, stay]}, "samples": 6}
    results = Campaign(options=options, **table).run(tmp_path / "out")
    assert results["passed"].tolist() == results["success"].tolist()
    assert results["success"][:6].mean() >= 0.5
    assert not results["success"][6:].any()
    assert set(results["reason"][:6][results["success"][:6]]) == {"touchdown"}
    assert (results["reason"][6:] == "time_limit").all()


def test_drawn_columns_are_those_of_the_vehicle(module: Path) -> None:
    campaign = Campaign(**FALL, vehicle="x450", samples=4, sweep={"motor_tau": [[0.02, 0.07]]})
    replay = campaign.replay(2, columns=("pos",))
    assert replay.row["mass"] == replay.sim.mass[0]
    np.testing.assert_array_equal(replay.sim.motor_tau[0], [0.02, 0.07])
    assert replay.row["wind_east"] == replay.sim.wind[0, 1]
    assert replay.log["pos"][-1, 0, 2] == pytest.approx(replay.row["depth"] - 50, abs=0.05)


def charged(sim: pyrfly.Sim) -> None:
    sim.power.enable(cells=4, capacity=5)


def charge(sim: pyrfly.Sim) -> dict[str, Any]:
    return {"charge": sim.state_of_charge}


def test_what_a_reset_sets_is_as_it_was_drawn(tmp_path: Path) -> None:
    table = {"state_of_charge": ("uniform", 0.2, 0.9)}
    campaign = Campaign(function=charge, configure=charged, samples=5, randomize=table)
    results = campaign.run(tmp_path / "out")
    np.testing.assert_array_equal(results["charge"], results["state_of_charge"])
    assert len(set(results["charge"].tolist())) == 5


MANY = dict.fromkeys(("inertia", "mass", "gravity", "drag_linear"), ("scale", 0.9, 1.1)) | {
    "motor_dead_zone": ("uniform", 0, 0.01)
}
WEAK = [{"kind": "motor", "actuator": 1}]
EVENT = {"time": 0.05, "every": 1, "wind": [0, 9, 0]}


def east(sim: pyrfly.Sim) -> dict[str, Any]:
    sim.reset(pos=(0, 0, -50))
    sim.step(50)
    before = sim.wind[:, 1].copy()
    sim.step(50)
    return {"before": before, "after": sim.wind[:, 1]}


def test_events_change_columns_in_every_run(tmp_path: Path) -> None:
    campaign = Campaign(function=east, samples=3, events=[EVENT])
    results = campaign.run(tmp_path / "out")
    assert results["before"].tolist() == [0, 0, 0]
    assert results["after"].tolist() == [9, 9, 9]
    assert campaign.run(tmp_path / "out")["after"].tolist() == [9, 9, 9]  # the same campaign
    with pytest.raises(pyrfly.Error, match="another"):
        Campaign(function=east, samples=3).run(tmp_path / "out")
    file = tmp_path / "east.toml"
    file.write_text('function = "math:prod"\n[[events]]\ntime = 20\nwind = [0, 9, 0]\n')
    assert read_campaign(file).events == [{"time": 20, "wind": [0, 9, 0]}]


def test_a_success_is_within_all_limits(module: Path) -> None:
    free = Campaign(**FALL, samples=20).run(module / "free")
    middle = float(np.median(free["drift"]))
    limited = Campaign(**FALL, samples=20, limits={"drift": middle}).run(module / "limited")
    assert free["success"].all()
    np.testing.assert_array_equal(limited["success"], limited["drift"] <= middle)
    assert 0 < limited.success_rate.successes < 20


def description(module: Path) -> Path:
    file = module / "fall.toml"
    file.write_text(
        """
vehicle = "x450"
function = "flights:fall"
samples = 20
[randomize]
mass = ["scale", 0.8, 1.2]
"""
    )
    return file


@pytest.mark.slow
def test_a_killed_process_loses_its_shard_only(module: Path) -> None:
    file = description(module)
    whole = read_campaign(file).run(module / "whole")
    (module / "calls").unlink()
    (module / "kill").touch()
    command = [sys.executable, "-m", "pyrfly", "campaign", "run", str(file)]
    arguments = ["--out", str(module / "out"), "--shard-size", "4"]
    done = subprocess.run([*command, *arguments], cwd=module, capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    partly = read_results(module / "out")
    np.testing.assert_array_equal(partly["run"], np.arange(8))
    assert repr(partly).startswith("<Results of 8 of 20 runs")
    assert_same(whole, read_campaign(file).run(module / "out", shard_size=6))
    assert (module / "calls").read_text().split() == ["4", "4", "4", "6", "6"]
    names = sorted(path.name for path in (module / "out").iterdir())
    assert names == ["campaign.json", "runs.parquet"]


def test_a_complete_campaign_is_not_flown_again(module: Path) -> None:
    campaign = Campaign(**FALL, samples=3)
    assert_same(campaign.run(module / "out"), campaign.run(module / "out"))
    assert (module / "calls").read_text().split() == ["3"]


def test_a_folder_of_another_campaign_is_refused(module: Path) -> None:
    Campaign(**FALL, samples=2).run(module / "out")
    with pytest.raises(ValueError, match="another campaign: seed: expected \\[0\\], got \\[1\\]"):
        Campaign(**FALL, samples=2, seed=1).run(module / "out")
    with pytest.raises(ValueError, match="folder: expected a new one"):
        Campaign(**FALL, samples=2).run(module)
    with pytest.raises(ValueError, match="folder: expected that of a campaign"):
        read_results(module)


def test_paths_of_a_description_are_relative_to_it(tmp_path: Path) -> None:
    (tmp_path / "up.csv").write_text("x,y,z\n0,0,-2\n")
    (tmp_path / "up.toml").write_text('mission = "up.csv"\nsweep.vehicle = ["x450", "x500"]\n')
    assert Path.cwd() != tmp_path
    assert len(read_campaign(tmp_path / "up.toml")) == 2


def test_a_swept_mission_is_flown(tmp_path: Path) -> None:
    for name, north in (("near", 1), ("far", 3)):
        (tmp_path / f"{name}.csv").write_text(f"x,y,z\n0,0,-2\n{north},0,-2\n")
    missions = [tmp_path / "near.csv", tmp_path / "far.csv"]
    results = Campaign(sweep={"mission": missions}, vehicle="x450").run(tmp_path / "out")
    assert results["mission"].tolist() == ["near", "far"]
    assert results["distance"][1] - results["distance"][0] == pytest.approx(2, abs=0.1)


BAD: list[tuple[dict[str, Any], str]] = [
    ({}, "mission, policy, function: expected one of them, got none"),
    ({"mission": SHORT, "function": charge}, "expected one of them, got mission, function"),
    ({"function": 5}, "function: expected a callable or 'module:name', got 5"),
    ({"function": "flights"}, "function: expected 'module:name', got 'flights'"),
    ({"function": "nowhere_at_all:fly"}, "function: 'nowhere_at_all' cannot be imported"),
    ({"function": "math:fly"}, "function: 'math' has no 'fly'"),
    ({"mission": 3}, "mission: expected a Mission, a Case or the path"),
    ({"function": ".flights:fly"}, r"function: expected 'module:name', got '\.flights:fly'"),
    ({"mission": SHORT, "vehicle": None}, "vehicle: expected a parameter set .*, got None"),
    ({"mission": SHORT, "sweep": {"wind": [np.nan]}}, "sweep: wind: expected finite values"),
    ({"mission": SHORT, "vehicle": 3}, "vehicle: expected a parameter set or its name"),
    ({"mission": SHORT, "samples": 0}, "samples: expected 1 to"),
    ({**FALL, "samples": 10**12}, "samples: expected 1 to 10000000, got 1000000000000"),
    ({**FALL, "sweep": {"seed": range(10**12)}}, "sweep: expected at most 10000000 runs"),
    ({**FALL, "samples": 4000, "sweep": {"gravity": range(1, 3000)}}, "runs in all, got 11996000"),
    (
        {**FALL, "samples": 5 * 10**6, "randomize": MANY, "sweep": {"seed": [1, 2]}},
        "samples: expected at most 4166666, each of which draws 24 numbers, got 5000000",
    ),
    (
        {**FALL, "faults": WEAK, "sweep": {f"motor.{k}": range(200) for k in ("at", "ramp")}},
        "sweep: expected at most 10000 combinations of vehicles and arguments .* got 40000",
    ),
    ({"mission": SHORT, "samples": 2**30, "sweep": {"mass": [1, 2]}}, "samples: expected 1 to"),
    ({"mission": SHORT, "seed": -1}, "seed: expected a whole number from 0"),
    ({"mission": SHORT, "sweep": []}, "sweep: expected a mapping"),
    ({"mission": SHORT, "sweep": {"mass": 1.0}}, "sweep: mass: expected a list of values, got 1.0"),
    ({"mission": SHORT, "sweep": {"mas": [1.0]}}, "sweep: expected a parameter.*such as mass"),
    ({"mission": SHORT, "sweep": {"mass": [-1.0]}}, "mass: expected more than 0"),
    ({"mission": SHORT, "sweep": {"wind": [[1, 2]]}}, r"sweep: wind: expected values of shape"),
    (
        {"mission": SHORT, "sweep": {"mass": ["1"]}},
        r"sweep: mass: expected numbers \[kg\], got '1'",
    ),
    ({"mission": SHORT, "sweep": {"mass": [1, 1.0]}}, "sweep: mass: expected different values"),
    ({"mission": SHORT, "sweep": {"vehicle": ["x450"] * 2}}, "sweep: vehicle: expected different"),
    ({"mission": SHORT, "sweep": {"seed": [0, -1]}}, "seed: expected a whole number"),
    ({"mission": SHORT, "randomize": {"mas": ("scale", 1, 2)}}, "randomize: .*such as mass"),
    ({"mission": SHORT, "randomize": {"mass": ("even", 1, 2)}}, "randomize: mass: expected a law"),
    (
        {"mission": SHORT, "samples": 50, "randomize": {"mass": ("normal", 1, 1)}},
        "mass: expected more than 0",
    ),
    (
        {"mission": SHORT, "randomize": {"mass": ("scale", 1, 2)}, "sweep": {"mass": [1]}},
        "sweep: mass: expected a column that randomize does not draw",
    ),
    ({"mission": SHORT, "limits": {"time": "x"}}, "limits: time: expected a number"),
    ({"mission": SHORT, "limits": {"time": 10**400}}, "limits: time: expected a number, got 1000"),
    ({"mission": SHORT, "limits": {"time": np.nan}}, "limits: time: expected a number, got nan"),
    ({"mission": SHORT, "limits": {"tim": 3}}, "limits: expected measures, of time, .* got 'tim'"),
    ({"policy": len, "limits": {"passed": 3}}, "limits: expected measures, of reward, .*'passed'"),
    ({"mission": SHORT, "options": {"precision": "half"}}, "precision: expected"),
    ({"mission": SHORT, "options": {"presision": "float32"}}, "options: .* such as precision"),
    ({"mission": SHORT, "options": {"n": 5}}, "options: expected arguments of Sim"),
    ({"mission": SHORT, "configure": 5}, "configure: expected a callable"),
    ({"mission": SHORT, "events": 5}, "events: expected a list"),
    ({"mission": SHORT, "events": [5]}, "events: entry 1: expected a table"),
    ({"mission": SHORT, "events": [{"time": 1, "mass": -1}]}, "events: entry 1: mass: expected"),
    ({"mission": SHORT, "events": [{"time": 1, "ids": 1, "mass": 1}]}, "entry 1: ids: expected"),
]


@pytest.mark.parametrize("name", ["run", "sample", "mass", 5])
def test_measures_have_names_of_their_own(name: Any, tmp_path: Path) -> None:
    campaign = Campaign(
        function=lambda sim: {name: np.zeros(sim.n)},
        samples=3,
        randomize={"mass": ("scale", 0.9, 1.1)},
    )
    with pytest.raises(ValueError, match="function: expected"):
        campaign.run(tmp_path / "out")


@pytest.mark.parametrize(("arguments", "words"), BAD, ids=[words[:40] for _, words in BAD])
def test_a_bad_argument_is_named(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        Campaign(**arguments)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ([1.0], "function: expected a mapping"),
        (None, r"function: .*got None"),
        ({"error": [1.0]}, r"function: error: expected shape \(3,\)"),
        ({"error": [[1.0], [1.0, 2.0]]}, r"function: error: expected shape \(3,\)"),
        ({"error": [1j] * 3}, "function: error: expected"),
        ({"error": [None] * 3}, "function: error: expected"),
        ({"success": [np.nan] * 3}, "function: success: expected"),
        ({"success": ["no"] * 3}, "function: success: expected"),
        ({"success": [2] * 3}, "function: success: expected"),
    ],
)
def test_what_a_function_returns_is_checked(tmp_path: Path, found: Any, words: str) -> None:
    with pytest.raises(pyrfly.Error, match=words):
        Campaign(function=lambda sim: found, samples=3).run(tmp_path / "out")


@pytest.mark.parametrize(
    "values",
    [
        np.array(["a", "b", "c"], dtype=object),
        np.array([1, 2, 3], dtype=np.float16),
        np.array([1, 2, 3], dtype=np.longdouble),
        np.array([True, False, True]),
        [1, 2, 3],
    ],
)
def test_measures_are_numbers_and_texts(tmp_path: Path, values: Any) -> None:
    campaign = Campaign(function=lambda sim: {"value": values, "success": [1, 0, 1]}, samples=3)
    results = campaign.run(tmp_path / "out")
    assert results["value"].tolist() == list(values)
    assert results["success"].tolist() == [True, False, True]


def test_bad_arguments_of_a_run_are_named(module: Path) -> None:
    campaign = Campaign(**FALL, limits={"dept": 1})
    with pytest.raises(ValueError, match=r"backend: .*got 'cloud'"):
        campaign.run(module / "out", backend="cloud")
    with pytest.raises(ValueError, match="shard_size: expected 1 to"):
        campaign.run(module / "out", shard_size=0)
    with pytest.raises(ValueError, match=r"limits: .*got 'dept'"):
        campaign.run(module / "out")
    with pytest.raises(ValueError, match="run: expected 0 to 0, got 1"):
        campaign.replay(1)


def test_a_goal_that_a_start_draws_is_refused(module: Path) -> None:
    pytest.importorskip("gymnasium")
    with pytest.raises(ValueError, match="task_goal: expected"):
        Campaign(policy="flights:control", sweep={"task_goal": [[1.0, 0.0, -10.0]]})


def test_a_task_of_several_agents_is_refused() -> None:
    pytest.importorskip("gymnasium")
    words = "options: task: expected one of one agent, got one of 4 agents"
    with pytest.raises(ValueError, match=words):
        Campaign(policy=fly_away, options={"task": "formation"})


@pytest.mark.parametrize("actions", [np.nan, "a", None])
def test_what_a_policy_returns_is_checked(tmp_path: Path, actions: Any) -> None:
    pytest.importorskip("gymnasium")
    campaign = Campaign(policy=lambda observations: np.full((len(observations), 4), actions))
    with pytest.raises(pyrfly.Error, match="policy: actions: expected"):
        campaign.run(tmp_path / "out")


def test_arrays_and_their_numbers_are_values(tmp_path: Path) -> None:
    campaign = Campaign(
        function=twice,
        sweep={
            "mass": np.linspace(1, 2, 3),
            "wind": np.eye(3)[:2],
            "seed": np.array([1, 2], dtype=np.int64),
        },
        limits={"twice": np.float32(3.5)},
    )
    results = campaign.run(tmp_path / "out")
    assert results["twice"].tolist() == np.repeat([2.0, 3.0, 4.0], 4).tolist()
    np.testing.assert_array_equal(results["success"], results["twice"] < 3.5)
    assert len(results.points()) == 12


@pytest.mark.parametrize("columns", [[], None, [5], "pos"])
def test_columns_of_a_replay_are_names(columns: Any) -> None:
    campaign = Campaign(function=twice)
    with pytest.raises(TypeError, match="columns: expected names of columns, got"):
        campaign.replay(0, columns)


@pytest.mark.parametrize("folder", [None, 5, b"a", "a\0b"])
def test_a_folder_is_a_path(folder: Any) -> None:
    for read in (Campaign(function=twice).run, read_results):
        with pytest.raises((TypeError, ValueError), match="folder: expected a path"):
            read(folder)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mission = ", "not a TOML file"),
        ("mision = 'a.plan'", "mision: unknown; try mission"),
        ("mission = 'nowhere.plan'", "nowhere.plan"),
    ],
)
def test_a_bad_description_is_named(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text)
    with pytest.raises(pyrfly.Error, match=words):
        read_campaign(file)
    with pytest.raises(pyrfly.ParameterError, match=r"nowhere\.toml: cannot be read"):
        read_campaign(tmp_path / "nowhere.toml")


def test_an_unknown_option_of_environments_is_named() -> None:
    pytest.importorskip("gymnasium")
    with pytest.raises(
        ValueError, match=r"options: .*PyrflyVectorEnv, such as .*task.*, got 'tsk'"
    ):
        Campaign(policy=fly_away, options={"tsk": "hover"})


def test_one_process_flies_the_runs_of_a_folder(tmp_path: Path) -> None:
    refused = []

    def measure(sim: pyrfly.Sim) -> dict[str, Any]:
        try:
            campaign.run(tmp_path / "out")
        except ValueError as error:
            refused.append(str(error))
        return {"twice": sim.mass * 2}

    campaign = Campaign(function=measure, samples=2)
    campaign.run(tmp_path / "out")
    assert len(refused) == 1
    assert "folder: another process flies the runs of" in refused[0]
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == [
        "campaign.json",
        "runs.parquet",
    ]


def twice(sim: pyrfly.Sim) -> dict[str, Any]:
    return {"twice": sim.mass * 2}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("campaign.json", b'{"runs": 3', "campaign.json is damaged"),
        ("campaign.json", b"[]", "campaign.json is damaged"),
        ("runs.parquet", b"PAR1", r"runs.parquet is damaged, remove it"),
        ("runs.parquet", b"", r"runs.parquet is damaged, remove it"),
    ],
)
def test_damaged_files_are_named(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    campaign = Campaign(function=twice, samples=3)
    campaign.run(tmp_path / "out")
    (tmp_path / "out" / name).write_bytes(content)
    with pytest.raises(ValueError, match=message):
        read_results(tmp_path / "out")
    with pytest.raises(ValueError, match=message):
        campaign.run(tmp_path / "out")
