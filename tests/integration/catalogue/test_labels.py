"""Label sheets: each bar code is read again by another program, and only new labels are printed."""

from __future__ import annotations

import pypdfium2
import pytest
import zxingcpp

from pos_app.adapters.pdf.price_labels import label_sheet
from pos_app.adapters.pdf.typeface import Typefaces
from pos_app.documents.bar_codes import bar_code
from pos_app.documents.price_labels import PriceLabel, in_lines
from pos_app.errors import Invalid
from tests.integration.catalogue.test_sheets import NOW, shop

__all__ = ["shop"]
CODES = (
    "8600123450144", "4006381333931", "96385074", "036000291452", "2094", "13", "7", "LOT-17/b",
)  # fmt: skip


def read(pdf: bytes) -> list[list[tuple[str, str]]]:
    """Return format and text of each bar code, page by page."""
    pages = []
    document = pypdfium2.PdfDocument(pdf)
    for page in document:
        found = zxingcpp.read_barcodes(page.render(scale=4).to_pil())
        pages.append([(one.format.name, one.text) for one in found])
    document.close()
    return pages


def test_each_code_is_read_again() -> None:
    labels = [PriceLabel(f"Артикал {code}", "1.149,00", "", code, bar_code(code)) for code in CODES]
    (found,) = read(label_sheet(labels, faces=Typefaces(), at=NOW))
    formats = {text.lstrip("0"): name for name, text in found}
    assert set(formats) == {code.lstrip("0") for code in CODES}
    assert (formats["8600123450144"], formats["LOT-17/b"]) == ("EAN13", "Code128")


def test_names_are_cut_by_words() -> None:
    assert in_lines("Сир млади", letters=20) == ["Сир млади"]
    assert in_lines("Сир млади домаћи крављи", letters=12) == ["Сир млади", "домаћи крав…"]
    for code in ("", "ж", "x" * 25):
        with pytest.raises(Invalid):
            bar_code(code)
