"""Every citation of a page, a section, a step or a rule leads somewhere; so does every link."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

import pytest

from tests.architecture import citations

ROOT = Path(__file__).parents[2]
PLACES = (
    *("pos_app", "tests", "packaging", "docs", "README.md", "CHANGELOG.md", "CONTRIBUTING.md"),
    *("SECURITY.md", "pyproject.toml"),
)
TEXTS = frozenset({".py", ".md", ".toml", ".sh", ".php", ".mjs", ".cs"})
NOT_READ = frozenset(
    Path(__file__).with_name(name)
    for name in ("test_citations.py", "citations.py", "test_decisions.py")
)
"""These modules hold samples of citations."""
BOOK = """# Book

## 1. Protocol

Text.

## 6. Rules

1. First of all.
2. **Second.** Of them.

### 6.3 Third

## Steps

1. **Accept.** One transaction.
9. **Pairs** are a saga: correct the child.

## Invariants

- **I2** Never denied.

## The open server

5. No more than `MOST` of them.
"""
GOOD = (
    "book.md",
    "book.md 6, 1",
    "book.md 6.2 to 6.3, and more",
    "Source: book.md 1 (anything), 6.3; other words.",
    "book.md, steps 1 and 9",
    'book.md step 9 ("correct the child")',
    "book.md, I2 (in other words)",
    'book.md, "The open server", 5',
    "book.md (MOST)",
    "# a comment about book.md,\n    # step 9",
    "docs/reference/book.md 6",
    'read("book.md", encoding="utf-8")',
)
BROKEN = {
    "paper.md": "paper.md: there is no such page",
    "elsewhere/book.md": "elsewhere/book.md: there is no such page",
    "book.md 2": "book.md: there is no 2",
    "book.md 1 and 6.4": "book.md: there is no 6.4",
    "book.md 6.2 to 6.5": "book.md: there is no 6.5",
    "book.md, steps 1 and\n    2": 'book.md: there is no 2 in "steps"',
    "# book.md,\n# step 3": 'book.md: there is no 3 in "steps"',
    "book.md, rule 4": 'book.md: there is no 4 in "house rules"',
    "book.md, I1": "book.md: there is no invariant I1",
    'book.md, "The open server", 6': 'book.md: there is no 6 in "the open server"',
    'book.md, "The shut server"': 'book.md: there is no "The shut server"',
    'book.md step 9 ("correct the parent")': 'book.md: there is no "correct the parent"',
    "see contract 2.15": "contract 2.15: name the page",
}


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> citations.Library:
    root = tmp_path_factory.mktemp("checkout")
    (root / "docs/reference").mkdir(parents=True)
    (root / "docs/reference/book.md").write_text(BOOK, encoding="utf-8")
    return citations.Library(root)


def sources() -> list[Path]:
    found = [ROOT / place for place in PLACES if (ROOT / place).is_file()]
    for place in PLACES:
        found += (path for path in (ROOT / place).rglob("*") if path.suffix in TEXTS)
    return sorted(path for path in found if path not in NOT_READ)


def test_every_citation_leads_somewhere() -> None:
    library = citations.Library(ROOT)
    texts = {path: path.read_text(encoding="utf-8") for path in sources()}
    faults = [
        f"{path.relative_to(ROOT)}:{line}: {fault}"
        for path, text in texts.items()
        for line, fault in citations.faults_of(text, library)
    ]
    assert not faults, "\n".join(faults)
    assert sum(text.count("fiscal.md") for text in texts.values()) > 100


def test_nothing_outside_of_the_repository_is_cited() -> None:
    told = [
        path for path in sources() if citations.OUTSIDE.search(path.read_text(encoding="utf-8"))
    ]
    assert not told
    assert all(
        map(citations.OUTSIDE.search, ("see ../shared/law.md", "/work/shared/law.md", "shared/x"))
    )


def test_every_link_between_pages_leads_somewhere() -> None:
    library = citations.Library(ROOT)
    pages = [path for path in sources() if path.suffix == ".md" and "tests" not in path.parts]
    broken = [
        f"{path.relative_to(ROOT)}: {target}"
        for path in pages
        for target in citations.broken_links(
            PurePosixPath(path.relative_to(ROOT).as_posix()), ROOT, library
        )
    ]
    assert not broken, "\n".join(broken)


def test_every_module_that_a_page_names_is_there() -> None:
    modules = [path.relative_to(ROOT).as_posix() for path in sources() if path.suffix == ".py"]
    pages = [path for path in sources() if path.suffix == ".md"]
    dead = [
        f"{path.relative_to(ROOT)}: {told}"
        for path in pages
        for told in citations.dead_modules(path.read_text(encoding="utf-8"), modules)
    ]
    assert not dead, "\n".join(dead)
    assert citations.dead_modules("`a/b.py` and `b.py` (`rule` in `c.py::X`)", ["x/a/b.py"]) == [
        "c.py"
    ]
    assert citations.dead_modules("`a/b.py`", ["x/aa/b.py"]) == ["a/b.py"]


def databases() -> dict[str, frozenset[str]]:
    folder = ROOT / "pos_app/adapters/sqlite"
    return {
        f"{name}.db": citations.names_of((folder / name / "schema.py").read_text(encoding="utf-8"))
        for name in ("till", "journal", "catalogue")
    }


def test_every_function_and_table_that_a_page_names_is_there() -> None:
    pages = {path: path.read_text(encoding="utf-8") for path in sources() if path.suffix == ".md"}
    modules = {
        path.relative_to(ROOT).as_posix(): citations.names_of(path.read_text(encoding="utf-8"))
        for path in sources()
        if path.suffix == ".py"
    }
    dead = [
        f"{path.relative_to(ROOT)}: {told}"
        for path, text in pages.items()
        for told in citations.dead_names(text, modules | databases(), bare=path.name == "sale.md")
    ]
    assert not dead, "\n".join(dead)
    assert len(re.findall(r"`[\w/]+\.(?:py|db)::", pages[ROOT / "docs/sale.md"])) > 50


def test_every_folder_that_the_way_of_a_sale_names_is_there() -> None:
    folders = [path.relative_to(ROOT).as_posix() for path in ROOT.glob("pos_app/**/")]
    told = (ROOT / "docs/sale.md").read_text(encoding="utf-8")
    assert citations.dead_folders(told, folders) == []
    assert citations.dead_folders("`a/b/` `b/` `c/`", ["x/a/b"]) == ["c/"]


def test_citations_that_lead_somewhere_are_told_from_broken_ones(book: citations.Library) -> None:
    faults = {one: [*citations.faults_of(one, book)] for one in (*GOOD, *BROKEN)}
    assert faults == {one: [] for one in GOOD} | {one: [(1, BROKEN[one])] for one in BROKEN}
    assert [*citations.faults_of("first\n\nsecond paper.md\n", book)] == [
        (3, "paper.md: there is no such page")
    ]
