"""The end of a synchronisation and its report: each table of the rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from pos_app.domain.money import Money
from pos_app.errors import (
    AlreadyRunning,
    DiskFull,
    Invalid,
    NotAllowed,
    NotDelivered,
    NotFound,
    OutcomeUnknown,
    PosError,
    Refused,
)
from pos_app.selling.synchronisation.joining import JoiningAnswer, JoiningQuestion
from pos_app.selling.synchronisation.reports import (
    Imported,
    MembersVoice,
    OddPrices,
    PlainVoice,
    PlatformReport,
    SyncReport,
    end_of,
    fault_word,
    tell_fault,
    tell_unheard,
)
from pos_app.selling.synchronisation.run import PushCount, SyncEnd

NOW = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)
QUESTION = JoiningQuestion(url="https://there", key="pk_1", at=NOW)
AWAY = NotDelivered("no line", safe="Nothing was sent.")


def report(brought: Imported | None = None, **fields: Any) -> PlatformReport:
    counts = {one: fields.pop(one) for one in ("conflicts", "refused", "fault") if one in fields}
    return PlatformReport(brought or Imported(), PushCount(**counts), True, 0.5, **fields)


@pytest.mark.parametrize(
    ("error", "end"),
    [
        (NotDelivered("x"), SyncEnd.AWAY),
        (OutcomeUnknown("x"), SyncEnd.AWAY),
        (Refused("x"), SyncEnd.AWAY),
        (AlreadyRunning("x"), SyncEnd.BUSY),
        (NotFound("x"), SyncEnd.BAD_LIST),
        (Invalid("x"), SyncEnd.BAD_LIST),
        (NotAllowed("x"), SyncEnd.FAILED),
        (DiskFull("x"), SyncEnd.FAILED),
    ],
)
def test_how_a_run_ends_by_an_error(error: PosError, end: SyncEnd) -> None:
    assert end_of(error) is end


@pytest.mark.parametrize(
    ("told", "end"),
    [
        (report(), SyncEnd.DONE),
        (report(Imported(held_back=1)), SyncEnd.WAITING),
        (report(Imported(conflicts=1)), SyncEnd.DONE),
        (report(conflicts=1), SyncEnd.WAITING),
        (report(refused=1), SyncEnd.WAITING),
        (report(conflicts=1, fault=AWAY), SyncEnd.AWAY),
        (report(fault=AWAY, asked=QUESTION), SyncEnd.WAITING),
    ],
)
def test_how_a_run_with_a_platform_ends(told: PlatformReport, end: SyncEnd) -> None:
    assert told.end is end


def test_a_run_with_a_file_waits_for_what_a_person_decides() -> None:
    plain = SyncReport(
        listed=3, pictures=0, shared_codes=0, odd=OddPrices(), large=Money(10), seconds=0.1
    )
    assert plain.end is SyncEnd.DONE
    assert replace(plain, held_back=1).end is SyncEnd.WAITING
    assert replace(plain, conflicts=1).end is SyncEnd.WAITING


def test_odd_prices_are_told_with_the_first_article_of_each_kind() -> None:
    odd = OddPrices()
    for name, kind in (("a", "price_zero"), ("b", "price_large"), ("c", "price_zero"), ("d", None)):
        odd.count(name, None if kind is None else Invalid("odd", kind=kind))
    assert odd == OddPrices(2, "a", 1, "b")
    told = SyncReport(pictures=0, shared_codes=0, odd=odd, large=Money(10), seconds=0.1)
    lines = list(told.lines())
    assert "2 prices of nothing, 'a' first: look whether it is meant." in lines
    assert any(line.startswith(f"1 price of {Money(10)} or more, 'b'") for line in lines)


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        (Imported(listed=3, joined=1), Imported(listed=2, joined=4), Imported(listed=2, joined=5)),
        (Imported(listed=3, joined=1), Imported(stores_ended=1),
         Imported(listed=3, joined=1, stores_ended=1)),
        (Imported(), Imported(removed=2), Imported(removed=2)),
    ],
)  # fmt: skip
def test_of_two_lists_the_last_with_products_is_told(
    first: Imported, second: Imported, told: Imported
) -> None:
    assert second.after(first) == told


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (NotDelivered("x"), NotDelivered("x").code),
        (Refused("x", kind="platform_key"), "platform_key"),
        (NotDelivered("x", kind="web_page"), "web_page"),
        (Refused("x", kind="another"), Refused("x").code),
    ],
)
def test_the_word_for_a_fault(error: PosError, word: str) -> None:
    assert fault_word(error) == word


# --- while it runs -------------------------------------------------------------------------------


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_person_is_told_now_and_then() -> None:
    lines: list[str] = []
    clock = Clock()
    voice = PlainVoice(lines.append, lines.append, 0.5, clock)
    for step, done, at in (
        ("list", 0, 100.0), ("list", 0, 101.0), ("products", 5, 101.1), ("products", 6, 101.2),
        ("edits", 1, 101.7),
    ):  # fmt: skip
        clock.now = at
        voice.step(step, done, 9)
    assert lines == ["Asking the platform for its list.", "5 of 9 products", "1 of 9 edits"]


def test_the_till_is_told_the_first_and_the_last_step_always() -> None:
    told: list[Mapping[str, object]] = []
    clock = Clock()
    voice = MembersVoice(told.append, 0.5, clock)
    for done, at in ((1, 100.0), (2, 100.1), (3, 100.6), (9, 100.7), (0, 100.8), (1, 100.9)):
        clock.now = at
        voice.step("products", done, 9)
    assert [one["done"] for one in told] == [1, 3, 9, 0]


def test_the_till_is_told_the_report_and_then_the_fault_that_ended_it() -> None:
    told: list[Mapping[str, object]] = []
    MembersVoice(told.append, 0.5, Clock()).report(report(fault=AWAY))
    (done, refused) = told
    assert set(done) == {"report"}
    assert refused["fault"] == AWAY.code
    assert isinstance(refused["refused"], dict)
    assert refused["refused"]["safe"] == ""  # much was done by then


def test_who_was_not_reached_was_sent_nothing() -> None:
    for error, last in ((NotDelivered("x"), "Nothing was sent: the next run asks again."),
                        (Invalid("no list"), None)):  # fmt: skip
        lines: list[str] = []
        wrong: list[str] = []
        voice = PlainVoice(lines.append, wrong.append, 0.5, Clock())
        assert tell_fault(voice, error) is end_of(error)
        assert (wrong, lines) == ([str(error)], [] if last is None else [last])


def test_an_answer_about_a_platform_is_unheard_with_a_file() -> None:
    lines: list[str] = []
    voice = PlainVoice(lines.append, lines.append, 0.5, Clock())
    tell_unheard(voice, None)
    assert not lines
    tell_unheard(voice, JoiningAnswer.SEND)
    assert lines == ["--join has no effect with a file: it is about a platform."]
