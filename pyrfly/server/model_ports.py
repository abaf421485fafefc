"""Ports of models that lead to autopilots: `ModelPorts`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.mavlink import Frame, FrameWriter, blank
from pyrfly.mavlink.constants import LandedState
from pyrfly.protocol.synthesis import Mode
from pyrfly.server.autopilot_link import AutopilotLink
from pyrfly.server.link import NEVER, Link, steps_at
from pyrfly.server.models import Models, PilotState, Send
from pyrfly.server.topics import write_topic
from pyrfly.sim import Sim
from pyrfly.sim.copter_data import CHANNELS, PART, CopterDatum, SimulationMode

__all__ = ["EXTENSION", "RATE", "ModelPorts"]

RATE = 100.0
"""How often ``ExtToPX4`` is sent [Hz]; RflySim's own rate is not published."""

EXTENSION = "rfly_ext"
"""Name of ``ExtToPX4`` in DEBUG_FLOAT_ARRAY: that of RflySim's uORB message."""

_COMPONENT = 25  # MAV_COMP_ID_USER1
_TOPIC_MODES = (1, 101, 201)
"""``mode`` of HIL_ACTUATOR_CONTROLS with rfly_ctrl, rfly_ctrl1 and rfly_ctrl2 [@rfly-sdk]."""

_NO_CHANNEL = 0xFFFF
_ON_THE_WAY = {
    Mode.TAKEOFF: LandedState.TAKEOFF,
    Mode.APPROACH: LandedState.LANDING,
    Mode.DESCEND: LandedState.LANDING,
}


