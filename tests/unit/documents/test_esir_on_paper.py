"""The ESIR's words beside those of a processor: where they stand, and when there are none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pos_app.documents import blocks
from pos_app.documents.receipt import ShopPaper, layout
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.domain.money.bank_account import BankAccount
from pos_app.domain.money.ips import IpsPayee
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt import esir_part
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from tests.sweep import each
from tests.unit.documents import papers

ACCOUNT = BankAccount.parse("840-955845-10")
OTHER_ACCOUNT = BankAccount.parse("310-1234567891211-86")
PAYEE = IpsPayee(ACCOUNT, "Trgovina Ljubica\nBeograd")
CLOSING = esir_part.EsirPart(
    advance=esir_part.AdvanceFigures(
        paid=Money("300.00"), vat=Money("43.18"), remaining=Money("54.10")
    ),
    last_advance=esir_part.ReceiptReference("ABCD1234-EFGH5678-12001", papers.NOON),
)


def paper(
    *,
    esir: esir_part.EsirPart | None = None,
    shop: ShopPaper = papers.SHOP,
    signed: SignedReceipt | None = None,
    **fields: Any,
) -> blocks.Document:
    """The paper of the sale over 354.10; `fields` change the document that was signed."""
    document, plain = papers.asked_for(papers.request())
    return layout(
        receipt=signed or papers.receipt(),
        document=replace(document, **fields),
        esir=esir or plain,
        shop=shop,
    )


def below(document: blocks.Document) -> list[str]:
    """All lines under the end line."""
    end = document.blocks.index(blocks.Lines((papers.END_LINE,), signed=True))
    return [line for block in document.blocks[end + 1 :] for line in shown(block)]


def shown(block: object) -> tuple[str, ...]:
    match block:
        case blocks.PaymentCode(caption=caption):
            return caption
        case blocks.Lines(text) | blocks.Heading(text) | blocks.FramedNotice(text):
            return text
        case _:
            return ()


# --- the order of all parts ------------------------------------------------------------------

EVERYTHING = esir_part.EsirPart(
    lowered=(esir_part.LoweredLine("Хлеб бели/ком", Money("120.00"), Money("113.10")),),
    additional_text="Радно време 08–20",
    advance=CLOSING.advance,
    last_advance=CLOSING.last_advance,
    is_unchecked=True,
)
BUSY_SHOP = ShopPaper(
    not_fiscal=False,
    print_discounts=True,
    print_bank_accounts=True,
    header=("Продавница „Љубица“", "Булевар краља Александра 12"),
    footer=("Хвала на посети!",),
    accounts=(ACCOUNT, OTHER_ACCOUNT),
    payee=PAYEE,
)


@each("language", ReceiptLanguage)
def test_all_parts_in_their_order(language: ReceiptLanguage) -> None:
    transfer = (PaymentMethod.WIRE_TRANSFER, Money("50.00")), (PaymentMethod.CASH, Money("10.00"))
    document = paper(esir=EVERYTHING, shop=replace(BUSY_SHOP, language=language), payments=transfer)
    lines = [line for block in document.blocks for line in shown(block)]
    shop_and_signed = 2 + len(papers.SALE.splitlines())

    assert lines[shop_and_signed:] == IN_EACH_SCRIPT[language].splitlines()


IN_EACH_SCRIPT = {
    ReceiptLanguage.CYRILLIC: """\

Плаћено авансом:                  300,00
ПДВ на авансу:                     43,18
Преостало за плаћање:              54,10

Последњи авансни рачун:
                 ABCD1234-EFGH5678-12001
                     05.01.2026. 9:07:03

Рефундирани рачун није из овог система,
раније рефундације нису проверене.

Повраћај:                           5,90

Остварени попусти
----------------------------------------
Хлеб бели/ком
  уместо 120,00                    -6,90
----------------------------------------
Укупна уштеда:                      6,90

Текући рачуни:             840-955845-10
                    310-1234567891211-86

