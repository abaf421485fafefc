"""Commands of the command line: ``pyrfly fly``, ``plot`` and ``export``."""
