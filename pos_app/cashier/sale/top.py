"""The top of the window: shop, kind of document, bell, cashier, clock, and the banner below."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier import commands
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.ui.bars import ShopHead, TopBar
from pos_app.cashier.ui.button_face import content_width
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import Segment
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.labels import Icon, Label
from pos_app.cashier.ui.notice import Banners, BannerText
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window.frame import Frame
from pos_app.cashier.window.headed_screen import LockButton
from pos_app.cashier.window.screens import ATTENTION
from pos_app.cashier.words.moments import clock_text
from pos_app.domain.article.store import Store
from pos_app.selling.sale.ticket import DocumentKind
from pos_app.settings.shapes import TillSettings

KINDS = tuple(DocumentKind(command) for command in commands.KINDS)
PRACTICE = "graduation-cap"
ICONS: Mapping[DocumentKind, str] = MappingProxyType(
    {
        DocumentKind.SALE: PRACTICE,
        DocumentKind.ADVANCE: "hand-coins",
        DocumentKind.PROFORMA: "file-text",
        DocumentKind.TRAINING: PRACTICE,
    }
)
"""The icon in a kind's banner. A sale has a banner only where nothing is fiscal."""
UNNAMED = TillSettings().name
"""The till's default name; a text in the screen's language is shown instead."""
MOST_COUNTED, MOST_WHERE_TIGHT = 99, 9
"""The bell shows higher numbers as "99+" or "9+"; Attention shows the number."""


class Bell(Button):
    """The number of waiting things. The width of the widest number is reserved also while the bell
    is hidden, so that nothing beside it moves."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "", icon="bell")
        policy = QSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)

    def show_count(self, count: int) -> None:
        """Show a number; the bell is hidden for 0."""
        self.setVisible(count > 0)
        self.set_words(str(count) if count <= self._most() else f"{self._most()}+")

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        widest = replace(self.spec, words=f"{self._most()}+")
        side = metrics.s1 if metrics.narrow else metrics.s3
        wide = content_width(self.theme, self.font(), widest) + 2 * side
        return QSize(max(wide, metrics.touch), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _most(self) -> int:
        return MOST_WHERE_TIGHT if self.theme.metrics.tight else MOST_COUNTED


class Top(QWidget):
    """Signal: `kind_chosen(DocumentKind)`, the kind that the cart is to become."""

    kind_chosen = Signal(object)

    def __init__(self, model: SaleModel, ui: UiContext, frame: Frame, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self._texts = texts = ui.texts
        self._theme = theme = ui.theme
        self.segment = Segment(
            theme, [texts(f"kind.{kind}") for kind in KINDS], name=texts("kind.name")
        )
        self.head = ShopHead(theme)
        self.bar = TopBar(theme, self.head, middle=self.segment)
        self.bell = Bell(theme)
        self._cashier = Label(theme)
        self.lock = LockButton(theme, texts, lambda: frame.run(commands.TillCommand.LOCK))
        self._who = QWidget()
        self.banners = Banners(theme, behind=texts("banner.behind"))
        self._build()
        self.segment.chosen.connect(lambda number: self.kind_chosen.emit(KINDS[number]))
        self.bell.clicked.connect(lambda: frame.open(ATTENTION))
        self.show_store()
        self.show_kind()
        self.show_waiting(0)
        self.show_clock()

    def show_store(self) -> None:
        services, store = self._model.context.services, self._model.context.store
        narrow = self._theme.metrics.narrow
        name = store.name if store else self._texts("till.title")
        self.head.set_shop(name, _address(store, narrow=narrow))
        till = services.settings.till.name
        if till == UNNAMED:
            till = self._texts("top.unnamed")
        self._cashier.setText(self._texts("top.cashier", till=till, cashier=services.cashier))
        self.lock.show_cashier(services)
        self._who.setVisible(self.lock.isHidden())

    def show_kind(self) -> None:
        self.segment.set_current(KINDS.index(self._model.cart.ticket.kind))
        is_slim = self._banner_text_id(self._model.cart.ticket.kind) == "not_fiscal"
        self.banners.show_kind(self.banner, slim=is_slim)

    @property
    def banner(self) -> BannerText:
        return self._banner_of(self._model.cart.ticket.kind)

    @property
    def banner_elsewhere(self) -> BannerText:
        """The banner on other screens, which are not about the cart: only what is not fiscal
        concerns them."""
        kind = self._model.cart.ticket.kind
        return self._banner_of(kind if kind.is_training else DocumentKind.SALE)

    def _banner_of(self, kind: DocumentKind) -> BannerText:
        text_id = self._banner_text_id(kind)
        return BannerText(self._texts(f"banner.{text_id}") if text_id else "", ICONS[kind])

    def show_in_front(self, in_front: bool) -> None:
        """Show whether the till has the keyboard focus, because other programs' scans do not arrive
        here."""
        self.banners.show_in_front(in_front)

    def show_waiting(self, count: int) -> None:
        self.bell.show_count(count)
        self.bell.setAccessibleName(self._texts("bell.name", n=count))

    def show_clock(self) -> None:
        self.bar.set_clock(clock_text(self._model.context.services.till.clock.now()))

    def _banner_text_id(self, kind: DocumentKind) -> str:
        """Return the part of the banner's text id that names it; "" without a banner."""
        services = self._model.context.services
        status = services.server.status
        practice = services.not_fiscal or (status is not None and status.not_fiscal)
        if kind is DocumentKind.SALE:
            return "not_fiscal" if practice else ""
        return f"{kind}_not_fiscal" if practice else kind.value

    def _build(self) -> None:
        metrics = self._theme.metrics
        self.bar.extra.setSpacing(metrics.s2)
        self.bar.extra.addWidget(self.bell)
        who = QHBoxLayout(self._who)
        who.setContentsMargins(0, 0, 0, 0)
        who.setSpacing(metrics.s1)
        if not self._theme.metrics.tight:
            who.addWidget(Icon(self._theme, "user", size=18))
        who.addWidget(self._cashier)
        self.bar.extra.addWidget(self._who)
        self.bar.extra.addWidget(self.lock)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.banners)


def _address(store: Store | None, *, narrow: bool) -> str:
    if store is None:
        return ""
    parts = (store.city,) if narrow else (store.address, store.city)
    return ", ".join(part for part in parts if part)
