"""Faults that the product once had are put back, one at a time: the dice alone must find each.

    python -m tests.shop.put_back --seconds 600
    python -m tests.shop.put_back --only A14 lost

Each is a change of the running product, not of its files. The last lines are a table: the fault,
the machine that found it, and the seconds of the processor until it was first seen, with which a
loaded machine finds as much as a quiet one.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import logging
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from pos_app.adapters.http_exchange import AnswerLost, HttpExchange, NotConnected
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.adapters.sqlite.database import transaction
from pos_app.adapters.sqlite.till import buyers
from pos_app.cashier.advances.model import AdvancesModel
from pos_app.cashier.catalogue.work import LongWork
from pos_app.cashier.sale.asking import Questions
from pos_app.cashier.ui.press_guard import PressGuard
from pos_app.cashier.window import scan_ways
from pos_app.cashier.window.frame import Frame
from pos_app.cashier.window.ways_out import WaysOut
from pos_app.domain.article.scale_labels import WeightCode
from pos_app.domain.money.money import Quantity
from pos_app.errors import PosError
from pos_app.fiscalization.device_ports import DeviceTrouble, Failed, Unproven
from pos_app.fiscalization.handover.handover_queue import DeviceQueue
from pos_app.fiscalization.issuing import after_restore, execute
from pos_app.fiscalization.outcomes import unknown_receipts
from pos_app.fiscalization.refusals import KeyBound
from pos_app.selling.catalogue import codes
from pos_app.selling.sale import scan
from tests.shop import money_acts
from tests.shop.test_core_machine import STEPS, AnyShop, OneShop, RestoredShop
from tests.shop.window_machine import opened, say, shrunk

SECONDS = 600.0
HISTORIES = 100_000
"""More than a machine plays in that time."""

Patch = pytest.MonkeyPatch
PutBack = Callable[[Patch], None]


@dataclass(frozen=True, slots=True)
class Fault:
    """name: where it was told first. machine: the one that plays; None for the window's. seen: what
    the judge of the window says of this fault alone; "" where it says several things of it."""

    name: str
    words: str
    put_back: PutBack
    machine: type[OneShop] | None = None
    seen: str = ""


@dataclass
class Finding:
    """words: of the judge, "" until it is seen. seconds: of the processor."""

    words: str = ""
    seconds: float = 0.0


# --- the faults ----------------------------------------------------------------------------------


def _set(target: Any, name: str, value: Any) -> PutBack:
    return lambda patch: patch.setattr(target, name, value)


def _around(target: Any, name: str) -> Callable[[Callable[..., Any]], PutBack]:
    """Make a fault of a function that gets the product's own before what that is given."""

    def made(wrong: Callable[..., Any]) -> PutBack:
        def put_back(patch: Patch) -> None:
            own = getattr(target, name)
            patch.setattr(target, name, lambda *given, **more: wrong(own, *given, **more))

        return put_back

    return made


@_around(Frame, "_open")
def _named_before_it_is_made(opens: Any, frame: Frame, name: str, screen_place: object) -> None:
    """A screen that tells the result of work which ended without it is named before it stands."""
    works = frame.findChildren(LongWork)
    if name == "catalogue" and any(one.report and not one.is_told for one in works):
        frame.top_name = name
        raise KeyError(name)
    opens(frame, name, screen_place)


def _labels_first(patch: Patch) -> None:
    stored = codes._stored  # noqa: SLF001

    def _stored(code: codes.ReadCode, catalogue: Any) -> Any:
        return () if isinstance(code.meaning, WeightCode) else stored(code, catalogue)

    patch.setattr(codes, "_stored", _stored)
    patch.setattr(codes, "_is_patterned", lambda meaning: False)


def _takes_off_one(cart: Any, found_article: Any, times: Quantity | None) -> Any:
    return cart.take_off(cart.lines_of(found_article.article.id), times or Quantity.ONE)


