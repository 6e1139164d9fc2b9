"""An X, a Z and a slip of cash, line by line."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

from pos_app.documents import blocks
from pos_app.documents.shift_papers import CashSlip, cash_paper, report_paper
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.domain.money.money import Money
from pos_app.domain.receipt import shift_report
from tests.sweep import each

AT = datetime(2026, 11, 20, 19, 9, tzinfo=UTC)
TAKINGS = shift_report.Takings(
    turnover=Money("473173.23"),
    receipts=231,
    methods=(
        shift_report.Sum("cash", Money("289533.64")),
        shift_report.Sum("card", Money("149531.25")),
    ),
    cashiers=(
        shift_report.Sum("Милош Илић", Money("287296.30")),
        shift_report.Sum("Драгана Петровић", Money("185876.93")),
    ),
    hours=(
        shift_report.HourSum(10, Money("56555.10")),
        shift_report.HourSum(12, Money("28277.55")),
    ),
    refunds=shift_report.Sum("refunds", Money("-610.96"), 2),
    corrections=shift_report.Sum("corrections", Money(4780), 1),
    unsigned=shift_report.Sum("unsigned", Money(0)),
    signed_later=shift_report.Sum("signed_later", Money("58.99"), 1),
)
DRAWER = shift_report.CountedDrawer(
    parts=(
        shift_report.PartSum(shift_report.CashPart.FLOAT, Money(10000)),
        shift_report.PartSum(shift_report.CashPart.OUT, Money(-150000)),
    ),
    expected=Money(152541),
    differences=(
        shift_report.Difference("cash", Money(152541), Money(152511), "Кусур"),
        shift_report.Difference("card", Money(100), Money(100)),
    ),
    counted=Money(152511),
    counts=2,
    stays=Money(10000),
    taken=Money(142511),
    earlier=(Money(2511),),
)
SERVER = shift_report.FromServer(
    AT,
    labels=(shift_report.LabelSum("Ђ", Decimal(20), Money("304152.46"), Money("50692.08")),),
    closed_advances=shift_report.Sum("closed_advances", Money(-5000), 1),
    others=(
        shift_report.Sum("Веб-продаја", Money(5460), 2),
        shift_report.Sum("relay:f285f11e-account:324b330c-client", Money(770), 1),
    ),
    categories=(shift_report.Sum("Пекара", Money(100)), shift_report.Sum("", Money(50))),
)
Z = shift_report.ShiftReport(
    7,
    "Каса 2",
    AT,
    "Милош Илић",
    AT,
    "Драгана Петровић",
    is_closed=True,
    takings=TAKINGS,
    acts=shift_report.ActSums(3, 1, Money(250), 4, Money("99.50")),
    drawer=DRAWER,
    server=SERVER,
)


def lines(paper: blocks.Document) -> list[str]:
    return [
        line for block in paper.blocks if isinstance(block, blocks.Lines) for line in block.text
    ]


def told(paper: blocks.Document) -> dict[str, str]:
    """The text at the left of each row, and the last word."""
    rows = (line.rsplit(None, 1) for line in lines(paper) if len(line.split()) > 1)
    return {label.strip(): value for label, value in rows}


def paper_of(
    report: shift_report.ShiftReport, language: ReceiptLanguage = ReceiptLanguage.CYRILLIC
) -> blocks.Document:
    return report_paper(report, shop=("Пекара Зора",), language=language)


def test_a_z_tells_all_of_a_shift() -> None:
    said = told(paper_of(Z))
    expected = {
        "ПРОМЕТ": "473.173,23", "Готовина": "289.533,64", "Картица": "149.531,25",
        "Ђ 20 %": "304.152,46", "ПДВ": "50.692,08", "Пекара": "100,00", "Без категорије": "50,00",
        "Драгана Петровић": "185.876,93", "Рефундације купцима, 2": "-610,96",
        "Исправке, једном, 1": "4.780,00", "Попусти, 4": "99,50", "Одбачене корпе, 1": "250,00",
        "Отварања фиоке без продаје": "3", "Непотписано": "0,00", "Потписано касније, 1": "58,99",
        "Затворени аванси, 1": "-5.000,00", "Веб-продаја, 2": "5.460,00",
        "преко платформе, 1": "770,00", "Очекивано у фиоци": "152.541,00",
        "Избројано": "152.511,00", "Разлика, Готовина": "-30,00", "разлог:": "Кусур",
        "Бројано пута": "2", "раније избројано": "2.511,00", "Износи се": "142.511,00",
        "Остаје у фиоци": "10.000,00",
    }  # fmt: skip
    assert {label: said.get(label) for label in expected} == expected
    assert "Разлика, Картица" not in said


def test_an_x_has_no_count_and_one_without_cash_no_drawer() -> None:
    x = replace(Z, is_closed=False, drawer=replace(DRAWER, counted=None))
    said = told(paper_of(x))
    assert "Очекивано у фиоци" in said
    assert "Избројано" not in said
    assert paper_of(x).title == "X ИЗВЕШТАЈ 7"
    assert "Очекивано у фиоци" not in told(paper_of(replace(x, drawer=None)))
    large, name = Money("99999999999.99"), "Предугачко име касирке која ради у две смене " * 2
    takings = replace(TAKINGS, cashiers=(shift_report.Sum(name, large),), turnover=large)
    long = replace(Z, takings=takings, opened_by=name, told_by=name)
    assert max(map(len, lines(paper_of(long)))) <= blocks.COLUMNS, "it stays within the paper"


def test_it_is_in_latin_where_the_shop_writes_so() -> None:
    paper = paper_of(Z, ReceiptLanguage.LATIN)
    assert "PROMET" in told(paper)
    assert paper.title == "Z IZVEŠTAJ 7"
    assert "Милош Илић" in " ".join(lines(paper))  # a name keeps its script
    words = " ".join(lines(paper_of(replace(Z, server=None))))
    assert "сервер их није рекао" in words
    assert "ПДВ" not in words


@each("kind", ["in", "out", "drop", "change"])
def test_cash_has_a_paper_to_sign(kind: str) -> None:
    bag = 12 if kind == "drop" else None
    slip = CashSlip(kind, Money(50000), "пазар", "Мира", AT, bag)
    paper = cash_paper(slip, shop=(), language=ReceiptLanguage.CYRILLIC)
    said = told(paper)
    assert (said["Износ:"], said["Разлог:"]) == ("50.000,00", "пазар")
    assert said.get("Кеса број:") == ("12" if bag else None)
    assert any("Предао" in line and "Примио" in line for line in lines(paper))
    assert isinstance(paper.blocks[0], blocks.FramedNotice)
