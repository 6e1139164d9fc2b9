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


KNOWN = (
    # A touch size of 15 mm leaves so little room that some texts of a shop's own, and some facts in
    # lists, need more lines than their rows have. In Serbian Cyrillic the narrow and the usual size
    # were walked through whole; the other languages and the wide size were not since.
    *(
        Known("*", check, "*", "a large touch size leaves too little room", shape)
        for check in ("shortened", "torn")
        for shape in ("sr-Latn-*-15mm*", "en-*-15mm*", "*-1920x1080-15mm*")
    ),
    Known("shift-*", "shortened", "*сме…*", "four steps beside it", "*-1366x768-15mm-150%"),
    Known("sign_in-*", "shortened", "*маркет Л…*", "keys beside it", "*-1366x768-15mm-150%"),
    Known(
        "catalogue-refused_cell", "shortened", "*Ајвар Зимница*",
        "the words of an unsaved row make its column wider than the name beside it",
        "*-1024x768-9mm",
    ),
    Known("catalogue-*", "endless", "*ProductTable*", "a long name loses its measure in the table"),
    Known("reports-asking", "endless", "*", "the head tells the rows", "*-1024x768-15mm*"),
    Known("reports-asking", "shortened", "*", "the head tells the rows", "*-1024x768-15mm*"),
    Known("settings-store_conflict", "shortened", "*", "values side by side", "*-1024x768-15mm*"),
    Known("settings-backup_asked", "cut", "*", "what would be lost is long", "*-15mm-150%*"),
    Known("receipts-*", "target", "*", "four acts share a column", "*-1024x768-15mm-150%*"),
    Known("advances-refused", "cut", "*", "the words of the buyer need a second line", "*-150%*"),
    Known("attention-prints", "cut", "*", "a key takes a third line", "*-150%*"),
    Known("refund-*", "cut", "*", "a reason why money goes no other way is too long", "*-150%*"),
    Known("sale-*", "cut", "*Цена са ПДВ-ом*", "a label is a pixel too narrow", "*-150%*"),
)  # fmt: skip


def known(title: str, finding: Finding, shapes: Iterable[str]) -> bool:
    """Tell whether a finding is known in all these shapes."""
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
