"""Campaigns: many runs over parameters, seeds, missions and policies, on one machine or several.

Needs the extra ``campaign``; on several machines ``ray``.
"""

from pyrfly.campaign.backends import BACKENDS
from pyrfly.campaign.campaign import Campaign, Replay
from pyrfly.campaign.reading import read_campaign
from pyrfly.campaign.report import plot_results, summary, write_report
from pyrfly.campaign.results import Rate, Results, read_results, success_rate

__all__ = [
    "BACKENDS",
    "Campaign",
    "Rate",
    "Replay",
    "Results",
    "plot_results",
    "read_campaign",
    "read_results",
    "success_rate",
    "summary",
    "write_report",
]
