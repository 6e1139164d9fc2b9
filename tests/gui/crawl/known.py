"""Findings that are known and wait for their mend; the list is empty when all is well."""

from __future__ import annotations

from fnmatch import fnmatchcase

from tests.gui.crawl.checks import Finding

KNOWN: tuple[tuple[str, str, str], ...] = ()
"""Patterns: scene, check, what is wrong."""


def known(title: str, finding: Finding) -> bool:
    """Whether a finding in a scene is in the list."""
    return any(
        fnmatchcase(title, scene) and finding.check == check and fnmatchcase(finding.what, what)
        for scene, check, what in KNOWN
    )
