"""Cleans descriptions: HTML without active content, and the same as plain text.

A parser's time grows with the square of the number of nested elements, or faster, so their depth is
limited first (measured: 975 KB of them took 159 s).
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

import nh3

_SCHEMES = {"http", "https", "mailto", "tel"}
_BREAKING = frozenset(
    re.split(
        r"\s+",
        """address article aside blockquote br caption center dd details div dl dt figcaption figure
        footer h1 h2 h3 h4 h5 h6 header hgroup hr li main nav ol p pre section summary table tbody
        tfoot thead tr ul""",
    )
)
MOST = 64 * 1024
MOST_MADE = 4 * MOST
"""The most characters of a cleaned description: its signs are escaped, and each of its links gets
a further word."""
DEEPEST = 100
"""The most elements that are open at once."""
_TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]*)")
_FOREIGN = re.compile(r"<(?:svg|math)\b", re.IGNORECASE)
_CLOSED_BY_THE_NEXT = frozenset(
    re.split(
        r"\s+",
        """area base br col colgroup dd dt embed hr img input li link meta option p param source
        tbody td tfoot th thead tr track wbr""",
    )
)
"""Elements that need no end tag; within SVG and MathML they do."""
_WALLS = frozenset({"table", "caption", "object", "marquee", "applet", "template"})
"""Elements that the end tag of an outer element does not close."""
_LETS_OUT = "table"
"""After its end tag a parser reopens the elements that were open within it."""
_BLANKS = re.compile(r"[ \t\r\n\f\xa0]+")
_MANY_LINES = re.compile(r"\n{3,}")


def why_not(html: str) -> str:
    """Return why a description is refused, as words that follow the name of its field, or ""."""
    if len(html) > MOST:
        return f"length must be less than or equal to {MOST} characters long"
    if _is_too_deep(html):
        return f"has more than {DEEPEST} elements within one another"
    return ""


def _is_too_deep(html: str) -> bool:
    passing = frozenset[str]() if _FOREIGN.search(html) else _CLOSED_BY_THE_NEXT
    open_now: list[str] = []
    for tag in _TAG.finditer(html):
        name = tag[2].lower()
        if name in passing:
            continue
        if not tag[1]:
            open_now.append(name)
            if len(open_now) > DEEPEST:
                return True
            continue
        for index in range(len(open_now) - 1, -1, -1):
            if open_now[index] == name:
                ends_all = name in _WALLS and name != _LETS_OUT
                del open_now[index : None if ends_all else index + 1]
                break
            if open_now[index] in _WALLS:
                break
    return False


def sanitised(html: str) -> str:
    """Return the HTML without scripts, styles, handlers, and links that run code."""
    return nh3.clean(html, url_schemes=_SCHEMES)


def plain_text(html: str) -> str:
    """Return sanitised HTML as text: entities decoded, a line for each block, cells parted by a
    blank."""
    lines = _HtmlLines()
    lines.feed(html)
    lines.close()
    rows = [_BLANKS.sub(" ", row).strip() for row in "".join(lines.pieces).split("\n")]
    return _MANY_LINES.sub("\n\n", "\n".join(rows)).strip()


class _HtmlLines(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._break_at(tag)

    def handle_endtag(self, tag: str) -> None:
        self._break_at(tag)

    def handle_data(self, data: str) -> None:
        self.pieces.append(_BLANKS.sub(" ", data))

    def _break_at(self, tag: str) -> None:
        if tag in _BREAKING:
            if tag == "br" or not self._is_at_begin():
                self.pieces.append("\n")
        elif tag in {"td", "th"}:
            self.pieces.append(" ")

    def _is_at_begin(self) -> bool:
        written = "".join(self.pieces[-2:]).rstrip(" ")
        return not written or written.endswith("\n")
