"""What the report of acts says of an act: names of the program in the words of the screens."""

from __future__ import annotations

from datetime import UTC, date, datetime

from pos_app.cashier.reports.words import ReportWords
from pos_app.cashier.texts.lookup import Texts
from pos_app.selling.people.acts import ActRow, Done
from pos_app.selling.reports.own import acts_report
from pos_app.selling.reports.periods import Period
from pos_app.selling.reports.report import ReportChoice, ReportName
from tests.sweep import each

AT = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
TOLD: dict[str, tuple[ActRow, tuple[str, str, str]]] = {
    "a float that was left": (
        ActRow(AT, "Мира", Done.SHIFT_OPENED, "left", after="500.00"),
        ("затечено како је остављено", "", "500,00"),
    ),
    "a right": (
        ActRow(AT, "Мира", Done.RIGHTS, "refund cashier", "asks", "never"),
        ("Рефундација са рачуном, касир", "уз одобрење", "не сме"),
    ),
    "a person": (
        ActRow(AT, "Мира", Done.PERSON, "Ана", "Ана, cashier", "Ана, lead, pin, no_badge"),
        ("Ана", "Ана, касир", "Ана, вођа смене, нови ПИН, без значке"),
    ),
    "a value of the settings": (
        ActRow(AT, "Мира", Done.SETTINGS, "till.refund_needs_manager", "False", "True"),
        ("За рефундацију се тражи ПИН управника", "не", "да"),
    ),
    "a choice of the settings": (
        ActRow(AT, "Мира", Done.SETTINGS, "people.cart_of_another", "ask", "hold"),
        ("Корпа коју је оставио други касир", "питај: преузми или остави", "остави је на страну"),
    ),
    "a number of the settings": (
        ActRow(AT, "Мира", Done.SETTINGS, "till.ask_above_pieces", "100", "12"),
        ("Комада преко", "100", "12"),
    ),
    "a drop to the safe": (
        ActRow(AT, "Мира", Done.CASH_OUT, "drop 7", after="5000.00"),
        ("Предај у сеф, Кеса број 7.", "", "5000,00"),
    ),
    "change from the safe": (
        ActRow(AT, "Мира", Done.CASH_IN, "change", after="500.00"),
        ("Ситнина из сефа", "", "500,00"),
    ),
    "cash with a reason of the cashier's own": (
        ActRow(AT, "Мира", Done.CASH_OUT, "Пиљар", after="500.00"), ("Пиљар", "", "500,00")
    ),
    "a new person": (
        ActRow(AT, "Мира", Done.PERSON, "Ана", after="cashier"), ("Ана", "", "касир")
    ),
    "another role": (
        ActRow(AT, "Мира", Done.PERSON, "Ана", "Ана, cashier", "Ана, lead"),
        ("Ана", "Ана, касир", "Ана, вођа смене"),
    ),
    "a refund that was undone": (
        ActRow(AT, "Мира", Done.DECISION, "undo ABCD1234-ABCD1234-7"),
        ("Поништена рефундација ABCD1234-ABCD1234-7", "", ""),
    ),
    "a page of the settings": (
        ActRow(AT, "Мира", Done.SETTINGS, "printer"), ("Штампачи", "", "")
    ),
    "an article": (
        ActRow(AT, "Мира", Done.PRICE, "Сир: млади", "189.99", "150.00"),
        ("Сир: млади", "189,99", "150,00"),
    ),
}  # fmt: skip


@each("name", TOLD)
def test_an_act_is_told_in_the_words_of_the_screens(name: str) -> None:
    row, told = TOLD[name]
    day = Period(date(2026, 11, 20), date(2026, 11, 20))
    choice = ReportChoice(ReportName.ACTS, day, day)
    table = acts_report(choice, [row]).table
    words = ReportWords(Texts("sr-Cyrl"), {})
    (line,) = table.lines
    said = {
        column.name: words.cell(column, cell)
        for column, cell in zip(table.columns, line.cells, strict=True)
    }
    assert (said["subject"], said["was"], said["now"]) == told
