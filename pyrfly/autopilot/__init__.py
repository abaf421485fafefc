"""Vehicles that answer over MAVLink as PX4 v1.16.1 does, without sockets.

`Autopilots` are those of a `pyrfly.Sim`; a `Channel` is a link to stations and SDKs. `commander`
has modes, arming and failsafes, `commands` what stations request, `offboard` and `sticks` what
set-points and remote controls mean, `routes` and `mission_flight` what is flown without them;
`parameters` and `mission_transfer` are services, `telemetry` what is told, at the `rates` of each
kind of link.
"""

from pyrfly.autopilot.autopilots import Autopilots
from pyrfly.autopilot.channel import Channel
from pyrfly.autopilot.flight_modes import FlightMode
from pyrfly.autopilot.rates import RATES

__all__ = ["RATES", "Autopilots", "Channel", "FlightMode"]