class ModelPorts(Models):
    """Joins the columns of models with the autopilots that fly the vehicles.

    ``inCopterData``, the column ``autopilot_inputs`` of the part ``free_inputs``, is kept where the
    part is on: armed, channels of a remote control, where the autopilot is, whether the position is
    known, MAV_VTOL_STATE and MAV_LANDED_STATE, of a PX4 outside as it says by MAVLink. That says
    rfly_px4, too, by ACTUATOR_CONTROL_TARGET [@rfly-model-api 5.4.6].

    To a PX4 outside go rfly_ctrl as HIL_ACTUATOR_CONTROLS, as RflySim's clients send it, and
    ``ExtToPX4``, the column ``autopilot_outputs``, as DEBUG_FLOAT_ARRAY with the name `EXTENSION`,
    which any PX4 publishes as ``debug_array``: what RflySim's CopterSim sends is not published.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    links : sequence of Link
        Those with programs that fly vehicles are looked for among them.
    first_id : int
        CopterID of the first vehicle, which is its system.

    Attributes
    ----------
    pilots : PilotState or None
        The autopilots of vehicles that answer as PX4, where there are any.
    """

    def __init__(self, sim: Sim, links: Sequence[Link], first_id: int = 1) -> None:
        self.pilots: PilotState | None = None
        self._sim = sim
        self._flying = [link for link in links if isinstance(link, AutopilotLink)]
        self._send: dict[SimulationMode, Send] = {}
        self._modes = np.full(sim.n, SimulationMode.WITHOUT_PX4, np.int64)
        self._told = np.zeros((sim.n, CHANNELS.stop))
        self._period = steps_at(RATE, sim.dt)
        self._writer = FrameWriter((first_id - 1 + np.arange(sim.n)) % 255 + 1, _COMPONENT)
        for link in links:
            link.join_models(self)

    def connect(self, mode: SimulationMode, send: Send) -> None:
        """Reach the PX4s of a mode by a function from now on."""
        self._send[mode] = send

    # --- from autopilots ---

    def take(self, row: int, frames: Sequence[Frame]) -> None:
        """Note what the PX4 of a vehicle says in frames."""
        for frame in frames:
            if frame.known and (note := _NOTES.get(frame.name)):
                note(self, row, frame.record())

    def _note_home(self, row: int, _: np.void) -> None:
        self._told[row, CopterDatum.FIXED_3D] = 1.0

    def _note_state(self, row: int, record: np.void) -> None:
        self._told[row, CopterDatum.VTOL_STATE] = record["vtol_state"]
        self._told[row, CopterDatum.LANDED_STATE] = record["landed_state"]

    def _note_channels(self, row: int, record: np.void) -> None:
        raw = np.array([record[f"chan{number}_raw"] for number in range(1, 17)])
        self._told[row, CopterDatum.CHANNEL_COUNT] = record["chancount"]
        self._told[row, CHANNELS] = np.where(raw == _NO_CHANNEL, 0, raw)

    def _note_topic(self, row: int, record: np.void) -> None:
        values = record["controls"].astype(np.float64)
        if self._kept and np.isfinite(values).all():
            write_topic(self._sim, np.array([row + 1]), values[None, :])

    @property
    def _kept(self) -> bool:
        return all(group.batch.has(PART) for group in self._sim.groups)

    # --- to models ---

    def prepare(self) -> None:
        """Keep ``inCopterData``, right before the vehicles are stepped."""
        if self._flying:
            self._look_for_autopilots()
        if not self._kept:
            return
        outside = self._modes != SimulationMode.WITHOUT_PX4
        found = np.where(outside[:, None], self._told, self._own())
        found[:, CopterDatum.ARMED] = self._sim.armed
        found[:, CopterDatum.MODE] = self._modes
        chosen = self._sim.select()
        data = np.array(chosen.read("autopilot_inputs"), np.float64)
        of_controllers = data[:, CopterDatum.VTOL_STATE].copy()
        data[:, : CHANNELS.stop] = found
        data[~outside, CopterDatum.VTOL_STATE] = of_controllers[~outside]
        chosen.write("autopilot_inputs", data)

    def _look_for_autopilots(self) -> None:
        self._modes[:] = SimulationMode.WITHOUT_PX4
        for link in self._flying:
            self._modes[np.array(link.rows, np.intp)] = link.simulation_mode
        self._told[self._modes == SimulationMode.WITHOUT_PX4] = 0.0

    def _own(self) -> NDArray[np.float64]:
        """Return the components of vehicles without an autopilot outside."""
        found = np.zeros_like(self._told)
        found[:, CopterDatum.FIXED_3D] = 1.0
        if self.pilots is None:
            found[:, CopterDatum.LANDED_STATE] = _landed(self._sim)
            return found
        found[:, CopterDatum.LANDED_STATE] = self.pilots.landed_state()
        channels = self.pilots.received_channels()
        found[:, CHANNELS[: channels.shape[1]]] = channels
        found[:, CopterDatum.CHANNEL_COUNT] = (channels != 0).sum(axis=1)
        return found

    # --- to autopilots ---

    def send_topics(
        self, ids: NDArray[np.intp], topics: NDArray[np.intp], values: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Send PX4s rfly_ctrl, rfly_ctrl1 or rfly_ctrl2; return which of the vehicles have one."""
        rows = ids - 1
        have = np.isin(self._modes[rows], list(self._send))
        if have.any():
            messages = blank("HIL_ACTUATOR_CONTROLS", int(have.sum()))
            messages["time_usec"], messages["flags"] = self._now(), 1
            messages["mode"] = np.take(_TOPIC_MODES, topics[have])
            messages["controls"] = values[have]
            self._give("HIL_ACTUATOR_CONTROLS", messages, rows[have])
        return have

    def due(self, step: int) -> int:
        """Return the next step after ``step`` at which there is something to `give`."""
        if not self._send or not self._sim.groups[0].batch.has("free_outputs"):
            return NEVER
        return step - step % self._period + self._period

    def give(self, step: int) -> None:
        """Send PX4s ``ExtToPX4`` where it is due."""
        if step % self._period or self.due(step) == NEVER:
            return
        rows = np.flatnonzero(np.isin(self._modes, list(self._send)))
        messages = blank("DEBUG_FLOAT_ARRAY", len(rows))
        values = self._sim.select(rows + 1).read("autopilot_outputs")
        messages["time_usec"], messages["name"] = self._now(), EXTENSION
        messages["data"][:, : values.shape[1]] = values
        self._give("DEBUG_FLOAT_ARRAY", messages, rows)

    def _now(self) -> int:
        return round(self._sim.time * 1e6)

    def _give(self, name: str, messages: NDArray[Any], rows: NDArray[np.intp]) -> None:
        if len(rows):
            self._writer.add(name, messages, rows)
            for row, data in self._writer.take():
                self._send[SimulationMode(self._modes[row])](row, bytes(data))


def _landed(sim: Sim) -> NDArray[np.int64]:
    """Return the `LandedState` of vehicles that the synthesis model flies, shape (n,)."""
    states = np.full(sim.n, LandedState.IN_AIR, np.int64)
    for group, rows, places in sim.select():
        modes, standing = group.view("navigator_mode")[rows], group.is_standing(rows)
        for mode, state in _ON_THE_WAY.items():
            states[places] = np.where(modes == mode, state, states[places])
        states[places] = np.where(standing, LandedState.ON_GROUND, states[places])
    return states


_NOTES: dict[str, Callable[[ModelPorts, int, np.void], None]] = {
    "HOME_POSITION": ModelPorts._note_home,
    "EXTENDED_SYS_STATE": ModelPorts._note_state,
    "RC_CHANNELS": ModelPorts._note_channels,
    "ACTUATOR_CONTROL_TARGET": ModelPorts._note_topic,
}
"""What is done with a message; PX4 sends the first as soon as it knows where it is."""
