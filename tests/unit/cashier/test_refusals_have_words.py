"""Every refusal of the till's core, its storage and its screens is shown in the cashier's words.

Each statement that raises NotAllowed or NotFound names its kind, and each kind has its own text:
the general "this is not possible now" helps nobody at a counter.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.words.cart_texts import fault_words
from pos_app.domain.money.number_text import parse_amount
from pos_app.errors import Invalid, NotAllowed, NotFound
from pos_app.selling.sale.receipt_drafts import FaultPart, PaymentFault

PACKAGE = Path(__file__).parents[3] / "pos_app"
GUARDS = (
    "domain/**/*.py", "selling/**/*.py", "adapters/sqlite/till/*.py",
    "adapters/sqlite/catalogue/*.py",
    "adapters/backup/restoring.py",
    "adapters/updates/elevated_start.py",
    "adapters/updates/update_channel.py",
    "bootstrap/commands/backup.py", "bootstrap/till/bulk_acts.py", "cashier/**/*.py",
)  # fmt: skip
KINDS = {"NotAllowed": NotAllowed, "NotFound": NotFound}


@dataclass(frozen=True)
class Raised:
    """One statement that refuses. kind: the expression of its kind, None without one."""

    place: str
    name: str
    kind: str | None


def raised_in(source: str, place: str = "") -> Iterator[Raised]:
    if not any(name in source for name in KINDS):
        return
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name in KINDS:
            kinds = [ast.unparse(one) for one in node.args]
            yield Raised(f"{place}:{node.lineno}", name, kinds[0] if kinds else None)


@cache
def everywhere() -> list[Raised]:
    files = sorted({path for glob in GUARDS for path in PACKAGE.glob(glob)})
    return [
        one
        for path in files
        for one in raised_in(path.read_text(encoding="utf-8"), str(path.relative_to(PACKAGE)))
    ]


def test_each_place_that_refuses_names_its_kind() -> None:
    assert [one for one in everywhere() if one.kind is None] == []
    assert len(everywhere()) > 25


def test_a_place_without_a_kind_is_found() -> None:
    found = [*raised_in("raise NotAllowed(do='x')\nraise NotFound('cart', number=1)")]
    assert [(one.name, one.kind) for one in found] == [("NotAllowed", None), ("NotFound", "'cart'")]


def test_a_fault_of_the_payment_without_words_of_its_own_has_those_of_its_kind() -> None:
    """A percentage with a doubtful comma was refused in English in a Serbian window."""
    with pytest.raises(Invalid) as refused:
        parse_amount("33,333")
    fault = PaymentFault.of(FaultPart.DISCOUNT, refused.value)
    assert fault_words(fault, Texts("sr-Cyrl")).startswith("„33,333“ може бити 33333")
    assert fault_words(fault, Texts("en")).startswith('"33,333" may be 33333')
