"""Services of a vehicle that answers as PX4 v1.16.1: parameters, missions.

State machines without sockets: they take decoded MAVLink messages and the time, and return messages
to send as `pyrfly.autopilot.reply.Reply`.
"""
