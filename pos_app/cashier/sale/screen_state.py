"""The state of the sale's screen beside its model."""

from __future__ import annotations

from pos_app.cashier.sale.catalogue_pages import FAVOURITES_CHIP, RowWindow
from pos_app.cashier.sale.notices import RecentNotices, SaleNotice
from pos_app.cashier.services import TillServices
from pos_app.selling.sale.sale import Sale


class ScreenState:
    """It outlives the widgets, which read it and change it by its methods."""

    def __init__(self, *, as_list: bool) -> None:
        self.as_list = as_list
        """The picker shows a list instead of tiles."""
        self.text = ""
        """Text typed into the search; another cart begins with an empty one."""
        self.rows: RowWindow | None = None
        self.chip_before = FAVOURITES_CHIP
        """The category that an ended search brings back."""
        self.scrolled = 0
        """The picker's scroll position in pixels."""
        self.pad_wanted = False
        self.recent = RecentNotices()
        self.told_in_payment: SaleNotice | None = None
        self._given: set[str] = set()

    def rows_of(self, services: TillServices) -> RowWindow:
        """Return the picker's rows, opened once."""
        if self.rows is None:
            self.rows = RowWindow(services.catalogue, services.till.clock)
        return self.rows

    def set_as_list(self, as_list: bool) -> None:
        self.as_list = as_list

    def type_search(self, text: str) -> None:
        self.text = text

    @property
    def typed_digits(self) -> str:
        """The typed text, if it may be money or an article: no key drops that in silence."""
        typed = self.text.strip()
        return typed if any(map(str.isdigit, typed)) else ""

    def begin_search(self, chip: str) -> None:
        """Note the beginning of a search. chip: the category that it leaves."""
        self.chip_before = chip

    def scroll_to(self, place: int) -> None:
        self.scrolled = place

    def want_pad(self, wanted: bool) -> None:
        self.pad_wanted = wanted

    def tell_in_payment(self, notice: SaleNotice | None) -> None:
        self.told_in_payment = notice

    def is_change_given(self, sale: Sale | None) -> bool:
        """Tell whether another cart was begun after that sale: its change was given out."""
        return sale is not None and sale.key in self._given

    def note_change_given(self, sale: Sale) -> None:
        self._given.add(sale.key)
