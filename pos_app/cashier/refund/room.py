"""The room of the refund asks the server for the receipt, confirms, and hears the result."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal

from pos_app import errors
from pos_app.cashier.acts.act_in_front import REFUSED_IN_FRONT, Stage
from pos_app.cashier.refund.model import RefundModel
from pos_app.cashier.services.tasks import LastAsked
from pos_app.cashier.texts.of_store import texts_for
from pos_app.cashier.window.frame import Change, Frame, Room, ShopChange
from pos_app.cashier.window.screens import REFUND, RefundPlace
from pos_app.documents.shown_receipt import ShownReceipt
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.receipt_overview import WhyNot
from pos_app.selling.catalogue.codes import ReadCode
from pos_app.selling.receipts.exchanged import card_of
from pos_app.selling.receipts.refund_by_hand import HandDraft
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.server.monitor import ServerLink


class RefundRoom(Room):
    """Signals: `changed()`, the model has changed; `lines_changed()`, its lines too;
    `scan_refused(NotFound)`, why a scanned code ticked nothing."""

    changed = Signal()
    lines_changed = Signal()
    scan_refused = Signal(object)
    _closed = Signal(object)

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.model = RefundModel(frame.services, on_lifted=self._on_lifted)
        self._asking = LastAsked(frame.tasks, cancels=False)
        self.began_at = 0
        """The time of the confirmation, in the clock's milliseconds."""
        self._scanned: list[ReadCode] = []
        """Scans that wait until the receipt is shown, and the manager's PIN is typed."""
        self._drawer_for = ""
        """The key of the refund for whose cash the drawer opens once it is issued, or ""."""
        self._closed.connect(self._sell_goods, Qt.ConnectionType.QueuedConnection)

    # --- the receipt -----------------------------------------------------------------------------

    def open(self, screen_place: RefundPlace) -> None:
        self._scanned = []
        self.model.open(screen_place.reference, back_to=screen_place.back_to)
        is_by_hand = (
            screen_place.foreign is not None
            or screen_place.closes
            or self.model.hand_draft is not None
        )
        if is_by_hand:
            self.begin_by_hand(screen_place.foreign, closes=screen_place.closes)
        else:
            self.ask()
        self.lines_changed.emit()

    def begin_by_hand(self, foreign: ForeignReceipt | None, *, closes: bool = False) -> None:
        """Let a manager refund by hand what the journal does not hold. foreign: the content of the
        receipt's code. closes: the receipt is an advance that is closed."""
        self._asking.drop()
        store = self.frame.services.catalogue.store()
        goods = texts_for(store, self.frame.ui.texts)("refund.hand.goods")
        draft = HandDraft.of(self.model.reference, foreign, goods=goods, closes=closes)
        self.model.begin_by_hand(draft, buyer="" if foreign is None else foreign.buyer_id)
        self.changed.emit()

    def leave(self) -> None:
        """Lock, because each visit asks for the PIN."""
        self.model.lock.lock()

    def ask(self) -> None:
        """Ask for the receipt's present state. Typed text stays in any case."""
        self.model.is_asking = True
        self._asking.ask(
            partial(self.frame.services.receipt_now, self.model.reference),
            name="ask for the receipt",
            take=self._show,
            fail=self._not_shown,
        )

    def _not_shown(self, error: errors.PosError) -> None:
        self.model.not_shown(error)
        self.changed.emit()

    def _show(self, shown_receipt: ShownReceipt) -> None:
        self.model.take_overview(shown_receipt.overview)
        self._take_scanned()
        self.lines_changed.emit()

    def _on_lifted(self) -> None:
        self._take_scanned()
        self.changed.emit()

    def _take_scanned(self) -> None:
        waiting, self._scanned = self._scanned, []
        for code in waiting:
            self.scan(code)

    def scan(self, code: ReadCode) -> None:
        """Tick the scanned line. Scans wait until the receipt is shown and the PIN is typed."""
        if self.model.is_locked or (self.model.is_asking and self.model.draft is None):
            self._scanned.append(code)
            return
        try:
            self.model.scan(code)
        except errors.NotFound as error:
            self.frame.home.tone("no")
            self.scan_refused.emit(error)
        else:
            self.frame.home.tone("item")
            self.changed.emit()

    # --- the act ---------------------------------------------------------------------------------

    def confirm(self) -> None:
        try:
            with self.frame.services.here.lifting(self.model.lock.lifted_by):
                sale = self.model.confirm()
        except errors.PosError as error:
            self.model.trouble = error
            self.frame.home.tone("no")
        else:
            self.began_at = self.frame.services.till.clock.ticks()
            self._drawer_for = sale.key
            self.frame.home.act_confirmed(sale)
        self.changed.emit()

    def sell_goods(self) -> None:
        sale = self.model.act.sale
        assert sale is not None
        try:
            self.frame.home.open_goods(sale)
        except errors.PosError as error:
            self.model.trouble = error
            self.frame.home.tone("no")
            self.changed.emit()
        else:
            self.frame.go_home()

    def exchange(self) -> None:
        """Go on to the sale of other goods, with the refund kept in its cart."""
        model, draft = self.model, self.model.draft
        assert draft is not None
        try:
            self.frame.home.begin_exchange(model.exchanged(), card_of(draft.overview))
        except errors.PosError as error:
            model.trouble = error
            self.frame.home.tone("no")
            self.changed.emit()
        else:
            model.exchanges = False
            self.frame.go_home()

    def _sell_goods(self, sale: Sale) -> None:
        """Open the sale of the goods if somebody waits for it here; else Attention leads there."""
        waited = self.model.act.sale
        if self.frame.is_seen(REFUND) and waited is not None and waited.key == sale.key:
            self.sell_goods()

    def handle_change(self, change: Change) -> None:
        if change.what is ShopChange.SERVER:
            self._hear_server()
        if not self.model.act.follow_change(change):
            self._hear_other_act(change)
            return
        self._open_drawer()
        if self.model.is_over and self.model.closes:
            self._closed.emit(self.model.act.sale)
        if self.model.act.stage is Stage.REFUSED and change.sale is not None:
            self._refused(change.sale)
        self.changed.emit()

    def _hear_other_act(self, change: Change) -> None:
        """Ask for the receipt again when another act of this till, which may have held it, has
        changed."""
        held = (WhyNot.UNDER_WAY, WhyNot.HALF_DONE)
        is_shown = self.frame.top_name == REFUND and not self.model.is_asking
        if change.what is ShopChange.SALES and is_shown and self.model.why_not in held:
            self.ask()

    def _hear_server(self) -> None:
        """Go on when the server is back: ask for the receipt that could not be read, and
        remove the message that the processor signs nothing."""
        server, model = self.frame.services.server, self.model
        is_ours = server.link is ServerLink.OURS
        if is_ours and isinstance(model.trouble, errors.RemoteError) and not model.is_asking:
            self.ask()
        elif isinstance(model.trouble, errors.NotAllowed) and not server.signs_nothing:
            model.trouble = None
        self.changed.emit()

    def _open_drawer(self) -> None:
        """Open the drawer for the buyer's cash once the refund is issued, while somebody waits for
        it here. After a doubt, or when the screen was left or covered, nobody waits any more."""
        sale, stage = self.model.act.sale, self.model.act.stage
        if sale is None or sale.key != self._drawer_for or stage is Stage.UNDER_WAY:
            return
        self._drawer_for = ""
        if stage is Stage.DONE and self.frame.is_seen(REFUND):
            self.model.drawer_asked = self.frame.services.has_drawer
            self.frame.home.open_drawer_for(sale)

    def _refused(self, sale: Sale) -> None:
        """Cancel the refused refund, even if the screen was left: nothing was issued. If the
        cashier tries again, that is a new act with a new key, so this one needs no attention."""
        if sale.state is SaleState.REFUSED:
            try:
                self.frame.services.outbox.cancel(sale.key, reason=REFUSED_IN_FRONT)
            except errors.PosError as error:
                self.frame.home.show_error(error)
        self.model.refused(sale.reason)
        if self.model.hand_draft is None:
            self.ask()
