"""The report of acts describes each act in the words of the screens."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

from pos_app.cashier.reports.words import ReportWords
from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.catalogue.catalogue import PriceCause, PriceChange
from pos_app.selling.people.acts import ActRow, NotedAct
from pos_app.selling.reports.own import NOT_ASKED, acts_report, prices_report
from pos_app.selling.reports.periods import Period
from pos_app.selling.reports.receivables import CollectedPayment
from pos_app.selling.reports.report import ReportChoice, ReportName, collected_report
from tests.sweep import each

AT = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
Cells = tuple[str, str, str]
TOLD: dict[str, tuple[NotedAct, Cells, Cells]] = {
    # what is noted: subject, before, after; what is told: the same in words
    "a float that was left": (NotedAct.SHIFT_OPENED, ("left", "", "500.00"),
     ("затечено како је остављено", "", "500,00")),
    "a right": (NotedAct.RIGHTS, ("refund cashier", "asks", "never"),
     ("Рефундација са рачуном, касир", "уз одобрење", "не сме")),
    "a person": (NotedAct.PERSON, ("Ана", "Ана, cashier", "Ана, lead, pin, no_badge"),
     ("Ана", "Ана, касир", "Ана, вођа смене, нови ПИН, без значке")),
    "a value of the settings": (NotedAct.SETTINGS, ("till.refund_needs_manager", "False", "True"),
     ("За рефундацију се тражи ПИН управника", "не", "да")),
    "a choice of the settings": (NotedAct.SETTINGS, ("people.cart_of_another", "ask", "hold"),
     ("Корпа коју је оставио други касир", "питај: преузми или остави", "остави је на страну")),
    "a number of the settings": (NotedAct.SETTINGS, ("till.ask_above_pieces", "100", "12"),
     ("Комада преко", "100", "12")),
    "a drop to the safe": (NotedAct.CASH_OUT, ("drop 7", "", "5000.00"),
     ("Предај у сеф, Кеса број 7.", "", "5.000,00")),
    "change from the safe": (NotedAct.CASH_IN, ("change", "", "500.00"),
     ("Ситнина из сефа", "", "500,00")),
    "cash with a reason of the cashier's own": (NotedAct.CASH_OUT, ("Пиљар", "", "500.00"),
     ("Пиљар", "", "500,00")),
    "a new person": (NotedAct.PERSON, ("Ана", "", "cashier"), ("Ана", "", "касир")),
    "another role": (NotedAct.PERSON, ("Ана", "Ана, cashier", "Ана, lead"),
     ("Ана", "Ана, касир", "Ана, вођа смене")),
    "a refund that was undone": (NotedAct.DECISION, ("undo ABCD1234-ABCD1234-7", "", ""),
     ("Поништена рефундација ABCD1234-ABCD1234-7", "", "")),
    "a backup that was put back": (NotedAct.PUT_BACK, ("24.11.2026. 14:00", "", ""),
     ("24.11.2026. 14:00", "", "")),
    "a page of the settings": (NotedAct.SETTINGS, ("printer", "", ""), ("Штампачи", "", "")),
    "a wrong PIN": (NotedAct.PIN_WRONG, ("Ана", "", ""), ("Ана", "", "")),
    "a line that was removed": (NotedAct.LINE_REMOVED, ("Сир", "189.99", ""),
     ("Сир", "189,99", "")),
    "a lower quantity": (NotedAct.LINE_LESS, ("Сир", "379.98", "189.99"),
     ("Сир", "379,98", "189,99")),
    "a discount": (NotedAct.DISCOUNT, ("Сир", "", "12.5%"), ("Сир", "", "12,5\u00a0%")),
    "a discount of the whole": (NotedAct.CART_DISCOUNT, ("", "5%", "100.00"),
     ("", "5\u00a0%", "100,00")),
    "the discount that is given unasked": (NotedAct.RIGHTS, ("discount cashier", "5%", "10%"),
     ("Попуст на ставку или рачун, касир", "5\u00a0%", "10\u00a0%")),
    "an address in the settings": (NotedAct.SETTINGS, ("mail.host", "192.168.1.10", "10.0.250.7"),
     ("Сервер", "192.168.1.10", "10.0.250.7")),
    "a held cart": (NotedAct.CART_SUSPENDED, ("", "", "189.99"), ("", "", "189,99")),
    "a dropped cart": (NotedAct.CART_DROPPED, ("Купац је одустао", "189.99", ""),
     ("Купац је одустао", "189,99", "")),
    "a cart of another": (NotedAct.CART_TAKEN_OVER, ("", "Ана", "189.99"), ("", "Ана", "189,99")),
    "a refund": (NotedAct.REFUND, ("Неисправно", "", "189.99"), ("Неисправно", "", "189,99")),
    "a copy": (NotedAct.COPY, ("", "", "189.99"), ("", "", "189,99")),
    "training": (NotedAct.TRAINING, ("", "", "189.99"), ("", "", "189,99")),
    "a sale without a processor": (NotedAct.QUEUED, ("", "", "189.99"), ("", "", "189,99")),
    "the drawer": (NotedAct.DRAWER, ("", "", ""), ("", "", "")),
    "a further paper": (NotedAct.REPRINT, ("ABCD1234-ABCD1234-7", "", ""),
     ("ABCD1234-ABCD1234-7", "", "")),
    "money that came in": (NotedAct.COLLECTED, ("ABCD1234-ABCD1234-7", "", "1200.00"),
     ("ABCD1234-ABCD1234-7", "", "1.200,00")),
    "money that was given back, taken back":
     (NotedAct.COLLECTED_TAKEN_BACK, ("ABCD1234-ABCD1234-7", "-5.00", ""),
      ("ABCD1234-ABCD1234-7", "−5,00", "")),
    "an X": (NotedAct.X_REPORT, ("", "", ""), ("", "", "")),
    "a count": (NotedAct.COUNTED, ("7", "", "500.00"), ("Смена 7", "", "500,00")),
    "a closed shift": (NotedAct.SHIFT_CLOSED, ("7, Кусур, 2 новчанице", "530.00", "500.00"),
     ("Смена 7, Кусур, 2 новчанице", "530,00", "500,00")),
    "the catalogue": (NotedAct.CATALOGUE, ("Сир", "", ""), ("Сир", "", "")),
    "an article with a number as its name": (NotedAct.CATALOGUE, ("1917", "", ""),
     ("1917", "", "")),
    "many articles at once": (NotedAct.CATALOGUE, ("many 112", "", ""),
     ("Измењених артикала: 112", "", "")),
    "the platform's page": (NotedAct.SETTINGS, ("platform", "", ""),
     ("Платформа и кључеви", "", "")),
    "an article": (NotedAct.PRICE, ("Сир: млади", "189.99", "150.00"),
     ("Сир: млади", "189,99", "150,00")),
}  # fmt: skip


KINDS = {
    NotedAct.PIN_WRONG: "Погрешан ПИН", NotedAct.LINE_REMOVED: "Уклоњена ставка",
    NotedAct.LINE_LESS: "Смањена количина", NotedAct.PRICE: "Промењена цена",
    NotedAct.DISCOUNT: "Попуст",
    NotedAct.CART_DISCOUNT: "Попуст на корпу", NotedAct.CART_SUSPENDED: "Корпа остављена",
    NotedAct.CART_DROPPED: "Корпа одбачена", NotedAct.CART_TAKEN_OVER: "Корпа преузета",
    NotedAct.REFUND: "Рефундација", NotedAct.COPY: "Копија", NotedAct.TRAINING: "Обука",
    NotedAct.QUEUED: "Продаја без процесора", NotedAct.DRAWER: "Отворена фиока",
    NotedAct.REPRINT: "Поновна штампа", NotedAct.X_REPORT: "Х извештај",
    NotedAct.SHIFT_OPENED: "Отворена смена", NotedAct.COUNTED: "Бројана фиока",
    NotedAct.SHIFT_CLOSED: "Затворена смена", NotedAct.CASH_IN: "Унос готовине",
    NotedAct.CASH_OUT: "Износ готовине", NotedAct.PERSON: "Измена корисника",
    NotedAct.RIGHTS: "Измена права",
    NotedAct.CATALOGUE: "Каталог", NotedAct.SETTINGS: "Подешавања", NotedAct.DECISION: "Одлука",
    NotedAct.PUT_BACK: "Враћена копија", NotedAct.COLLECTED: "Уписана наплата",
    NotedAct.COLLECTED_TAKEN_BACK: "Поништена наплата",
}  # fmt: skip


def test_each_kind_of_act_that_is_asked_about_is_tried() -> None:
    """A new kind needs its words."""
    asked_about = set(NotedAct) - NOT_ASKED
    assert {done for done, _, _ in TOLD.values()} == asked_about
    assert set(KINDS) == asked_about


@each("name", TOLD)
def test_an_act_is_told_in_the_words_of_the_screens(name: str) -> None:
    done, noted, told = TOLD[name]
    day = Period(date(2026, 11, 20), date(2026, 11, 20))
    choice = ReportChoice(ReportName.ACTS, day, day)
    table = acts_report(choice, [ActRow(AT, "Мира", done, *noted)]).table
    words = ReportWords(Texts("sr-Cyrl"), {})
    (line,) = table.lines
    said = {
        column.name: words.cell(column, cell)
        for column, cell in zip(table.columns, line.cells, strict=True)
    }
    assert said["act"] == KINDS[done]
    assert (said["subject"], said["was"], said["now"]) == told


def test_a_change_of_many_prices_tells_its_percentage() -> None:
    """The difference is of one unit."""
    period = Period(AT.date(), AT.date())
    article = ("p1", 1, "Хлеб", Money("60"), Money("54"), AT, "Мира", 1, PriceCause.BULK)
    planned = (*article[:-1], PriceCause.PLAN)
    changes = [
        PriceChange(*article, Decimal(-10), TaxLabel.E, "ком"),
        PriceChange(*planned, Decimal(-10), TaxLabel.E, "ком"),
        *(
            PriceChange(*article[:6], by, *article[7:], None, TaxLabel.E, "ком")
            for by in ("Мира", "https://kasa.example.rs:8443/v2 pk_PqjX", "file")
        ),
    ]
    report = prices_report(ReportChoice(ReportName.PRICES, period, period), changes)
    words = ReportWords(Texts("sr-Cyrl"), {TaxLabel.E: Decimal(10)})
    sheet = words.sheet(report, shop="", made=AT)
    heads = [one.head for one in sheet.columns]
    rows = [dict(zip(heads, row, strict=True)) for row in sheet.rows]
    wanted = ("Јединица", "Ознака", "Разлика по јединици", "Узрок")
    assert [[row[head] for head in wanted] for row in rows] == [
        ["ком", "Е · 10\u00a0%", Decimal("-6.00"), "више артикала, −10\u00a0%"],
        ["ком", "Е · 10\u00a0%", Decimal("-6.00"), "планирана цена, −10\u00a0%"],
        *3 * [["ком", "Е · 10\u00a0%", Decimal("-6.00"), "промена више артикала"]],
    ]
    who = [*3 * ["Мира"], "платформа kasa.example.rs:8443", "списак из датотеке"]
    assert [row["Ко"] for row in rows] == who
    by = report.table.columns[-1]
    assert [words.cell(by, line.cells[-1]) for line in report.table.lines] == who
    assert any("нивелацију" in note for note in sheet.notes)


def test_what_came_in_is_told_by_receipts_and_apart_from_what_was_given_back() -> None:
    """Four entries of two receipts were four receipts, and money given back was below zero."""
    day = AT.date()
    came = [
        CollectedPayment(key, number, "", day, Money(amount), "", "Мира", AT)
        for key, number, amount in ((1, "A-A-1", 100), (2, "A-A-1", 200), (3, "A-A-2", 50))
    ]
    came.append(CollectedPayment(4, "A-A-2", "", day, Money("-30.99"), "", "Мира", AT))
    period = Period(day, day)
    report = collected_report(ReportChoice(ReportName.COLLECTED, period, period), came)
    report = replace(report, choice=ReportChoice(ReportName.BOOKS, period, period))
    sheet = ReportWords(Texts("sr-Cyrl"), {}).sheet(report, shop="", made=AT)
    notes = "\n".join(sheet.notes)
    assert "Накнадно наплаћено за 2 рачуна: 350,00." in notes
    assert "Враћено купцима за 1 рачун: 30,99." in notes
    assert "Враћено: 20.11.2026. · A-A-2 · без купца · 30,99 · –" in notes.replace("Без", "без")
    assert "\N{MINUS SIGN}" not in notes
