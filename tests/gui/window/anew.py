"""One window for several cases of a test: each begins with the till as it was opened."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.window.frame import Change, ShopChange
from pos_app.cashier.window.till_window import TillWindow
from pos_app.selling.people.rights import Act, Leave, Role
from pos_app.selling.sale.scan import ScanPurpose
from pos_app.selling.sale.ticket import DocumentKind
from tests.gui.inside import inside
from tests.gui.window.hands import Hands, delete_now
from tests.gui.window.shop import BREAD, run

APART_MS = 3_000
"""Milliseconds between the keys of two cases."""
STEPS_BACK = 8
"""More steps than there are from any screen to the sale."""


class Anew:
    """Brings a till back to its first state. A sale can't be undone: what a case confirmed is
    issued before the next one, which knows nothing of it (`Hands.sale`, `Hands.sales`)."""

    def __init__(self, hands: Hands) -> None:
        """hands: at a till that was just opened."""
        self._hands = hands
        self._look = hands.window.theme, hands.window.texts.language, hands.window.size()
        picker = hands.area.sale.picker
        self._picker = picker.chips.current(), picker.rows.as_list
        self._new = state_of(hands)
        self._is_new = True
        assert (hands.rows(), hands.sale()) == ([], None), "it was used before"

    def begin(self) -> Hands:
        """Close what is open and drop the cart. Fails where the till is not as it was."""
        if not self._is_new:
            _leave(self._hands)
            self._look_as_before()
            state = state_of(self._hands)
            left = {what: state[what] for what, new in self._new.items() if state[what] != new}
            if self._hands.before:
                left.pop("bottom line", None)  # it tells of the server, which was not asked before
            assert left == {}, f"the case before left behind: {left}"
        self._is_new = False
        return self._hands

    def _look_as_before(self) -> None:
        window, (theme, language, size) = self._hands.window, self._look
        picker, (chip, as_list) = self._hands.area.sale.picker, self._picker
        if picker.rows.as_list is not as_list:
            picker.set_as_list(as_list)
        if picker.rows.window.choice.chip != chip:
            picker.chips.chosen.emit(chip)
        if window.size() != size:
            window.resize(size)
            QApplication.processEvents()
        if _look(window) != (theme.palette.name, theme.metrics, language):
            window.change(theme=theme.palette.name, language=language, metrics=theme.metrics)
            self._hands.area.take_focus()
        delete_now()


def _look(window: TillWindow) -> tuple[object, ...]:
    return window.theme.palette.name, window.theme.metrics, window.texts.language


def state_of(hands: Hands) -> dict[str, object]:
    """Everything in a till that the case before may have changed."""
    window, model = hands.window, hands.model
    sale, focus = hands.area.sale, QApplication.focusWidget()
    picker, banners = sale.picker, hands.top.banners
    return {
        "cart": hands.rows(),
        "total": hands.total(),
        "removed": model.cart.removed_lines,
        "notice": hands.notice(),
        "notices": model.context.notices,
        "question": model.questions.question,
        "purpose": model.cart.purpose,
        "next quantity": model.cart.next_quantity,
        "waiting": (model.entry.waiting, model.context.blocked_by),
        "kind": model.cart.ticket.kind,
        "missed": model.cart.ticket.missed,
        "set aside": model.cart.suspended_count,
        "search": sale.search.text(),
        "pad": (sale.pad.isVisible(), sale.search.pad.isChecked()),
        "keyboard": window.typing.keyboard,
        "paying": hands.area.is_paying,
        "panel": hands.area.panel,
        "screen": window.frame.top_name,
        "picker": (picker.rows.as_list, picker.rows.window.choice),
        "scrolled": picker.view.verticalScrollBar().value(),
        "large": hands.cart.large.isVisible(),
        "bell": hands.top.bell.isVisible(),
        "banners": [one.isVisible() for one in (banners.kind, banners.behind)],
        "bottom line": window.status.accessibleDescription(),
        "size": window.size().toTuple(),
        "look": _look(window),
        "focus": focus.accessibleName() if focus is not None else None,
    }


def _leave(hands: Hands) -> None:
    """Issue what was confirmed, go back to the sale, and drop its cart."""
    window, model, shop = hands.window, hands.model, hands.shop
    shop.server.faults.clear()
    shop.server.jobs, shop.server.running = (), True
    if shop.database.sales.waiting():
        run(shop.serve())
    if window.frame.cover_name:
        window.frame.uncover(window.frame.cover_name)
        window.services.manager.forget()
        window.frame.announce(Change(ShopChange.CASHIER))
    inside(window).go_home()
    window.typing.close()
    for _ in range(STEPS_BACK):
        if not _is_open(hands):
            break
        hands.press("Esc")
    while model.context.notices:
        model.context.dismiss()
    if model.cart.ticket.kind.is_training:
        _drop(model)
    if model.cart.ticket.kind is not DocumentKind.SALE:
        inside(window).set_kind(DocumentKind.SALE)
    _drop(model)
    while model.cart.suspended_count:
        model.cart.recall(model.cart.suspended()[0].id)
        _drop(model)
    hands.area.sale.picker.view.verticalScrollBar().setValue(0)
    hands.area.take_focus()
    QApplication.processEvents()
    shop.tones.played.clear()
    shop.pause()
    hands.keys.now += APART_MS
    hands.before = max((one.sequence for one in shop.database.sales.last(1)), default=0)


def _is_open(hands: Hands) -> bool:
    """Whether a step back has an effect."""
    model, sale = hands.model, hands.area.sale
    has_words = bool(sale.search.text()) or model.cart.next_quantity is not None
    is_asked = model.questions.question is not None or model.cart.purpose is not ScanPurpose.ADD
    return is_asked or has_words or hands.area.is_paying or sale.search.pad.isChecked()


def _drop(model: SaleModel) -> None:
    """End the cart, even an empty one, with the text that was typed for it."""
    if not model.cart.ticket.cart.lines:
        model.entry.enter_code(BREAD)
    people = model.context.services.people
    rights = people.rights()
    begun = model.context.is_payment_begun()
    if begun:  # not everybody may end that
        people.keep_rights(rights.with_cell(Act.REMOVE_WHILE_PAYING, Role.CASHIER, Leave.MAY))
    model.cart.void("test")
    if begun:
        people.keep_rights(rights)
    while model.context.notices:
        model.context.dismiss()
