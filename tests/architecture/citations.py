"""Checks that every citation leads to a page, a section, a step, a rule or an invariant.

A citation is a page's name, followed by a position on that page: "NAME.md 6.2", "NAME.md, step 8",
"NAME.md, I2", 'NAME.md, "A title", 5', "NAME.md (A title; step 6: in other words)". A title is a
heading, words in bold or in code, or any words of the page in quotation marks.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

NAME = re.compile(r"(?<![\w./-])(?:[\w.-]+/)*[\w-]+\.md\b")
_MODULE = re.compile(r"`((?:\w+/)*\w+\.py)\b[^`\n]*`")
LINK = re.compile(r"\]\(([^()\s]+)\)")
OUTSIDE = re.compile(r"(?<![\w-])shared/")
"""A path that the repository does not hold."""
_SHORT = re.compile(r"(?<![\w-])contract,? \d+(?:\.\d+)?\b")
"""A page that is cited without its name."""
_HEADING = re.compile(r"^(#{1,6}) (.+?)\s*$")
_NUMBERED = re.compile(r"(\d+(?:\.\d+)?)\.? (.+)")
_ITEM = re.compile(r"^(\d+)\. ", re.MULTILINE)
_INVARIANT = re.compile(r"^- \*\*(I\d+)\*\*", re.MULTILINE)
_TERM = re.compile(r"\*\*([^*]+)\*\*|`([^`]+)`")
_CODE = re.compile(r"`[^`]+`")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_WRAPPED = re.compile(r"[ \t]*\n[ \t]*(?:#[: ]?[ \t]*)?")
_PARAGRAPH = re.compile(r"\n[ \t]*#?[ \t]*\n")
_LISTS = {"step": "Steps", "rule": "House rules", "promise": "Promises to the cashier"}
"""The section whose numbered items a word counts."""
_TOKEN = re.compile(
    r"""\s*(?:
        (?P<between>,|and\b|to\b|–)
      | (?P<kind>steps?|rules?|promises?|invariants?|points?)\b
      | (?P<number>\d+(?:\.\d+)?)(?![\w%])
      | (?P<invariant>I\d+)\b
      | "(?P<quoted>[^"]+)"
      | \((?P<inside>(?:[^()"]|"[^"]*")*)\)
    )""",
    re.VERBOSE | re.IGNORECASE,
)


def plain(text: str) -> str:
    """The text in one spelling: without marks of bold or code, with one blank between words."""
    return " ".join(text.replace("*", "").replace("`", "").split())


def slug(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", plain(title).lower()).replace(" ", "-")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and all below it, down to the next of its level. number is "" for a heading without
    one."""

    title: str
    number: str
    text: str

    @property
    def items(self) -> frozenset[str]:
        return frozenset(_ITEM.findall(self.text))


@dataclass(frozen=True, slots=True)
class Page:
    """A page of Markdown and what can be cited of it."""

    sections: tuple[Section, ...]
    terms: frozenset[str]
    invariants: frozenset[str]
    anchors: frozenset[str]
    words: str

    @classmethod
    def of(cls, text: str) -> Page:
        told = _FENCE.sub("", text)
        sections = tuple(_sections(told))
        marked = (bold or code for bold, code in _TERM.findall(told))
        titles = [section.title for section in sections]
        return cls(
            sections,
            frozenset(plain(term).rstrip(".:").lower() for term in (*titles, *marked)),
            frozenset(_INVARIANT.findall(told)),
            frozenset(slug(title) for _, title in _headings(told)),
            plain(told).lower(),
        )

    def titled(self, title: str) -> Section | None:
        found = (one for one in self.sections if one.title.lower() == title.lower())
        return next(found, None)

    def numbered(self, number: str) -> Section | None:
        return next((one for one in self.sections if one.number == number), None)

    def holds(self, number: str) -> bool:
        """Tell whether there is a section of that number, or an item N of a section M for "M.N"."""
        whole, _, item = number.partition(".")
        section = self.numbered(whole)
        return bool(self.numbered(number) or (section and item in section.items))


def _headings(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        if found := _HEADING.match(line):
            yield found[1], found[2]


def _sections(text: str) -> Iterator[Section]:
    lines = text.splitlines()
    heads = [(at, found) for at, line in enumerate(lines) if (found := _HEADING.match(line))]
    for place, (at, head) in enumerate(heads):
        later = (one for one, other in heads[place + 1 :] if len(other[1]) <= len(head[1]))
        below = "\n".join(lines[at + 1 : next(later, len(lines))])
        numbered = _NUMBERED.fullmatch(head[2])
        number, title = (numbered[1], numbered[2]) if numbered else ("", head[2])
        yield Section(plain(title), number, below)


class Library:
    """The pages of a checkout. `find` prefers docs/reference, then docs, then the root."""

    def __init__(self, root: Path) -> None:
        self._root = root
        found = [*root.glob("*.md"), *(root / "docs").rglob("*.md")]
        found += (root / "resources").rglob("*.md")
        self._paths = sorted(
            (PurePosixPath(path.relative_to(root).as_posix()) for path in found), key=_rank
        )
        self._read: dict[PurePosixPath, Page] = {}

    def find(self, name: str) -> Page | None:
        """Return the page of a name or path, or None."""
        for path in self._paths:
            if f"/{path}".endswith(f"/{name}") or f"/{name}".endswith(f"/{path}"):
                return self.page(path)
        return None

    def page(self, path: PurePosixPath) -> Page:
        if path not in self._read:
            self._read[path] = Page.of((self._root / path).read_text(encoding="utf-8"))
        return self._read[path]


def _rank(path: PurePosixPath) -> tuple[int, str]:
    places = ("docs/reference", "docs", ".")
    place = str(path.parent)
    return places.index(place) if place in places else len(places), str(path)


# --- citations -----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Place:
    """The position on a page that a citation has reached. A bare number is an item of `section`."""

    page: Page
    section: Section | None = None
    last: Section | None = None
    kind: str = ""
    at: int = 0
    faults: list[str] = field(default_factory=list)


def faults_of(text: str, library: Library) -> Iterator[tuple[int, str]]:
    """Each citation in a source that leads nowhere: its line number, and what is missing."""
    for paragraph, line in _paragraphs(text):
        told = LINK.sub("]", _WRAPPED.sub(" ", paragraph))
        yield from ((line, f"{found[0]}: name the page") for found in _SHORT.finditer(told))
        for found in NAME.finditer(told):
            page = library.find(found[0])
            if page is None:
                yield line, f"{found[0]}: there is no such page"
                continue
            place = _Place(page, at=found.end())
            if not told.startswith('"', found.end()):  # else it is a file's name in a program
                _follow(told, place)
            for fault in place.faults:
                yield line, f"{found[0]}: {fault}"


def _paragraphs(text: str) -> Iterator[tuple[str, int]]:
    """The paragraphs, each with the number of the line on which it begins."""
    start = 0
    for end in [*(found.end() for found in _PARAGRAPH.finditer(text)), len(text)]:
        yield text[start:end], text.count("\n", 0, start) + 1
        start = end


def _follow(told: str, place: _Place) -> None:
    """Read what stands behind a page's name, as far as it gives a position on the page."""
    is_first = True
    while True:
        found = _TOKEN.match(told, place.at)
        if found is None:
            title = _title_at(told, place)
            if title is None:
                return
            place.section, place.kind = place.page.titled(title), ""
            is_first = False
            continue
        place.at = found.end()
        if found["inside"] is None:
            _take(found, place)
        elif is_first:
            _titles(found["inside"], place)
        else:
            _check_remark(found["inside"], place)
        is_first = is_first and found["between"] is not None


def _title_at(told: str, place: _Place) -> str | None:
    """The longest title without quotation marks that begins here; it returns "" for one that leads
    nowhere."""
    rest = told[place.at :].lstrip().lower()
    begun = [title for title in _citable(place.page) if re.match(rf"{re.escape(title)}\b", rest)]
    if not begun:
        return None
    title = max(begun, key=len)
    place.at = len(told) - len(told[place.at :].lstrip()) + len(title)
    return title


def _citable(page: Page) -> Sequence[str]:
    """The titles that can be distinguished from the words of a sentence."""
    return [section.title.lower() for section in page.sections]


def _take(found: re.Match[str], place: _Place) -> None:
    page = place.page
    if kind := found["kind"]:
        place.kind = kind.lower().rstrip("s")
    elif number := found["number"]:
        _take_number(number, place)
    elif invariant := found["invariant"]:
        if invariant.upper() not in page.invariants:
            place.faults.append(f"there is no invariant {invariant}")
    elif quoted := found["quoted"]:
        if not _is_said(quoted, page):
            place.faults.append(f'there is no "{quoted}"')
        place.section, place.kind = page.titled(quoted), ""


def _take_number(number: str, place: _Place) -> None:
    section = place.section
    if place.kind in _LISTS:
        section = place.page.titled(_LISTS[place.kind])
    elif place.kind == "point":
        section = place.last
    if place.kind or section:
        if section is None or number not in section.items:
            place.faults.append(f"there is no {place.kind or 'item'} {number}")
        return
    if not place.page.holds(number):
        place.faults.append(f"there is no section {number}")
    place.last = place.page.numbered(number)


def _is_said(words: str, page: Page) -> bool:
    said = plain(words).rstrip(".").lower()
    return said in page.terms or said in page.words


def _titles(inside: str, place: _Place) -> None:
    """Check a list of titles in brackets; words after a colon are a remark."""
    said_more = False
    for part in re.split(r"[;,]\s*(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", inside):
        told = part.strip()
        head = told.partition(":")[0]
        inner = _Place(place.page, section=place.section, kind=place.kind)
        if plain(head).lower() in place.page.terms and not head[:1].isdigit():
            place.section, place.kind = place.page.titled(head), ""
        elif _TOKEN.match(told):
            _follow(told, inner)
            place.faults += inner.faults
            place.section, place.kind = inner.section, inner.kind
        elif not said_more:
            place.faults.append(f'there is no "{told}"')
        said_more = said_more or ":" in told


def _check_remark(inside: str, place: _Place) -> None:
    """Check a remark in brackets behind a number: its words are free, its quotations and points
    exist."""
    for quoted in re.findall(r'"([^"]+)"', inside):
        if not _is_said(quoted, place.page):
            place.faults.append(f'there is no "{quoted}"')
    for point in re.findall(r"\bpoint (\d+)", inside):
        if place.last is None or point not in place.last.items:
            place.faults.append(f"there is no point {point}")


# --- links ---------------------------------------------------------------------------------------


def broken_links(path: PurePosixPath, root: Path, library: Library) -> Iterator[str]:
    """The links of a page that lead nowhere within the checkout."""
    text = _CODE.sub("", _FENCE.sub("", (root / path).read_text(encoding="utf-8")))
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        there = (root / path.parent / name).resolve() if name else root / path
        if not there.exists():
            yield target
        elif anchor:
            page = library.page(PurePosixPath(there.relative_to(root.resolve()).as_posix()))
            if anchor not in page.anchors:
                yield target


def dead_modules(text: str, modules: Collection[str]) -> list[str]:
    """The modules between backticks, with their whole path or its end, that do not exist."""
    return [
        told
        for told in _MODULE.findall(text)
        if not any(f"/{module}".endswith(f"/{told}") for module in modules)
    ]
