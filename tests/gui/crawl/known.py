"""Findings that are known and wait for their mend; the list is empty when all is well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from tests.gui.crawl.checks import Finding

KNOWN: tuple[tuple[str, str, str], ...] = ()
"""Patterns: scene, check, what is wrong."""


def known(title: str, finding: Finding) -> bool:
    """Whether a finding in a scene is in the list."""
    return any(_covers(one, title, finding) for one in KNOWN)


def mended(found: Iterable[tuple[str, Finding]]) -> Iterator[str]:
    """What stands in the list, and is found nowhere any more: it is to be taken out."""
    everything = list(found)
    for one in KNOWN:
        if not any(_covers(one, title, finding) for title, finding in everything):
            yield f"known: {one} is found no more\n"


def _covers(pattern: tuple[str, str, str], title: str, finding: Finding) -> bool:
    told = title, finding.check, finding.what
    return all(fnmatchcase(text, part) for text, part in zip(told, pattern, strict=True))
