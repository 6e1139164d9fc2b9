"""Deletes the edited product or variant, or all ticked products, after the manager was asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, QTimer

from pos_app.cashier.catalogue.model import CatalogueModel
from pos_app.cashier.catalogue.notices import CatalogueNotices
from pos_app.cashier.catalogue.product_edit_words import deleted_name
from pos_app.cashier.commands import ESCAPE, UNDO
from pos_app.cashier.services.slices import take_slice
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.selling.catalogue.bulk_act import PlannedRow
from pos_app.selling.catalogue.bulk_plan import row_to_delete
from pos_app.selling.catalogue.editing import Edited


class Deleting:
    def __init__(
        self,
        model: CatalogueModel,
        ui: UiContext,
        notices: CatalogueNotices,
        *,
        bring_back: Callable[[], None],
    ) -> None:
        """bring_back: takes the last deletion back."""
        self._bring_back = bring_back
        self._model = model
        self._texts = ui.texts
        self._theme = ui.theme
        self._notices = notices
        self._looks: _Looks | None = None
        self._asked_about: Edited | None = None
        """The article that is asked about, as the form shows it."""

    def ask_current(self) -> None:
        """Ask; what something else changes from then on is not deleted."""
        self._asked_about = current = self._model.current
        if current is None:
            return
        happened = self._texts("cat.delete_one", name=deleted_name(current))
        self._ask(happened, self._delete_shown)

    def ask_ticked(self) -> None:
        """Ask; a product that something else changes from then on is not deleted."""
        ticked = tuple(sorted(self._model.listed.ticked))
        text = self._texts.count("cat.delete_many", len(ticked))
        yes = self._ask(text, lambda: self._delete(ticked))
        self._looks = looks = _Looks(self._model, ticked, yes, self._texts)
        looks.destroyed.connect(lambda: self._forget(looks))
        looks.read()

    def renew(self) -> None:
        """Take what table and form show now for what the question is about."""
        asked, current = self._asked_about, self._model.current
        if asked is not None and current is not None and current.owner.id == asked.owner.id:
            self._asked_about = current
        if self._looks is not None:
            self._looks.read()

    def _forget(self, looks: _Looks) -> None:
        if self._looks is looks:
            self._looks = None

    def _ask(self, happened: str, delete: Callable[[], None]) -> Button:
        texts = self._texts
        yes = Button(self._theme, texts("cat.delete"), icon="trash-2", kind=ButtonKind.DANGER)
        no = Button(self._theme, texts("cat.keep"), key=ESCAPE)
        self._notices.ask(
            NoticeKind.WARN,
            happened=happened,
            safe=texts("cat.delete_words"),
            safe_answer=no,
            buttons=(yes,),
        )
        yes.clicked.connect(delete)
        return yes

    def _delete_shown(self) -> None:
        if self._asked_about is not None:
            self._model.delete_shown(self._asked_about)
        deleted = self._model.deleted
        if deleted is not None:
            back = Button(self._theme, self._texts("cat.deleted.bring_back"), icon="undo-2")
            back.clicked.connect(self._bring_back)
            happened = self._texts("cat.deleted", name=deleted_name(deleted))
            words = self._texts("cat.deleted.words", key=UNDO)
            self._notices.show_notice(happened, words, acts=(back,))

    def _delete(self, product_ids: tuple[str, ...]) -> None:
        assert self._looks is not None
        begin = partial(self._model.many.delete, self._looks.rows)
        self._notices.follow_act(begin, "delete", product_ids)


class _Looks(QObject):
    """Reads what each product looks like, in slices; until all are read, the answer waits. It goes
    with the button of the answer."""

    def __init__(
        self, model: CatalogueModel, product_ids: Sequence[str], yes: Button, texts: Texts
    ) -> None:
        super().__init__(yes)
        self._reading = texts("cat.bulk.reading")
        self._model, self._product_ids, self._yes = model, product_ids, yes
        self.rows: list[PlannedRow] = []
        self._unread = iter(product_ids)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._read_on)

    def read(self) -> None:
        self.rows, self._unread = [], iter(self._product_ids)
        self._yes.refuse(self._reading)
        self._timer.start()
        self._read_on()

    def _read_on(self) -> None:
        if take_slice(self._unread, self._read_one):
            self._timer.stop()
            self._yes.allow()

    def _read_one(self, product_id: str) -> None:
        services = self._model.services
        self.rows.append(row_to_delete(services.catalogue, services.editor, product_id))
