"""Known findings that wait to be mended; the list is empty when there are none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from tests.gui.crawl.checks import Finding

KNOWN: tuple[tuple[str, str, str], ...] = ()
"""Patterns of scene, check and fault."""


def known(title: str, finding: Finding) -> bool:
    return any(_covers(one, title, finding) for one in KNOWN)


def mended(found: Iterable[tuple[str, Finding]]) -> Iterator[str]:
    """Entries of the list that are not found any more: they are to be taken out."""
    everything = list(found)
    for one in KNOWN:
        if not any(_covers(one, title, finding) for title, finding in everything):
            yield f"known: {one} is found no more\n"


def _covers(pattern: tuple[str, str, str], title: str, finding: Finding) -> bool:
    told = title, finding.check, finding.what
    return all(fnmatchcase(text, part) for text, part in zip(told, pattern, strict=True))
