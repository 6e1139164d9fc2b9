"""Applies the house rules to the whole checkout, and each rule to a small bad sample of its own."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path, PurePosixPath

from tests.architecture import rules
from tests.sweep import each

ROOT = Path(__file__).parents[2]

LONG_FUNCTION = "def long():\n" + "    work()\n" * 51

BAD = (
    ("nested loop", "dialog.exec()"),
    ("nested loop", "QMessageBox(parent).exec_()"),
    ("nested loop", "self.menu.exec(point)"),
    ("nested loop", "child.waitForFinished()"),
    ("nested loop", "QApplication.processEvents()"),
    ("lost cancel", "await asyncio.wait_for(stop.wait(), timeout=3)"),
    ("lost cancel", "from asyncio import wait_for"),
    ("unheard argument", "check.clicked.connect(partial(model.switch, one))"),
    ("unheard argument", "action.triggered.connect(functools.partial(choose, key))"),
    ("unheard argument", "key.clicked.connect(lambda *_: choose(key))"),
    ("unheard argument", "key.clicked.connect(lambda one=one: choose(one))"),
    ("camelCase", "unitPrice = 1"),
    ("camelCase", "def unitPrice(): ..."),
    ("camelCase", "def price(itemCount): ..."),
    ("camelCase", "self.unitPrice = 1"),
    ("camelCase", "class unitPrice: ..."),
    ("camelCase", "from json import loads as loadsJson"),
    ("camelCase", "total = body['totalAmount']"),
    ("camelCase", "total = body.get('totalAmount', 0)"),
    ("camelCase", "body = {'totalAmount': 1}"),
    ("vague class", "class CartManager: ..."),
    ("vague class", "class Base: ..."),
    ("vague name", "def tell(*, found: Article): ..."),
    ("vague name", "rows.sort(key=lambda one: one.name)"),
    ("vague name", "def _keep(row): ..."),
    ("vague name", "@dataclass\nclass Line:\n    left: Money"),
    ("vague name", "class Field:\n    typed = Signal(str)"),
    ("vague name", "self._shown = widget"),
    ("vague name", "def fold(room: int): ..."),
    ("time of day", "datetime.now(UTC)"),
    ("time of day", "datetime.datetime.utcnow()"),
    ("time of day", "field(default_factory=date.today)"),
    ("time of day", "time.time()"),
    ("time of day", "time.monotonic()"),
    ("time of day", "from time import monotonic"),
    ("floats", "rate = 0.2"),
    ("floats", "def price(amount: float): ..."),
    ("floats", "price = float(text)"),
    ("floats", "def look(*, wait: float = 0.5): ..."),
    ("floats", "look(rate=0.5)"),
    ("floats", "@dataclass\nclass Line:\n    price: float | None = None"),
    ("caught bug", "try:\n    act()\nexcept:\n    stop()"),
    ("caught bug", "try:\n    act()\nexcept Exception:\n    stop()"),
    ("caught bug", "try:\n    act()\nexcept (OSError, BaseException) as error:\n    stop()"),
    ("caught bug", "with contextlib.suppress(Exception):\n    act()"),
    ("caught bug", "try:\n    act()\nexcept Exception as error:\n    raise Lost from error"),
    ("size", LONG_FUNCTION),
    ("sleeping test", "def test_a():\n    time.sleep(1)"),
    ("sleeping test", "async def test_a():\n    await asyncio.sleep(0.1)"),
    ("sleeping test", "async def test_a():\n    for _ in range(9):\n        await sleep(0.1)"),
)
GOOD = (
    ("nested loop", "QApplication.exec()\ndialog.open()\nexecute()"),
    ("lost cancel", "async with asyncio.timeout(3):\n    await stop.wait()"),
    ("unheard argument", "check.clicked.connect(lambda on, one=one: model.switch(one, on))"),
    ("unheard argument", "key.clicked.connect(lambda _=False, one=one: choose(one))"),
    ("unheard argument", "key.clicked.connect(self.choose)\nkey.clicked.connect(lambda: act())"),
    ("unheard argument", "field.changed.connect(partial(self._type, entry))"),
    ("camelCase", "class View(QWidget):\n    def paintEvent(self, event): self.setFont(font)"),
    ("camelCase", "_unit_price = 1\nclass UnitPrice: ...\nLIMIT = rows['unit_price']"),
    ("vague class", "class Baseline: ..."),
    ("vague name", "def tell(rows):\n    found = [one for one in rows]\n    return found"),
    ("vague name", "class Screen:\n    def __init__(self, room: Room): self.room = room"),
    ("vague name", "@dataclass\nclass CountedDrawer:\n    parts: tuple[PartSum, ...]"),
    ("time of day", "def at(moment: datetime): return moment.date()"),
    ("floats", "rate = Decimal('0.2')\nrows = 3"),
    ("floats", "QUIET_SECONDS = 0.5\nlook(timeout=0.5)\nasyncio.sleep(0.5)"),
    ("floats", "def look(*, now: float, quiet_seconds: float = 0.5): ..."),
    (
        "floats",
        "class Clock:\n    since: float | None = None\n    def monotonic(self) -> float: ...",
    ),
    ("caught bug", "try:\n    act()\nexcept OSError:\n    stop()"),
    ("caught bug", "try:\n    act()\nexcept BaseException:\n    undo()\n    raise"),
    ("floats", "if isinstance(amount, float): raise Invalid('no floats')"),
    ("size", "def short():\n" + "    work()\n" * 49),
    (
        "sleeping test",
        "async def test_a():\n    while not done():\n        await asyncio.sleep(0.01)",
    ),
    ("sleeping test", "async def test_a():\n    await asyncio.sleep(0)"),
    ("sleeping test", "async def slow_server():\n    await asyncio.sleep(5)"),
)
BY_NAME = {rule.name: rule for rule in rules.RULES}


def faults_in(rule: rules.Rule) -> list[str]:
    found = []
    for room in ("pos_app", "tests"):
        for file in sorted((ROOT / room).rglob("*.py")):
            path = PurePosixPath(file.relative_to(ROOT).as_posix())
            if rule.covers(path) and rule.word in text_of(file):
                found += [f"{path}:{line}: {fault}" for line, fault in rule.find(tree_of(file))]
    return found


@cache
def text_of(file: Path) -> str:
    return file.read_text(encoding="utf-8")


@cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse(text_of(file), filename=str(file))


@each("rule", rules.RULES)
def test_house_keeps_the_rule(rule: rules.Rule) -> None:
    faults = faults_in(rule)
    assert not faults, "\n".join(["", *faults])


@each(("name", "sample"), BAD)
def test_rule_finds_the_bad_sample(name: str, sample: str) -> None:
    assert list(BY_NAME[name].find(ast.parse(sample)))
    assert BY_NAME[name].word in sample


@each(("name", "sample"), GOOD)
def test_rule_leaves_the_good_sample(name: str, sample: str) -> None:
    assert list(BY_NAME[name].find(ast.parse(sample))) == []


def test_every_rule_has_samples_of_both_kinds() -> None:
    assert {name for name, _ in BAD} == set(BY_NAME) == {name for name, _ in GOOD}


def test_every_place_of_a_rule_stands() -> None:
    places = {place for rule in rules.RULES for place in (*rule.holds_in, *rule.except_in)}
    assert not sorted(place for place in places if not (ROOT / place).exists())


# --- a class name has one meaning, so that a search for it finds one thing -----------------------

_PROTOCOL = (
    "InvoiceType",
    "Payment",
    "Problem",
    "Processor",
    "TaxItem",
    "TaxLabel",
    "TransactionType",
)
TWICE = {
    **dict.fromkeys(_PROTOCOL, "the protocol's word; the development processor shares no code"),
    "ArticleShape": "receipts and the relay each name their shape of an article so",
}
"""The names that two classes have, each with the reason."""


def classes() -> dict[str, set[str]]:
    found = defaultdict[str, set[str]](set)
    for path in (ROOT / "pos_app").rglob("*.py"):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef):
                found[node.name].add(str(path.relative_to(ROOT)))
    return found


def test_a_class_name_has_one_meaning() -> None:
    twice = {name: sorted(files) for name, files in classes().items() if len(files) > 1}
    assert {name: files for name, files in twice.items() if name not in TWICE} == {}
    assert twice.keys() == TWICE.keys()
