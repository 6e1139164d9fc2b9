from __future__ import annotations

from decimal import Decimal

from pos_app.documents.blocks import Document, FramedNotice, Lines, QrCode, WritingSpace
from pos_app.documents.receipt import ShopPaper
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.domain.money.discount import Percent
from pos_app.domain.receipt.request import InvoiceType, RequestedItem, TransactionType
from pos_app.pfr_emulator.invoice import InvoiceType as PfrType
from pos_app.pfr_emulator.invoice import TransactionType as PfrDirection
from tests.sweep import each
from tests.unit.documents import papers

LATIN = ReceiptLanguage.LATIN
IN_LATIN = ShopPaper(not_fiscal=False, language=LATIN)


def own_lines(document: Document) -> list[str]:
    """The ESIR's lines, without the processor's."""
    blocks = (block for block in document.blocks if isinstance(block, Lines) and not block.signed)
    return [line for block in blocks for line in block.text]


def text_of(document: Document) -> str:
    blocks = (block for block in document.blocks if not isinstance(block, QrCode | WritingSpace))
    return "\n".join(line for block in blocks for line in block.text)


def test_the_code_stands_before_the_end_line() -> None:
    document = papers.laid_out(papers.receipt(), papers.request())

    assert document.blocks == (
        Lines(tuple(papers.SALE.splitlines()[:-1]), signed=True),
        QrCode(papers.URL, side_mm=45, quiet_modules=4),
        Lines((papers.END_LINE,), signed=True),
    )


@each(
    ("shop", "words"),
    [
        (papers.SHOP, ("ПРЕГЛЕД", "НИЈЕ ОРИГИНАЛ")),
        (IN_LATIN, ("PREGLED", "NIJE ORIGINAL")),
        (papers.PRACTICE, ("РАЗВОЈНИ ПРОЦЕСОР", "НИЈЕ ФИСКАЛНИ РАЧУН")),
    ],
)
def test_a_view_and_the_development_processor_are_told_above_below_and_on_each_page(
    shop: ShopPaper, words: tuple[str, str]
) -> None:
    original = papers.laid_out(papers.receipt(), papers.request(), shop=papers.SHOP)
    is_view = shop is not papers.PRACTICE
    seen = papers.laid_out(papers.receipt(), papers.request(), shop=shop, as_view=is_view)
    notice = FramedNotice(words)
    assert (seen.blocks[0], seen.blocks[-1], seen.on_each_page) == (notice, notice, (notice,))
    if shop is papers.SHOP:
        assert seen.blocks[1:-1] == original.blocks


@each(
    ("language", "line"),
    [
        (ReceiptLanguage.CYRILLIC, "Повраћај:                         645,90"),
        (LATIN, "Povraćaj:                         645,90"),
    ],
)
def test_change_of_a_sale_stands_below_the_end_line(language: ReceiptLanguage, line: str) -> None:
    shop = ShopPaper(not_fiscal=False, language=language)
    paid = papers.request(cash="1000.00")
    refund = papers.request(cash="1000.00", transaction_type=TransactionType.REFUND)
    assert papers.laid_out(papers.receipt(), paid, shop=shop).blocks[-1] == Lines(("", line))
    for asked in (papers.request(), refund):
        assert own_lines(papers.laid_out(papers.receipt(), asked, shop=shop)) == []


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


def test_additional_text_is_broken_between_words_and_keeps_its_lines() -> None:
    text = "Хвала!\r\n\r\n  Рекламације у року од осам дана, уз рачун.\n"
    document = papers.laid_out(papers.receipt(), papers.request(additional_text=text))
    broken = ["  Рекламације у року од осам дана, уз", "рачун."]
    assert own_lines(document) == ["", "Хвала!", "", *broken]


@each("language", ReceiptLanguage)
@each("drawn_by_the_processor", [True, False])
def test_the_copy_of_a_refund_has_one_line_to_sign(
    language: ReceiptLanguage, drawn_by_the_processor: bool
) -> None:
    journal = papers.journal_of("Кафа", kind=PfrType.COPY, direction=PfrDirection.REFUND)
    if not drawn_by_the_processor:
        journal = "\r\n".join(line for line in journal.split("\r\n") if "Потпис" not in line)
    asked = papers.request(invoice_type=InvoiceType.COPY, transaction_type=TransactionType.REFUND)
    shop = ShopPaper(not_fiscal=False, language=language)
    document = papers.laid_out(papers.receipt(journal), asked, shop=shop)
    above = document.blocks[: document.blocks.index(QrCode(papers.URL))]
    lines = [line for block in above if isinstance(block, Lines) for line in block.text]

    to_sign = "Потпис купца: " if language is ReceiptLanguage.CYRILLIC else "Potpis kupca: "
    assert lines[-1] == to_sign.ljust(40, "_")
    assert above[-1] == WritingSpace(15)
    assert sum("_" in line for line in text_of(document).splitlines()) == 1


def test_where_no_address_is_known_the_paper_says_so() -> None:
    document = papers.laid_out(papers.receipt(verification_url=None), papers.request())

    told = own_lines(document)
    assert told == ["", "QR код недостаје: процесор није послао", "адресу за проверу рачуна."]
    assert not any(isinstance(block, QrCode) for block in document.blocks)


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
