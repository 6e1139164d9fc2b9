"""Deletes the edited product or variant, or all ticked products, after the manager was asked."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.cashier.catalogue.model import CatalogueModel
from pos_app.cashier.catalogue.notices import CatalogueNotices
from pos_app.cashier.commands import ESCAPE
from pos_app.cashier.ui.buttons import Button, ButtonKind
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.notice import NoticeKind


class Deleting:
    def __init__(self, model: CatalogueModel, ui: UiContext, notices: CatalogueNotices) -> None:
        self._model = model
        self._texts = ui.texts
        self._theme = ui.theme
        self._notices = notices

    def ask_current(self) -> None:
        current, texts = self._model.current, self._texts
        if current is None:
            return
        if current.is_variant:
            name = current.owner.variant_name or current.owner.name
            self._ask(
                texts("cat.delete_one", name=name), lambda: self._model.delete_variant(current)
            )
        else:
            product_id = current.product.id
            text = texts("cat.delete_one", name=current.product.name)
            self._ask(text, lambda: self._model.delete_product(product_id))

    def ask_ticked(self) -> None:
        ticked = tuple(sorted(self._model.ticked))
        text = self._texts.count("cat.delete_many", len(ticked))
        self._ask(text, lambda: self._delete(ticked))

    def _ask(self, happened: str, delete: Callable[[], None]) -> None:
        texts = self._texts
        yes = Button(self._theme, texts("cat.delete"), icon="trash-2", kind=ButtonKind.DANGER)
        no = Button(self._theme, texts("cat.keep"), key=ESCAPE)
        self._notices.ask(
            NoticeKind.WARN,
            happened=happened,
            safe=texts("cat.delete_words"),
            buttons=(no, yes),
            first=no,
        )
        yes.clicked.connect(delete)

    def _delete(self, product_ids: tuple[str, ...]) -> None:
        self._notices.follow_act(self._model.many.delete(product_ids), "delete", product_ids)
