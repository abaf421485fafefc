"""Words that programs exchange with vehicles: RflySim's synthesis protocol. Knows no simulation."""
