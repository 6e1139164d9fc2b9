"""A class name has one meaning in the product, so that a search for it finds one thing."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
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
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ClassDef):
                found[node.name].add(str(path.relative_to(ROOT)))
    return found


def test_a_class_name_has_one_meaning() -> None:
    twice = {name: sorted(files) for name, files in classes().items() if len(files) > 1}
    assert {name: files for name, files in twice.items() if name not in TWICE} == {}
    assert twice.keys() == TWICE.keys()