Радно време 08–20
NBS IPS QR
ЗА ПЛАЋАЊЕ ИЗ БАНКЕ
Ово није QR код фискалног рачуна.
Износ: 50,00 RSD

            Хвала на посети!
""",
    ReceiptLanguage.LATIN: """\

Plaćeno avansom:                  300,00
PDV na avansu:                     43,18
Preostalo za plaćanje:             54,10

Poslednji avansni račun:
                 ABCD1234-EFGH5678-12001
                     05.01.2026. 9:07:03

Refundirani račun nije iz ovog sistema,
ranije refundacije nisu proverene.

Povraćaj:                           5,90

Ostvareni popusti
----------------------------------------
Hleb beli/kom
  umesto 120,00                    -6,90
----------------------------------------
Ukupna ušteda:                      6,90

Tekući računi:             840-955845-10
                    310-1234567891211-86

Радно време 08–20
NBS IPS QR
ZA PLAĆANJE IZ BANKE
Ovo nije QR kod fiskalnog računa.
Iznos: 50,00 RSD

            Хвала на посети!
""",
}


# --- change ----------------------------------------------------------------------------------


@each(
    ("payments", "shown_change"),
    [
        ([("cash", "54.10")], None),
        ([("cash", "60.00")], "5,90"),
        ([("card", "54.10")], None),
        ([("card", "50.00"), ("cash", "10.00")], "5,90"),
        ([("cash", "0.00")], None),
    ],
)
def test_of_a_closing_only_what_exceeds_the_remainder_is_change(
    payments: list[tuple[str, str]], shown_change: str | None
) -> None:
    """Its total is the full price, its payments are what the advances left (fiscal.md 6.2)."""
    given = tuple((PaymentMethod(name), Money(amount)) for name, amount in payments)
    lines = below(paper(esir=CLOSING, payments=given))
    told = [line.split()[-1] for line in lines if line.startswith("Повраћај:")]

    assert told == ([] if shown_change is None else [shown_change])


# --- reversals -------------------------------------------------------------------------------


REVERSAL: dict[str, Any] = {
    "esir": esir_part.EsirPart(is_reversal=True),
    "payments": ((PaymentMethod.WIRE_TRANSFER, Money("354.10")),),
    "referent_number": "ABCD1234-EFGH5678-12001",
    "referent_time": papers.NOON,
}


@each(
    ("language", "words"),
    [(ReceiptLanguage.CYRILLIC, "Поништава рачун:"), (ReceiptLanguage.LATIN, "Poništava račun:")],
)
def test_a_reversal_says_what_it_undoes_and_asks_for_no_money(
    language: ReceiptLanguage, words: str
) -> None:
    shop = replace(BUSY_SHOP, language=language, footer=())
    document = paper(shop=shop, **REVERSAL)
    lines = [line for block in document.blocks for line in shown(block)]
    assert lines[-3:] == ["", words, "ABCD1234-EFGH5678-12001".rjust(40)]
    assert not any(isinstance(block, blocks.PaymentCode) for block in document.blocks)
    plain = replace(BUSY_SHOP, footer=())
    assert below(paper(shop=plain, **REVERSAL | {"invoice_type": InvoiceType.COPY})) == []
    sold = paper(shop=shop, **REVERSAL | {"esir": esir_part.EsirPart()})
    assert any(isinstance(block, blocks.PaymentCode) for block in sold.blocks)


# --- bank accounts ---------------------------------------------------------------------------


TRANSFER = ((PaymentMethod.WIRE_TRANSFER, Money("354.10")),)


WITH_ACCOUNT = ShopPaper(not_fiscal=False, print_bank_accounts=True, accounts=(ACCOUNT,))


@each(
    ("shop", "fields", "shown"),
    [
        (WITH_ACCOUNT, {"payments": TRANSFER}, ["Текући рачун:              840-955845-10"]),
        (replace(WITH_ACCOUNT, print_bank_accounts=False), {"payments": TRANSFER}, []),
        (replace(WITH_ACCOUNT, accounts=()), {"payments": TRANSFER}, []),
        (WITH_ACCOUNT, {}, []),  # paid in cash
        (WITH_ACCOUNT, {"payments": TRANSFER, "transaction_type": TransactionType.REFUND}, []),
    ],
)
def test_an_account_stands_where_it_has_a_use(
    shop: ShopPaper, fields: dict[str, Any], shown: list[str]
) -> None:
    assert [line for line in below(paper(shop=shop, **fields)) if line] == shown


# --- the code to pay by ----------------------------------------------------------------------


PARTLY = ((PaymentMethod.CARD, Money("300.00")), (PaymentMethod.WIRE_TRANSFER, Money("54.10")))


@each(
    ("fields", "amount"),
    [
        ({"invoice_type": InvoiceType.PROFORMA}, "I:RSD354,10"),
        ({"payments": TRANSFER}, "I:RSD354,10"),
        ({"payments": PARTLY}, "I:RSD54,10"),
        ({}, None),
        # There is no code where the money has come already, for a second copy, in training, or
        # where money goes back.
        ({"payments": TRANSFER, "invoice_type": InvoiceType.ADVANCE}, None),
        ({"payments": TRANSFER, "invoice_type": InvoiceType.COPY}, None),
        ({"payments": TRANSFER, "invoice_type": InvoiceType.TRAINING}, None),
        ({"payments": TRANSFER, "transaction_type": TransactionType.REFUND}, None),
    ],
)
def test_what_is_to_be_paid_by_the_code_and_what_is_not_fiscal_says_so_on_each_page(
    fields: dict[str, Any], amount: str | None
) -> None:
    document = paper(shop=ShopPaper(not_fiscal=False, payee=PAYEE), **fields)
    found = [block for block in document.blocks if isinstance(block, blocks.PaymentCode)]
    assert [block.text.split("|")[5] for block in found] == ([amount] if amount else [])
    notice = (blocks.FramedNotice(("ОВО НИЈЕ", "ФИСКАЛНИ РАЧУН")),)
    is_fiscal = fields.get("invoice_type", InvoiceType.NORMAL) in ("normal", "advance")
    assert document.on_each_page == (() if is_fiscal else notice)


@each(
    ("number", "tags"),
    [
        ("ABCD1234-EFGH5678-12345", "S:Račun ABCD1234-EFGH5678-12345|RO:972012345"),
        ("ABCD1234-EFGH5678-1234567890", "S:Račun ABCD1234-EFGH5678-1234567890|RO:97921234567890"),
        ("ABCD1234-EFGH5678-" + "1" * 12, f"S:ABCD1234-EFGH5678-{'1' * 12}|RO:9717{'1' * 12}"),
        ("без броја|", "S:Račun без броја"),
        ("", "S:Račun"),
    ],
)
def test_the_payment_names_its_receipt(number: str, tags: str) -> None:
    shop = ShopPaper(not_fiscal=False, payee=PAYEE)
    document = paper(shop=shop, signed=papers.receipt(invoice_number=number), payments=TRANSFER)
    (code,) = (block for block in document.blocks if isinstance(block, blocks.PaymentCode))

    assert code.text.partition("|SF:221|")[2] == tags


# --- the shop's own words --------------------------------------------------------------------


def test_long_words_of_the_shop_are_broken_and_its_commands_taken_out() -> None:
    shop = ShopPaper(
        not_fiscal=False,
        header=("  Продавница мешовите робе „Љубица и синови“, Београд", "", "тел.\x1b@ 011"),
        footer=("Рекламације у року од осам дана, уз рачун.", "\x07"),
    )
    document = paper(shop=shop)

    assert document.blocks[0] == blocks.Heading(
        ("Продавница мешовите робе „Љубица и", "синови“, Београд", "", "тел. @ 011")
    )
    told = below(document)
    assert told == ["", "  Рекламације у року од осам дана, уз", "                 рачун."]
