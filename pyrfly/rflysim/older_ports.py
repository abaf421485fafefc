"""Functions of RflySim's older model DLLs, by the names that they have there: `OlderPorts`."""

from __future__ import annotations

from pyrfly.rflysim.dll_model import STATE_FIELDS, DllModel

__all__ = ["OlderPorts"]

_SENSOR_FIELDS, _GPS_FIELDS = 15, 13

_EVERY_FIELD = 0x1FFF


class OlderPorts(DllModel):
    """A model that also has the ports that newer DLLs have others for."""

    def DllInputTerrain(self, terrain_z: float = 0) -> None:
        """Set the height of level ground below [m, NED z], as `DllTerrainIn15d`."""
        self.DllTerrainIn15d([terrain_z])

    def DlloutputSensors(self) -> list[float]:
        """Return the 15 numbers of ``MavLinkSensor``: `DlloutHILSensor30d` without its rest.

        All are said to be new each time, ``fields_updated`` 8191, as older models do.
        """
        return [*self.DlloutHILSensor30d()[: _SENSOR_FIELDS - 1], float(_EVERY_FIELD)]

    def DlloutputGPS(self) -> list[float]:
        """Return the 13 numbers of ``MavLinkGPS``: `DlloutHILGPS30d` without its rest."""
        return self.DlloutHILGPS30d()[:_GPS_FIELDS]

    def DlloutModel3DInfo(self) -> list[float]:
        """Return the 33 numbers of ``MavVehileInfo``: `DlloutVehileInfo60d` without its rest."""
        return self.DlloutVehileInfo60d()[:STATE_FIELDS]