@_around(SqliteCatalogueEditor, "keep_act")
def _forgets_the_act(keep: Any, editor: Any, act: Any) -> None:
    """A bulk act that was cut is known to nobody."""
    keep(editor, act)
    if getattr(editor, "ends_after", 0) == 1:
        editor.end_act()


def _signs_what_the_copy_lacks(patch: Patch) -> None:
    for module in (after_restore, unknown_receipts):
        patch.setattr(module, "may_lack_acts", lambda *_, **__: False)


def _keeps_what_is_not_found(model: AdvancesModel, typed_text: str) -> None:
    model.typed_text = typed_text
    model._forget_found()  # noqa: SLF001
    if model.matches and model.index is None:
        model.choose(model.matches[0])


@_around(Frame, "tell_failure")
def _refusal_stands(tells: Any, frame: Frame, error: PosError, *, of: str) -> None:
    """What the shift's screen refuses is told at the sale, too, where it stays until it is read."""
    tells(frame, error, of=of)
    frame.home.show_error(error)


@_around(scan_ways, "report_misread")
def _misread_leads_away(tells: Any, frame: Frame, *given: Any, **more: Any) -> None:
    frame.go_home()
    tells(frame, *given, **more)


@_around(HttpExchange, "ask")
async def _lost_is_not_sent(asks: Any, *given: Any, **more: Any) -> Any:
    try:
        return await asks(*given, **more)
    except AnswerLost as error:
        raise NotConnected(str(error)) from error


@_around(DeviceQueue, "_save_outcome")
def _prints_again(saves: Any, queue: DeviceQueue, job: Any, outcome: Any) -> None:
    if isinstance(outcome, Unproven):
        outcome = Failed(DeviceTrouble.AWAY, outcome.words)
    saves(queue, job, outcome)


@contextmanager
def _not_durable(connection: Any) -> Iterator[None]:
    with transaction(connection):
        yield


def _commits_in_memory(patch: Patch) -> None:
    for name, module in list(sys.modules.items()):
        if name.startswith("pos_app") and hasattr(module, "durable_change"):
            patch.setattr(module, "durable_change", _not_durable)


@_around(execute, "_is_bound")
def _takes_any_body(is_bound: Any, *given: Any) -> bool:
    try:
        return bool(is_bound(*given))
    except KeyBound:
        return True


@_around(money_acts, "cash_move")
def _counts_a_move_twice(moves: Any, *given: Any, **more: Any) -> Any:
    moves(*given, **more)
    return moves(*given, **more)


FAULTS = (
    Fault("A1", "a double tap issues a receipt", _set(PressGuard, "eventFilter", lambda *_: False)),
    Fault("A2", "work ends while its screen is left", _named_before_it_is_made),
    Fault("A3", "a stored code is read as a scale's label", _labels_first),
    Fault(
        "A4",
        "a label of goods by the piece sells thousandths",
        _set(WeightCode, "amount_in", lambda code, step: code.quantity.amount),
    ),
    Fault(
        "A5",
        "Storno takes off another amount than the scan put on",
        _set(scan, "taken_by", _takes_off_one),
    ),
    Fault("A6", "a bulk act that is cut stays half done", _forgets_the_act, AnyShop),
    Fault("A8", "an act after a restore is signed again", _signs_what_the_copy_lacks, RestoredShop),
    Fault(
        "A13",
        "Enter acts on what the list does not show",
        _set(AdvancesModel, "search", _keeps_what_is_not_found),
        seen="what the list does not show",
    ),
    Fault("A14", "a panel outlives its line", _set(Questions, "follow", lambda _: None)),
    Fault(
        "B1",
        "the till closes without a word",
        _set(WaysOut, "_asks", lambda *_: False),
        seen="closed without a word",
    ),
    Fault(
        "B3",
        "a refusal stays after the shift was closed",
        _refusal_stands,
        seen="a refusal stands after",
    ),
    Fault(
        "B4",
        "a misread code leads out of Settings",
        _misread_leads_away,
        seen="a misread code leads away",
    ),
    Fault("lost", "a lost answer counts as not sent", _lost_is_not_sent, AnyShop),
    Fault("paper", "a paper that may have come out is printed again", _prints_again, AnyShop),
    Fault("power", "a confirmed sale is not yet durable", _commits_in_memory, AnyShop),
    Fault(
        "book",
        "an edit of a firm is not yet durable",
        _set(buyers, "durable_change", _not_durable),
        AnyShop,
    ),
    Fault("body", "another body is told the receipt of a used key", _takes_any_body, AnyShop),
    Fault("drawer", "cash that is put in counts twice", _counts_a_move_twice, AnyShop),
)


