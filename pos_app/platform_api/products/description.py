"""Descriptions: HTML without what could act, and the same as plain text."""

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
"""Elements that begin and end a line."""
_BLANKS = re.compile(r"[ \t\r\n\f\xa0]+")
_MANY_LINES = re.compile(r"\n{3,}")


def sanitised(html: str) -> str:
    """The HTML without scripts, styles, handlers and links that run code."""
    return nh3.clean(html, url_schemes=_SCHEMES)


def plain_text(html: str) -> str:
    """Sanitised HTML as text: entities decoded, a line for each block, cells parted by a blank."""
    lines = _Lines()
    lines.feed(html)
    lines.close()
    rows = [_BLANKS.sub(" ", row).strip() for row in "".join(lines.parts).split("\n")]
    return _MANY_LINES.sub("\n\n", "\n".join(rows)).strip()


class _Lines(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._break_at(tag)

    def handle_endtag(self, tag: str) -> None:
        self._break_at(tag)

    def handle_data(self, data: str) -> None:
        self.parts.append(_BLANKS.sub(" ", data))

    def _break_at(self, tag: str) -> None:
        if tag in _BREAKING:
            if tag == "br" or not self._is_at_begin():
                self.parts.append("\n")
        elif tag in {"td", "th"}:
            self.parts.append(" ")

    def _is_at_begin(self) -> bool:
        written = "".join(self.parts[-2:]).rstrip(" ")
        return not written or written.endswith("\n")
