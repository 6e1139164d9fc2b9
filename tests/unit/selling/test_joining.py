"""The answer that counts about sending this shop's articles to a platform: the rule's table."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from pos_app import errors
from pos_app.domain.article.store import Store
from pos_app.domain.money.money import Money
from pos_app.selling.synchronisation import joining, reports
from pos_app.selling.synchronisation.joining import BY_SETTING, JoiningQuestion, NewAnswer
from pos_app.selling.synchronisation.run import PushCount, SyncEnd
from tests.sweep import each

SEND, READ = joining.JoiningAnswer
NOW = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)


def question(**fields: Any) -> joining.JoiningQuestion:
    return joining.JoiningQuestion(
        **{"url": "https://platform/v2", "key": "pk_1", "at": NOW, **fields}
    )


def facts(answer: joining.JoiningAnswer | None = None, **fields: Any) -> joining.JoiningFacts:
    return joining.JoiningFacts(**{"before": joining.Joining(None, answer), "now": NOW, **fields})


@each(
    ("told", "counts"),
    [
        (facts(is_demo=True, command_answer=READ, setting=READ), SEND),
        (facts(READ, command_answer=SEND), NewAnswer(SEND, joining.BY_COMMAND)),
        (facts(READ, command_answer=READ), READ),
        (facts(READ, setting=SEND, setting_before=None), NewAnswer(SEND, BY_SETTING)),
        (facts(SEND, setting=READ, setting_before=SEND), NewAnswer(READ, BY_SETTING)),
        (facts(READ, setting=SEND, setting_before=SEND), READ),
        (facts(READ, setting=None, setting_before=SEND), READ),
        (facts(SEND, setting=SEND, setting_before=None), SEND),
        (facts(READ, command_answer=READ, setting=SEND, setting_before=None), READ),
        (facts(setting=SEND, setting_before=SEND), NewAnswer(SEND, BY_SETTING)),
        (facts(SEND, sends_unasked=True, has_more=True), None),
        (facts(READ, sends_unasked=True, setting=READ, setting_before=READ),
         NewAnswer(READ, BY_SETTING)),
        (facts(has_more=False), NewAnswer(SEND)),
        (facts(), None),
    ],
)  # fmt: skip
def test_what_was_said_last_counts(told: joining.JoiningFacts, counts: Any) -> None:
    assert joining.answer_before_asking(told) == counts


def test_an_open_question_is_asked_anew_after_an_hour() -> None:
    before = joining.Joining(question(to_send=3), None)
    assert joining.answer_before_asking(facts(before=before)) == before.question
    assert joining.answer_before_asking(facts(before=before, now=NOW + joining.ASK_AGAIN)) is None
    later = NOW + joining.ASK_AGAIN - timedelta(seconds=1)
    assert joining.answer_before_asking(facts(before=before, now=later)) == before.question


@each(
    ("fields", "asks"),
    [
        ({}, False),
        ({"listed": 3}, False),
        ({"to_send": 1}, True),
        ({"same": 1}, True),
        ({"changes": joining.OpenChanges(waiting=1)}, True),
        ({"changes": joining.OpenChanges(to_decide=1)}, True),
        ({"changes": joining.OpenChanges(stores=1)}, True),
    ],
)
def test_a_person_is_asked_where_anything_depends_on_it(fields: Any, asks: bool) -> None:
    """What was said under another key holds, and nothing is counted then."""
    asked, counted = question(**fields), list[joining.JoiningQuestion]()

    def count() -> joining.JoiningQuestion:
        counted.append(asked)
        return asked

    assert joining.answer_after_asking(under_another_key=READ, question=count) is READ
    assert counted == []
    found = joining.answer_after_asking(under_another_key=None, question=count)
    assert found == (asked if asks else NewAnswer(SEND))


def test_the_store_of_this_shop_is_shown_first_and_five_at_most() -> None:
    stores = [Store(id=str(number), name=f"S{number}", city="Ниш") for number in range(7)]
    shown = joining.stores_there(stores, "6")
    assert [one.name for one in shown] == ["S6", "S0", "S1", "S2", "S3"]
    assert shown[0] == joining.StoreThere("S6", "Ниш")


QUESTION = JoiningQuestion(url="https://there", key="pk_1", at=NOW)
AWAY = errors.NotDelivered(what="no line", safe="Nothing was sent.")


def report(brought: reports.Imported | None = None, **fields: Any) -> reports.PlatformReport:
    names = "conflicts", "refused", "fault", "waiting", "unknown"
    counts = {one: fields.pop(one) for one in names if one in fields}
    return reports.PlatformReport(
        brought or reports.Imported(), PushCount(**counts), True, 0.5, **fields
    )


@each(
    ("error", "end", "word"),
    [
        (errors.NotDelivered(what="x"), SyncEnd.AWAY, errors.NotDelivered.code),
        (errors.NotDelivered("web_page", what="x"), SyncEnd.AWAY, "web_page"),
        (errors.NotDelivered("web_page.elsewhere", what="x"), SyncEnd.AWAY, "elsewhere"),
        (errors.OutcomeUnknown(what="x"), SyncEnd.AWAY, None),
        (errors.Refused(what="x"), SyncEnd.AWAY, None),
        (errors.Refused("platform_key", what="x"), SyncEnd.AWAY, "platform_key"),
        (errors.Refused("another", what="x"), SyncEnd.AWAY, errors.Refused.code),
        (errors.AlreadyRunning(what="x"), SyncEnd.BUSY, None),
        (errors.NotFound(what="x"), SyncEnd.BAD_LIST, None),
        (errors.Invalid(what="x"), SyncEnd.BAD_LIST, None),
        (errors.NotAllowed(what="x"), SyncEnd.FAILED, None),
        (errors.DiskFull(what="x"), SyncEnd.FAILED, None),
    ],
)
def test_how_a_run_ends_by_an_error_and_the_word_for_it(
    error: errors.PosError, end: SyncEnd, word: str | None
) -> None:
    assert reports.end_of(error) is end
    assert word is None or reports.fault_word(error) == word


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


def test_what_was_not_sent_is_told_together() -> None:
    left = ["5 changes wait for the next run."]
    lines = reports.platform_lines(report(waiting=3, unknown=2))
    assert [one for one in lines if "wait" in one] == left


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


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


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
