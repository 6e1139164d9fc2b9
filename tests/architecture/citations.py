"""Checks that every citation leads to a page, a section, a step, a rule or an invariant, and every
named module, function and table to one that exists.

A citation is a page's name, followed by positions on that page: "NAME.md 6.2", "NAME.md, steps 8
and 9", "NAME.md, I2", 'NAME.md, "A title", 5', 'NAME.md (in words: "a title")'. A title is any
words of the page in quotation marks; other words are free.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

NAME = re.compile(r"(?<![\w./-])(?:[\w.-]+/)*[\w-]+\.md\b")
_MODULE = re.compile(r"`((?:\w+/)*\w+\.py)\b[^`\n]*`")
_NAME_IN = re.compile(r"`((?:\w+/)*\w+\.(?:py|db))::([\w.]+)`")
_BARE_NAME = re.compile(r"`([A-Za-z_]\w*(?:\.\w+)?)`")
_FOLDER = re.compile(r"`((?:\w+/)+)`")
_TABLE = re.compile(r"^CREATE TABLE (\w+)", re.MULTILINE)
LINK = re.compile(r"\]\(([^()\s]+)\)")
OUTSIDE = re.compile(r"(?<![\w-])shared/")
"""A path that the repository does not hold."""
_SHORT = re.compile(r"(?<![\w-])contract,? \d+(?:\.\d+)?\b")
"""A page that is cited without its name."""
_HEADING = re.compile(r"^(#{1,6}) (?:(\d+(?:\.\d+)?)\.? )?(.+?)\s*$", re.MULTILINE)
_ITEM = re.compile(r"^(\d+)\. ", re.MULTILINE)
_INVARIANT = re.compile(r"^- \*\*(I\d+)\*\*", re.MULTILINE)
_CODE = re.compile(r"`[^`]+`")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_WRAPPED = re.compile(r"[ \t]*\n[ \t]*(?:#[: ]?[ \t]*)?")
_PARAGRAPH = re.compile(r"\n[ \t]*#?[ \t]*\n")
_LISTS = {"step": "steps", "rule": "house rules", "promise": "promises to the cashier"}
"""The section whose numbered items a word counts."""
_POSITION = re.compile(
    r"""(?:[\s,–]|and\b|to\b)*(?:
        (?P<kind>steps?|rules?|promises?)\b
      | (?P<number>\d+(?:\.\d+)?)(?![\w%])
      | (?P<invariant>I\d+)\b
      | "(?P<quoted>[^"]+)"
      | \([^()]*\)
    )""",
    re.VERBOSE | re.IGNORECASE,
)


def plain(text: str) -> str:
    """The text in one spelling: without marks of bold or code, with one blank between words."""
    return " ".join(text.replace("*", "").replace("`", "").split())


def _said(quotation: str) -> str:
    return plain(quotation).rstrip(".").lower()


@dataclass(frozen=True, slots=True)
class Page:
    """A page of Markdown. sections: the text below each heading, down to the next of its level, by
    title and by number."""

    sections: dict[str, str]
    invariants: frozenset[str]
    anchors: frozenset[str]
    words: str

    @classmethod
    def of(cls, text: str) -> Page:
        told = _FENCE.sub("", text)
        heads, sections = [*_HEADING.finditer(told)], dict[str, str]()
        anchors = set[str]()
        for place, head in enumerate(heads):
            later = (one.start() for one in heads[place + 1 :] if len(one[1]) <= len(head[1]))
            below = told[head.end() : next(later, len(told))]
            sections |= {plain(name).lower(): below for name in (head[2], head[3]) if name}
            title = re.sub(r"[^\w\- ]", "", plain(head[0].lstrip("#")).lower())
            anchors.add(title.replace(" ", "-"))
        invariants = frozenset(_INVARIANT.findall(told))
        return cls(sections, invariants, frozenset(anchors), plain(told).lower())

    def has_item(self, section: str, number: str) -> bool:
        return number in _ITEM.findall(self.sections.get(section, ""))

    def has_section(self, number: str) -> bool:
        """Whether there is a section of that number, or an item N of a section M for "M.N"."""
        return number in self.sections or self.has_item(*number.partition(".")[::2])

    def faults(self, told: str, at: int) -> Iterator[str]:
        """What the positions behind a page's name lack here."""
        section = ""
        while found := _POSITION.match(told, at):
            at = found.end()
            if kind := found["kind"]:
                section = _LISTS[kind.lower().rstrip("s")]
            elif number := found["number"]:
                there = self.has_item(section, number) if section else self.has_section(number)
                if not there:
                    yield f"there is no {number}" + (f' in "{section}"' if section else "")
            elif invariant := found["invariant"]:
                if invariant.upper() not in self.invariants:
                    yield f"there is no invariant {invariant}"
            elif quoted := found["quoted"]:
                section = _said(quoted)
            quotations = re.findall(r'"([^"]+)"', found[0])
            yield from (
                f'there is no "{one}"' for one in quotations if _said(one) not in self.words
            )


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


def faults_of(text: str, library: Library) -> Iterator[tuple[int, str]]:
    """Each citation in a source that leads nowhere: its line number, and what is missing."""
    start = 0
    for end in [*(found.end() for found in _PARAGRAPH.finditer(text)), len(text)]:
        line = text.count("\n", 0, start) + 1
        told = LINK.sub("]", _WRAPPED.sub(" ", text[start:end]))
        start = end
        yield from ((line, f"{found[0]}: name the page") for found in _SHORT.finditer(told))
        for found in NAME.finditer(told):
            page = library.find(found[0])
            if page is None:
                yield line, f"{found[0]}: there is no such page"
            elif not told.startswith('"', found.end()):  # else it is a file's name in a program
                yield from ((line, f"{found[0]}: {one}") for one in page.faults(told, found.end()))


def broken_links(path: PurePosixPath, root: Path, library: Library) -> Iterator[str]:
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


def names_of(source: str) -> frozenset[str]:
    """What a module defines: functions, classes and values, a member of a class as "Class.member",
    and the tables in its SQL."""
    found = set(_TABLE.findall(source))
    for node in ast.parse(source).body:
        found |= {*_defined(node)}
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{name}" for part in node.body for name in _defined(part)}
    return frozenset(found)


def _defined(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.Assign(targets=targets):
            yield from (target.id for target in targets if isinstance(target, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name


def dead_names(text: str, names: Mapping[str, Collection[str]], *, bare: bool = False) -> list[str]:
    """The names between backticks, as `path.py::name` or `file.db::table`, that are not there.

    names: what each module or database has, by its path. bare: a name without a path stands for one
    of some module that the text names, alone or as the member of a class there.
    """
    dead, here = [], set[str]()
    for path in {found[1] for found in _MODULE.finditer(text)}:
        here |= {
            name for module in names if f"/{module}".endswith(f"/{path}") for name in names[module]
        }
    here |= {name.rpartition(".")[2] for name in here}
    for found in _NAME_IN.finditer(text):
        there = [names[path] for path in names if f"/{path}".endswith(f"/{found[1]}")]
        if not any(found[2] in each for each in there):
            dead.append(f"{found[1]}::{found[2]}")
    if bare:
        dead += [name for name in _BARE_NAME.findall(text) if name not in here]
    return dead


def dead_folders(text: str, folders: Collection[str]) -> list[str]:
    return [
        told
        for told in _FOLDER.findall(text)
        if not any(f"/{folder}/".endswith(f"/{told}") for folder in folders)
    ]
