"""The end of a synchronisation and its report: each table of the rule."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from pos_app import errors
from pos_app.domain.money.money import Money
from pos_app.selling.synchronisation import reports
from pos_app.selling.synchronisation.joining import JoiningQuestion
from pos_app.selling.synchronisation.run import PushCount, SyncEnd
from tests.sweep import each

NOW = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)
QUESTION = JoiningQuestion(url="https://there", key="pk_1", at=NOW)
AWAY = errors.NotDelivered(what="no line", safe="Nothing was sent.")


def report(brought: reports.Imported | None = None, **fields: Any) -> reports.PlatformReport:
    counts = {one: fields.pop(one) for one in ("conflicts", "refused", "fault") if one in fields}
    return reports.PlatformReport(
        brought or reports.Imported(), PushCount(**counts), True, 0.5, **fields
    )


@each(
    ("error", "end"),
    [
        (errors.NotDelivered(what="x"), SyncEnd.AWAY),
        (errors.OutcomeUnknown(what="x"), SyncEnd.AWAY),
        (errors.Refused(what="x"), SyncEnd.AWAY),
        (errors.AlreadyRunning(what="x"), SyncEnd.BUSY),
        (errors.NotFound(what="x"), SyncEnd.BAD_LIST),
        (errors.Invalid(what="x"), SyncEnd.BAD_LIST),
        (errors.NotAllowed(what="x"), SyncEnd.FAILED),
        (errors.DiskFull(what="x"), SyncEnd.FAILED),
    ],
)
def test_how_a_run_ends_by_an_error(error: errors.PosError, end: SyncEnd) -> None:
    assert reports.end_of(error) is end


@each(
    ("told", "end"),
    [
        (report(), SyncEnd.DONE),
        (report(reports.Imported(held_back=1)), SyncEnd.WAITING),
        (report(reports.Imported(conflicts=1)), SyncEnd.DONE),
        (report(conflicts=1), SyncEnd.WAITING),
        (report(refused=1), SyncEnd.WAITING),
        (report(conflicts=1, fault=AWAY), SyncEnd.AWAY),
        (report(fault=AWAY, asked=QUESTION), SyncEnd.WAITING),
    ],
)
def test_how_a_run_with_a_platform_ends(told: reports.PlatformReport, end: SyncEnd) -> None:
    assert told.end is end


def test_odd_prices_are_told_with_the_first_article_of_each_kind() -> None:
    odd = reports.OddPrices()
    for name, kind in (("a", "price_zero"), ("b", "price_large"), ("c", "price_zero"), ("d", None)):
        odd.count(name, None if kind is None else errors.Invalid(kind, what="odd"))
    assert odd == reports.OddPrices(2, "a", 1, "b")
    told = reports.SyncReport(pictures=0, shared_codes=0, odd=odd, large=Money(10), seconds=0.1)
    lines = list(told.lines())
    assert "2 prices of nothing, 'a' first: look whether it is meant." in lines
    assert any(line.startswith(f"1 price of {Money(10)} or more, 'b'") for line in lines)


@each(
    ("first", "second", "told"),
    [
        (reports.Imported(listed=3, joined=1), reports.Imported(listed=2, joined=4),
         reports.Imported(listed=2, joined=5)),
        (reports.Imported(listed=3, joined=1), reports.Imported(stores_ended=1),
         reports.Imported(listed=3, joined=1, stores_ended=1)),
        (reports.Imported(), reports.Imported(removed=2), reports.Imported(removed=2)),
    ],
)  # fmt: skip
def test_of_two_lists_the_last_with_products_is_told(
    first: reports.Imported, second: reports.Imported, told: reports.Imported
) -> None:
    assert second.after(first) == told


@each(
    ("error", "word"),
    [
        (errors.NotDelivered(what="x"), errors.NotDelivered(what="x").code),
        (errors.Refused("platform_key", what="x"), "platform_key"),
        (errors.NotDelivered("web_page", what="x"), "web_page"),
        (errors.NotDelivered("web_page.elsewhere", what="x"), "elsewhere"),
        (errors.Refused("another", what="x"), errors.Refused(what="x").code),
    ],
)
def test_the_word_for_a_fault(error: errors.PosError, word: str) -> None:
    assert reports.fault_word(error) == word


# --- while it runs -------------------------------------------------------------------------------


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_who_was_not_reached_was_sent_nothing() -> None:
    for error, last in (
        (errors.NotDelivered(what="x"), "Nothing was sent: the next run asks again."),
        (errors.Invalid(what="no list"), None),
    ):
        lines: list[str] = []
        wrong: list[str] = []
        voice = reports.PlainVoice(lines.append, wrong.append, 0.5, Clock())
        assert reports.report_fault(voice, error) is reports.end_of(error)
        assert (wrong, lines) == ([str(error)], [] if last is None else [last])


def test_the_till_is_told_the_first_and_the_last_step_always() -> None:
    told: list[Mapping[str, object]] = []
    clock = Clock()
    voice = reports.MembersVoice(told.append, 0.5, clock)
    for done, at in ((1, 100.0), (2, 100.1), (3, 100.6), (9, 100.7), (0, 100.8), (1, 100.9)):
        clock.now = at
        voice.step("products", done, 9)
    assert [one["done"] for one in told] == [1, 3, 9, 0]


def test_the_till_is_told_the_report_and_then_the_fault_that_ended_it() -> None:
    told: list[Mapping[str, object]] = []
    reports.MembersVoice(told.append, 0.5, Clock()).report(report(fault=AWAY))
    (done, refused) = told
    assert set(done) == {"report"}
    assert refused["fault"] == AWAY.code
    assert isinstance(refused["refused"], dict)
    assert refused["refused"]["safe"] == ""  # much was done by then
