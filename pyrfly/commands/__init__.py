"""Commands of the command line: ``pyrfly fly``, ``plot``, ``export`` and ``campaign``."""
