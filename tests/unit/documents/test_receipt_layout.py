from __future__ import annotations

from decimal import Decimal

from pos_app.documents.blocks import Document, FramedNotice, Lines, QrCode
from pos_app.documents.receipt import ShopPaper
from pos_app.domain.money.discount import Percent
from pos_app.domain.receipt.request import RequestedItem
from tests.sweep import each
from tests.unit.documents import papers


def own_lines(document: Document) -> list[str]:
    """The ESIR's lines, without the processor's."""
    blocks = (block for block in document.blocks if isinstance(block, Lines) and not block.signed)
    return [line for block in blocks for line in block.text]


COFFEE = papers.item("Кафа млевена", "349.99", "2")
LOWERED = papers.item("Сир крављи, меки", "800.00", "0.500", unit="kg", total="320.00")


def discounts(*items: RequestedItem, shown: bool = True, **fields: object) -> list[str]:
    document = papers.laid_out(
        papers.receipt(total_amount=None),
        papers.request(*items, cash="10000.00", **fields),
        shop=ShopPaper(not_fiscal=False, print_discounts=shown),
    )
    return own_lines(document)[2:]


def test_discounts_are_told_line_by_line_where_the_store_prints_them() -> None:
    told = discounts(COFFEE, LOWERED)[3:-2]
    assert told == ["Сир крављи, меки/kg", "  уместо 400,00                   -80,00"]
    assert discounts(COFFEE, LOWERED, shown=False) == []
    assert discounts(COFFEE, papers.item("Хлеб", "72.50"), discount=Percent(Decimal(20))) == [
        "", "Остварени попусти", "-" * 40, "Кафа млевена/ком",
        "  уместо 699,98 (20 %)           -140,00", "Хлеб/ком",
        "  уместо 72,50 (20 %)             -14,50", "-" * 40,
        "Укупна уштеда:                    154,50",
    ]  # fmt: skip


@each("journal", [None, "", "\n\n"])
def test_without_a_journal_the_paper_comes_from_the_processor(journal: str | None) -> None:
    document = papers.laid_out(papers.receipt(journal), papers.request(cash="999.00"))

    assert document.blocks == (
        FramedNotice(("ОВО НИЈЕ РАЧУН", "РАЧУН ШТАМПА", "ПРОЦЕСОР")),
        Lines(
            (
                "Рачун је потписан, али његов текст није",
                "стигао до касе: познато је само оно што",
                "стоји у QR коду. Папир за купца штампа",
                "фискални процесор.",
                "",
                "ПФР време:           05.01.2026. 9:07:03",
                "ПФР број рачуна: ABCD1234-EFGH5678-12345",
                "Бројач рачуна:             11200/12345ПП",
                "Укупан износ:                     354,10",
            )
        ),
        QrCode(papers.URL),
    )
