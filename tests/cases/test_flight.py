"""Flights of cases: what commands do, what passes, and the same track by every way."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.cases import Case, CaseResult, Rules, Step, fly_cases, notes_of_cases, read_case
from pyrfly.cases.steps import COMMANDS, check_step
from pyrfly.errors import CaseError
from pyrfly.log import Recorder
from pyrfly.protocol import synthesis
from pyrfly.protocol.masks import MavFrame
from pyrfly.protocol.synthesis import Inputs
from pyrfly.rflysim.DllSimCtrlAPI import DllSimCtrlAPI
from pyrfly.server import Server
from pyrfly.transport import Ports
from pyrfly.vehicles import FAMILIES, names

ON_SURFACE = [names(name)[0] for name, f in FAMILIES.items() if f.abilities.kind.on_surface]
UP = "2,1;2,3,0,0,-5;1,1,5;"


@pytest.fixture
def fly(tmp_path: Path) -> Callable[..., CaseResult]:
    def flown(text: str, **rules: object) -> CaseResult:
        path = tmp_path / "own.case"
        path.write_text(text)
        sim = Sim("sdk", threads=1)
        return fly_cases(sim, {1: read_case(path)}, rules=Rules(**rules))[1]  # type: ignore[arg-type]

    return flown


def test_a_case_that_lands_where_it_is_told_passes(fly: Callable[..., CaseResult]) -> None:
    result = fly(UP + "2,3,8,0,-5;1,2,8,0,-5;2,4,0,1,0;1,1,1;2,5,8,0,0")
    assert (result.passed, result.reason) == (True, "completed")
    assert result.measures["height"] == pytest.approx(5, abs=0.3)
    assert result.measures["landing_error"] < 0.5
    assert np.isnan(result.injected)
    assert result.motion == ""


def test_a_boundary_that_ends_the_run_ends_its_cases(tmp_path: Path) -> None:
    path = tmp_path / "own.case"
    path.write_text(UP)
    sim = Sim("sdk", 2, threads=1)
    sim.safety.add("height", 2, maximum=3, action="terminate")
    results = fly_cases(sim, dict.fromkeys((1, 2), read_case(path)))
    assert [result.passed for result in results.values()] == [False, False]
    assert all("height 3" in result.reason for result in results.values())
    assert results[1].time == pytest.approx(sim.time, abs=0.02)


def test_a_lost_motor_of_a_quadrotor_is_a_crash(fly: Callable[..., CaseResult]) -> None:
    result = fly(UP + "2,6,123450,123450,0,1,1,1;1,1,20")
    assert not result.passed
    assert result.reason.startswith("crash at ")
    assert result.injected == pytest.approx(5)
    assert result.measures["fall_speed"] > 3.5
    assert result.motion == "violent rolling and crashing"
    assert result.time < 10


@pytest.mark.parametrize(
    ("text", "rules", "reason"),
    [
        (UP, {"limits": {"height": 3}}, "height at .* s: over 3"),
        (UP + "2,5", {"limits": {"fall_speed": 0.1}}, "fall_speed at .* s: over 0.1"),
        (UP + "2,3,9,0,-5;1,1,3", {"limits": {"tilt": 10.0}}, "tilt at .* s: over 10"),
        (UP + "2,6,123544,2", {}, r"fault injection 123544 \(accelerometer\): .*has no"),
        (UP + "1,2,50,0,0", {"patience": 1.0}, r"command 4 \(1,2,50,0,0\): not done within 1 s"),
        (UP + "2,5,3,0,0", {"landing": 0.0}, "landed 0.0 m from where"),
    ],
)
def test_what_does_not_pass_says_why(
    fly: Callable[..., CaseResult], text: str, rules: dict[str, object], reason: str
) -> None:
    result = fly(text, **rules)
    assert not result.passed
    assert re.match(reason, result.reason)


def test_vehicles_fly_cases_of_their_own_and_logs_have_the_mark(tmp_path: Path) -> None:
    path = tmp_path / "own.case"
    path.write_text("2,1;1,1,0.5;2,6,123459,123459,3,0,0")
    sim = Sim("sdk", 3)
    recorder = Recorder(sim, ("pos",))
    results = fly_cases(sim, {2: read_case(path), 3: read_case(path)}, recorder=recorder)
    assert list(results) == [2, 3]
    assert sim.faults.list(1) == ()
    (*_, last) = notes_of_cases(results)["texts"]
    assert last == [pytest.approx(0.5), 3, 5, "MAV_CMD 183 (999): fault 123459"]


@pytest.mark.parametrize("limits", [{"weight": 1}, {"tilt": -1}, {"tilt": float("nan")}])
def test_limits_are_of_measures(limits: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="limits: "):
        Rules(limits=limits)


def test_what_is_no_case_is_refused() -> None:
    with pytest.raises(TypeError, match="cases: expected a mapping of CopterIDs to cases"):
        fly_cases(Sim("sdk"), {1: "loss.case"})  # type: ignore[dict-item]


@pytest.mark.parametrize("vehicle", [name for f in FAMILIES for name in names(f)[:1]])
def test_every_command_begins_with_all_ways_of_moving(vehicle: str) -> None:
    sim = Sim(vehicle, threads=1)
    kind = sim.select().abilities[0].kind
    rules = Rules(patience=0.02)
    for code in COMMANDS:
        for params in ((), (0.0,), (0.0, 0.0, 0.0), (123453.0,)):
            step = Step(1, code, params)
            try:
                check_step(step, kind)
            except CaseError:
                continue
            case = Case(1, "", (step,))
            assert fly_cases(sim, {1: case}, rules=rules)[1].texts[0][1] == f"case 1: {step.text}"


@pytest.mark.skipif(not ON_SURFACE, reason="no family drives")
def test_a_command_with_parameters_of_other_vehicles_is_refused_before_the_flight() -> None:
    sim = Sim({"sdk": 1, ON_SURFACE[0]: 1}, threads=1)
    case = Case(4, "", (Step(1, (2, 1), ()), Step(2, (2, 5), ())))
    with pytest.raises(CaseError, match=r"case 4: command 2 .* drives: expected 1 to 1"):
        fly_cases(sim, {1: case, 2: case})
    assert sim.time == 0
    assert not sim.armed.any()


# --- a script that injects, waits, looks and lands, in process, over UDP and as a case


Send = Callable[[Inputs], object]
CASE = "2,1;2,3,0,0,-4;1,1,4;2,6,123450,123450,123450,1,1,1,0.6,1,1;1,1,2;2,5,1,0,0"
AFTER = 1.0


def script(send: Send, inject: Callable[[Sequence[int], Sequence[float]], object],
           sleep: Callable[[float], object], look: Callable[[], bool]) -> None:  # fmt: skip
    send(synthesis.arm([True]))
    send(synthesis.set_points(MavFrame.LOCAL_NED, pos=[[0, 0, -4]]))
    sleep(4)
    inject([123450] * 3, [1, 1, 1, 0.6, 1, 1])
    sleep(2)
    send(synthesis.land([1], [0]))
    while look():
        sleep(0.02)
    sleep(AFTER)


def track(sim: Sim) -> list[np.ndarray]:
    return [np.array(getattr(sim, name)) for name in ("pos", "vel", "att", "rate", "armed")]


def by_case(tmp_path: Path, sim: Sim) -> None:
    path = tmp_path / "own.case"
    path.write_text(CASE)
    assert fly_cases(sim, {1: read_case(path)})[1].passed
    sim.sleep(AFTER)


def in_process(sim: Sim) -> None:
    sim.enable_synthesis()

    def inject(numbers: Sequence[int], values: Sequence[float]) -> None:
        inputs = synthesis.inputs(1)
        inputs.ints[0, : len(numbers)], inputs.floats[0, : len(values)] = numbers, values
        sim.command_sil(*inputs, ids=1)

    script(lambda inputs: sim.command_sil(*inputs, ids=1), inject, sim.sleep,
           lambda: bool(sim.armed[0]))  # fmt: skip


def over_udp(sim: Sim, first: int) -> None:
    server = Server(sim, rate="max", first_port=first)
    dll = DllSimCtrlAPI(1, ports=Ports.beginning_at(first))
    try:
        script(
            lambda inputs: dll.sendSILIntFloat(inputs.ints[0].tolist(), inputs.floats[0].tolist()),
            dll.sendSILIntFloat,
            server.run,
            lambda: bool(sim.armed[0]),
        )
    finally:
        server.close()
        dll.udp_socket.close()
    assert server.stats["refused"] == 0


def test_the_track_is_the_same_in_process_over_udp_and_as_a_case(
    tmp_path: Path, first_port: Callable[[int], int]
) -> None:
    sims = [Sim("hex_x", threads=1) for _ in range(3)]
    by_case(tmp_path, sims[0])
    in_process(sims[1])
    over_udp(sims[2], first_port(1))
    for sim in sims[1:]:
        assert sim.time == pytest.approx(sims[0].time)
        for own, expected in zip(track(sim), track(sims[0]), strict=True):
            np.testing.assert_array_equal(own, expected)
    assert sims[0].command_factor[0, 3] == np.float32(0.6)
