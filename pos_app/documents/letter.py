"""The mail that brings a receipt: subject, text, HTML, and the name of the attached file.

The receipt's contents and the shop's name come from outside: in the HTML they are escaped, and the
verification address is a link only if it is https.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from html import escape

from pos_app.documents.words import PaperWords, clock_text
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.lazy_dataclass import dataclass

_NOT_IN_FILE_NAMES = re.compile(r"[^A-Za-z0-9-]+")


@dataclass(frozen=True, slots=True)
class ReceiptLetter:
    subject: str
    text: str
    html: str
    file_name: str


def receipt_letter(
    receipt: SignedReceipt, *, shop: str, language: ReceiptLanguage, not_fiscal: bool
) -> ReceiptLetter:
    words = PaperWords(language)
    facts = _facts(receipt, words)
    before = [words.text("Поштовани,"), words.text("у прилогу је Ваш рачун.")]
    if not_fiscal:
        before.append(words.text("Ово није фискални рачун."))
    after = [words.text("Хвала на поверењу."), shop]
    text_lines = [f"{label}: {value}" for label, value in facts]
    number = _NOT_IN_FILE_NAMES.sub("-", receipt.invoice_number)
    return ReceiptLetter(
        subject=f"{words.text('Рачун')} {receipt.invoice_number}, {shop}",
        text="\n\n".join([*before, "\n".join(text_lines), "\n".join(after)]) + "\n",
        html=_html(before, facts, after),
        file_name=f"racun-{number}.pdf",
    )


def trial_letter(*, shop: str, language: ReceiptLanguage, at: datetime) -> ReceiptLetter:
    """A mail that proves that the shop's mail arrives; nothing is attached."""
    words = PaperWords(language)
    text = words.text("Ово је пробна порука. Пошта продавнице ради и рачуни могу да се шаљу.")
    return ReceiptLetter(
        subject=f"{words.text('Пробна порука')} {clock_text(at)}, {shop}",
        text=f"{text}\n\n{shop}\n",
        html="",
        file_name="",
    )


def _facts(receipt: SignedReceipt, words: PaperWords) -> list[tuple[str, str]]:
    facts = [
        (words.text("Број рачуна"), receipt.invoice_number),
        (words.text("Време"), clock_text(receipt.sdc_time)),
    ]
    if receipt.total_amount is not None:
        amount = f"{amount_text(receipt.total_amount)} {words.text('РСД')}"
        facts.append((words.text("Износ"), amount))
    if receipt.verification_url:
        facts.append((words.text("Провера рачуна"), receipt.verification_url))
    return facts


def _html(before: Iterable[str], facts: Iterable[tuple[str, str]], after: Iterable[str]) -> str:
    opening = "".join(f"<p>{escape(text_line)}</p>" for text_line in before)
    cells = (f"<td>{escape(label)}</td><td>{_value_html(value)}</td>" for label, value in facts)
    table = "".join(f"<tr>{row}</tr>" for row in cells)
    closing = "<br>".join(escape(text_line) for text_line in after)
    body = f"{opening}<table>{table}</table><p>{closing}</p>"
    return f"<!doctype html><html><body>{body}</body></html>"


def _value_html(value: str) -> str:
    if not value.startswith("https://"):
        return escape(value)
    return f'<a href="{escape(value)}">{escape(value.partition("?")[0])}</a>'
