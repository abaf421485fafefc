"""Start scripts of RflySim, batch files and shell scripts: their variables as settings."""
