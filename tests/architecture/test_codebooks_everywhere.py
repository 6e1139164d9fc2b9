"""Payment methods and codes of the processor have their words, and a row in each table by them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from pos_app.cashier.payment.payment_texts import ICONS
from pos_app.cashier.texts.lookup import LANGUAGES, Language, Texts
from pos_app.documents import receipt_journal, shift_papers
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.setup import processor
from pos_app.pfr_emulator.invoice import PaymentType
from pos_app.pfr_emulator.journal import PAYMENTS
from pos_app.selling.receipts import export
from pos_app.settings.shapes import TillSettings
from pos_app.wire.pfr import PAYMENT_TYPES
from pos_app.wire.strict_json import dumps
from pos_app.wire.update_manifest import release_from_json

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("where", "methods"),
    [
        ("pos_app/wire/pfr.py: PAYMENT_TYPES", PAYMENT_TYPES),
        ("pos_app/documents/receipt_journal.py: METHODS", receipt_journal.METHODS.values()),
        ("pos_app/documents/shift_papers.py: METHODS", map(PaymentMethod, shift_papers.METHODS)),
        ("pos_app/selling/receipts/export.py: METHODS", export.METHODS),
        ("pos_app/cashier/payment/payment_texts.py: ICONS", ICONS),
    ],
)
def test_it_has_each_method(where: str, methods: Iterable[PaymentMethod]) -> None:
    assert sorted(methods) == sorted(PaymentMethod), where


def test_the_development_processor_has_each_number_and_its_words() -> None:
    assert sorted(PAYMENT_TYPES.values()) == sorted(PaymentType), "pos_app/pfr_emulator/invoice.py"
    assert sorted(PAYMENTS) == sorted(PaymentType), "pos_app/pfr_emulator/journal.py: PAYMENTS"


def test_each_code_that_decides_something_has_its_meaning() -> None:
    """An answer calls a code without one an unknown code."""
    decided = processor.CURABLE | processor.WRONG_DOCUMENT | {*processor.WARNINGS}
    assert decided | {*processor.PIN_RESULTS} <= processor.CODES.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_code_of_a_refusal_has_its_text(language: Language) -> None:
    refusals = sorted(processor.CURABLE | processor.WRONG_DOCUMENT)
    assert [one for one in refusals if not Texts(language).has(f"att.pfr.{one}")] == []


def test_each_code_stands_in_the_reference() -> None:
    page = (ROOT / "docs/reference/fiscal.md").read_text("utf-8")
    table = page.partition("| code | meaning |")[2].partition("\n\n")[0]
    assert set(re.findall(r"[0-9]{4}", table)) == processor.CODES.keys()


def test_each_language_can_be_chosen() -> None:
    """A language that the settings refuse would be lost at the next start; without one in a till's
    launcher or its updates another is shown there."""
    assert get_args(get_type_hints(TillSettings)["language"]) == LANGUAGES
    launcher = (ROOT / "packaging/windows/launcher.c").read_text("utf-8")
    assert [one for one in LANGUAGES if f'{{L"{one}",' not in launcher] == []
    setup = (ROOT / "packaging/windows/setup.nsi").read_text("utf-8")
    assert [one for one in LANGUAGES[1:] if f'StrCpy $0 "{one}"' not in setup] == [], "setup.nsi"
    page = (ROOT / "docs/reference/settings.md").read_text("utf-8")
    assert [one for one in LANGUAGES if f'`"{one}"`' not in page] == [], (
        "docs/reference/settings.md"
    )
    named = [f"{key}.{one}" for key in ("language", "set.value.till.language") for one in LANGUAGES]
    unnamed = [(one, key) for one in LANGUAGES for key in named if not Texts(one).has(key)]
    assert unnamed == []


def test_a_newer_version_is_described_in_each_language() -> None:
    installer = {"url": "https://example/a", "name": "a.exe", "size": 1, "sha256": "0" * 64}
    manifest = {
        "product": "pos-app",
        "version": "9.0.0",
        "publishedAt": "2026-11-20T10:00:00.000Z",
        "notes": dict.fromkeys(LANGUAGES, "x"),
        "page": "https://example/",
        "installers": {"windows": installer},
    }
    assert release_from_json(dumps(manifest)).notes.keys() == set(LANGUAGES)
