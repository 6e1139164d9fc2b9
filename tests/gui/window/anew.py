"""One window for several cases of a test: each begins with the till as it was opened."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.window.frame import Change, ShopChange
from pos_app.selling.sale.scan import ScanPurpose
from pos_app.selling.sale.ticket import DocumentKind
from tests.gui.inside import inside
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD

STEPS_BACK = 8
"""More steps than there are from any screen to the sale."""


class Anew:
    """Brings a till back to its first state. A sale can't be undone: a case that sells has a window
    of its own."""

    def __init__(self, hands: Hands) -> None:
        """hands: at a till that was just opened."""
        self._hands = hands
        self._new = state_of(hands)
        self._is_new = True
        assert (self._new["cart"], self._new["last"]) == ([], None), "it was used before"

    def begin(self) -> Hands:
        """Close what is open and drop the cart. Fails where the till is not as it was."""
        if not self._is_new:
            _leave(self._hands)
            state = state_of(self._hands)
            left = {what: state[what] for what, new in self._new.items() if state[what] != new}
            assert left == {}, f"the case before left behind: {left}"
        self._is_new = False
        return self._hands


def state_of(hands: Hands) -> dict[str, object]:
    """Everything in a till that the case before may have changed."""
    window, model = hands.window, inside(hands.window).model
    sale, payment, focus = (
        inside(window).work_area.sale,
        inside(window).work_area,
        QApplication.focusWidget(),
    )
    picker = sale.picker
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
        "last": model.confirmation.last,
        "search": sale.search.text(),
        "pad": (sale.pad.isVisible(), sale.search.pad.isChecked()),
        "keyboard": window.typing.keyboard,
        "paying": payment.is_paying,
        "panel": payment.panel,
        "screen": (
            inside(window).is_in("attention"),
            inside(window).is_in("catalogue"),
            inside(window).is_in("settings"),
        ),
        "picker": (picker.rows.as_list, picker.rows.window.choice, picker.rows.window.count),
        "scrolled": picker.view.verticalScrollBar().value(),
        "large": inside(window).cart.large.isVisible(),
        "bell": inside(window).top.bell.isVisible(),
        "banners": (
            inside(window).top.banners.kind.isVisible(),
            inside(window).top.banners.behind.isVisible(),
        ),
        "bottom line": window.status.accessibleDescription(),
        "size": window.size().toTuple(),
        "look": window.theme,
        "language": window.texts.language,
        "focus": focus.accessibleName() if focus is not None else None,
    }


def _leave(hands: Hands) -> None:
    """Go back to the sale, and drop its cart."""
    window, model = hands.window, inside(hands.window).model
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
    inside(window).work_area.sale.picker.view.verticalScrollBar().setValue(0)
    inside(window).work_area.take_focus()
    QApplication.processEvents()
    hands.shop.tones.played.clear()
    hands.shop.pause()


def _is_open(hands: Hands) -> bool:
    """Whether a step back has an effect."""
    work_area, model = inside(hands.window).work_area, inside(hands.window).model
    sale = work_area.sale
    has_words = bool(sale.search.text()) or model.cart.next_quantity is not None
    is_asked = model.questions.question is not None or model.cart.purpose is not ScanPurpose.ADD
    return is_asked or has_words or work_area.is_paying or sale.search.pad.isChecked()


def _drop(model: SaleModel) -> None:
    """End the cart, even an empty one, with the text that was typed for it."""
    if not model.cart.ticket.cart.lines:
        model.entry.enter_code(BREAD)
    model.cart.void("test")
    while model.context.notices:
        model.context.dismiss()
