"""Known findings that wait to be mended, and the shapes in which they wait."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import NamedTuple

from tests.gui.crawl.checks import Finding


class Known(NamedTuple):
    """Patterns of scene, check, fault and shape of findings. why: what they wait for."""

    scene: str
    check: str
    what: str
    why: str
    shape: str = "*"


KNOWN: tuple[Known, ...] = (
    Known("*-waits", "refused", "*", "the key stays filled while the receipt before is awaited"),
    Known("sale-scans_held", "refused", "*", "Pay stays filled while another program holds scans"),
    Known("look-components", "reddened", "*", "a sheet of examples: fields and keys apart"),
    Known("look-components", "wide", "*", "a sheet of examples is a form of no room"),
    Known(
        "catalogue-search_typed",
        "shortened",
        "*Сир за… 150 g*",
        "six letters of a name are left where the columns are narrowest",
        "sr-Latn-*-1024x768-9mm",
    ),
)


def known(title: str, finding: Finding, shapes: Iterable[str]) -> bool:
    return all(any(_covers(one, title, finding, shape) for one in KNOWN) for shape in shapes)


def mended(found: Mapping[tuple[str, Finding], Iterable[str]]) -> Iterator[str]:
    """Entries of the list that are not found any more: they are to be taken out."""
    everything = [(*one, shape) for one, shapes in found.items() for shape in shapes]
    for one in KNOWN:
        if not any(_covers(one, *place) for place in everything):
            yield f"known: {one.check} in {one.scene} is found no more: {one.what}\n"


def _covers(one: Known, title: str, finding: Finding, shape: str) -> bool:
    told = title, finding.check, finding.what, shape
    patterns = one.scene, one.check, one.what, one.shape
    return all(fnmatchcase(text, part) for text, part in zip(told, patterns, strict=True))
