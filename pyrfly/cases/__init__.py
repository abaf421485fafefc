"""Test cases of RflySim's safety platform: sequences of commands with faults, and their verdicts.

A case is a sequence such as ``2,1;1,1,5;2,3,0,0,-15;1,1,10;2,6,123450,123450,1,1,1,0;1,1,10``
[@rfly-safe]; docs/test-cases.md describes it.
"""

from pyrfly.cases.flight import fly_cases
from pyrfly.cases.reading import is_case_file, read_case, read_cases
from pyrfly.cases.result import MEASURES, CaseResult, Rules, case_table, notes_of_cases
from pyrfly.cases.steps import Case, Step, check_case

__all__ = [
    "MEASURES",
    "Case",
    "CaseResult",
    "Rules",
    "Step",
    "case_table",
    "check_case",
    "fly_cases",
    "is_case_file",
    "notes_of_cases",
    "read_case",
    "read_cases",
]