# --- a search ------------------------------------------------------------------------------------


def search_window(wanted: str, seconds: float) -> Finding:
    """Play until the judge says what is wanted. Another fault is the product's: it is told with its
    acts, and the search goes on."""
    with opened() as machine:
        began, seed = time.process_time(), 0
        while (spent := time.process_time() - began) < seconds:
            acts, words = machine.roll(seed)
            seed += 1
            if not words:
                continue
            worked = time.process_time() - began
            if wanted in words:
                return Finding(words, worked)
            less = shrunk(acts, words, machine.play, seconds=60)
            say("\n".join((f"another fault: {words}", *(str(one) for one in less or acts))))
            began = time.process_time() - worked
        return Finding(seconds=spent)


def search_core(machine: type[OneShop], seconds: float) -> Finding:
    began, finding = time.process_time(), Finding()
    many = settings(
        max_examples=HISTORIES,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
        print_blob=False,
        report_multiple_bugs=False,
    )

    class Timed(machine):  # type: ignore[misc, valid-type]
        def teardown(self) -> None:
            raised = sys.exception()  # by an act, which hypothesis ends with this
            if isinstance(raised, Exception):
                _note(finding, raised, began)
            try:
                super().teardown()
            except Exception as error:
                _note(finding, error, began)
                raise
            if not finding.words and time.process_time() - began > seconds:
                raise TimeoutError

    # What ends it is the fault, or the end of the time, which hypothesis tells in its own way.
    with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
        run_state_machine_as_test(Timed, settings=many)
    return finding if finding.words else Finding(seconds=seconds)


def _note(finding: Finding, error: Exception, began: float) -> None:
    if not finding.words:
        finding.words = f"{type(error).__name__}: {error}".partition("\n")[0]
        finding.seconds = time.process_time() - began


def search(name: str, seconds: float) -> Finding:
    """Search in a process of its own: what a fault leaves behind is not the next one's."""
    (fault,) = [one for one in FAULTS if one.name == name]
    with Patch.context() as patch:
        fault.put_back(patch)
        if fault.machine is None:
            return search_window(fault.seen, seconds)
        logging.lastResort = None
        return search_core(fault.machine, seconds)


def table(found: Sequence[tuple[Fault, Finding]]) -> Iterator[str]:
    yield f"{'fault':8}{'machine':14}{'seconds':>9}  what was put back; what was seen"
    for fault, finding in found:
        machine = "window" if fault.machine is None else fault.machine.__name__
        seen = finding.words or "NOT FOUND"
        yield f"{fault.name:8}{machine:14}{finding.seconds:>9.0f}  {fault.words}"
        yield f"{'':33}{seen[:110]}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Put old faults back, for the dice to find.")
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="of the processor, for each fault"
    )
    parser.add_argument("--only", nargs="*", help="names of faults")
    asked = parser.parse_args()
    found = list[tuple[Fault, Finding]]()
    for fault in FAULTS:
        if asked.only and fault.name not in asked.only:
            continue
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as other:
            found.append((fault, other.submit(search, fault.name, asked.seconds).result()))
        say("\n".join([*table(found[-1:])][1:]))
    say("\n".join(table(found)))
    return int(any(not finding.words for _, finding in found))


if __name__ == "__main__":
    sys.exit(main())
