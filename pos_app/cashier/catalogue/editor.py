"""The fields of one product, or of one of its variants. The model has every typed character at
once.

The form is made once and filled for each product, because making it takes longer than a step from
one row of the table to the next may take. Source: look.md (Screens, 6), till.md (Catalogue).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.catalogue import decisions
from pos_app.cashier.catalogue.columns import field_options
from pos_app.cashier.catalogue.model import CatalogueModel, CataloguePart
from pos_app.cashier.catalogue.photos import PhotoStrip
from pos_app.cashier.catalogue.product_edit_words import became_words, measure_question, opened
from pos_app.cashier.catalogue.variant_button import VariantButton
from pos_app.cashier.services.open_edits import OpenEdit, OpenEditPanels
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button, is_enter
from pos_app.cashier.ui.choices import CheckBox, ChipFlow, DropDown
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import Field, TextArea
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import ElidedLabel, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.number_fields import AmountField
from pos_app.cashier.ui.panel import FilledPanel, Ground, clear_layout
from pos_app.cashier.ui.save_bar import SaveBar
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.cashier.ui.state import StateKind
from pos_app.cashier.words.article_texts import label_text, named_list
from pos_app.domain.article.article import Article
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.catalogue.product_draft import YES, DraftField
from pos_app.selling.synchronisation.catalogue_edits import EditState

_F = DraftField
_PLANS_NAMED = 3
_TO_BE_SENT = (EditState.WAITING, EditState.SENDING)


class LabelButtons(QWidget):
    """A button for each of the four tax labels, with its present rate. chosen: called with the
    label that was pressed."""

    def __init__(self, model: CatalogueModel, ui: UiContext, chosen: Callable[[str], None]) -> None:
        super().__init__()
        self._model = model
        self._texts, theme = ui.texts, ui.theme
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(theme.metrics.s2)
        self.group = QButtonGroup(self)
        for index, label in enumerate(TaxLabel):
            button = Button(theme, label_text(label, model.services.rates, ui.texts), narrow=True)
            button.setCheckable(True)
            button.clicked.connect(lambda _=False, tax_label=label: chosen(tax_label.value))
            self.group.addButton(button, index)
            grid.addWidget(button, index // 2, index % 2)
        self.setAccessibleName(ui.texts("cat.field.tax_label"))

    def set_current(self, label: str) -> None:
        rates = self._model.services.rates
        for index, one in enumerate(TaxLabel):
            button = self.group.button(index)
            assert isinstance(button, Button)
            button.set_words(label_text(one, rates, self._texts))
            button.setChecked(one.value == label)


class NewCategory(QWidget):
    """A field for the name of a new category, visible only while it asks for the name. Signal:
    `named(str)`, with the name as it was typed."""

    named = Signal(str)

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        words = ui.texts("cat.category_new")
        self.field = Field(ui.theme, name=words, placeholder=words)
        self.add = Button(ui.theme, ui.texts("cat.category_make"), icon="plus")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(ui.theme.metrics.s2)
        row.addWidget(self.field, 1)
        row.addWidget(self.add, 0, Qt.AlignmentFlag.AlignTop)
        self.add.clicked.connect(self.take)
        self.hide()

    def ask(self) -> None:
        self.show()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def put_away(self) -> None:
        self.field.set_text("")
        self.hide()

    def take(self) -> None:
        """Put the field away if it is visible, and emit the typed name."""
        name = self.field.text()
        if self.isVisible():
            self.put_away()
            self.named.emit(name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take the name at Enter without saving anything yet."""
        if is_enter(event, self):
            if not event.isAutoRepeat():
                self.take()
        else:
            super().keyPressEvent(event)


class ProductEditor(FilledPanel):
    """The form beside the table. Signals: `delete_pressed()`; `undo_pressed()`, the change that was
    saved last shall be taken back. The screen's way back closes it."""

    delete_pressed = Signal()
    undo_pressed = Signal()

    def __init__(self, model: CatalogueModel, ui: UiContext) -> None:
        super().__init__(ui.theme)
        self._model = model
        self._texts = texts = ui.texts
        self._fields: dict[DraftField, Field] = {}
        self._drops: dict[DraftField, DropDown] = {}
        self._checks: dict[DraftField, CheckBox] = {}
        self._areas: dict[DraftField, TextArea] = {}
        self._blocks: dict[DraftField, QWidget] = {}
        self._area_errors: dict[DraftField, Label] = {}
        self._filling = False
        self._shown_id = ""
        self._shown_questions: object = None
        self.setAccessibleName(texts("cat.editor"))
        self._head = ElidedLabel(ui.theme, step=TypeStep.TITLE, weight=Weight.BOLD)
        self._sub = ElidedLabel(ui.theme, colour="ink_2", step=TypeStep.SMALL)
        self.labels = LabelButtons(model, ui, lambda value: self._put(_F.TAX_LABEL, value))
        self.categories = ChipFlow(
            ui.theme,
            name=texts("cat.field.categories"),
            add=texts("cat.category_add"),
            other=texts("cat.category_new"),
            take_off=lambda words: texts("cat.category_off", name=words),
        )
        self.new_category = NewCategory(ui)
        self._variants = QVBoxLayout()
        self._variants_block = QWidget()
        self.add_variant = Button(
            ui.theme, texts("cat.variant_add"), icon="plus", kind=ButtonKind.QUIET
        )
        self.edits = OpenEditPanels(ui, otherwise=self.focus_first)
        self.photos = PhotoStrip(ui.theme, texts)
        self.delete = Button(ui.theme, texts("cat.delete"), icon="trash-2", kind=ButtonKind.DANGER)
        self.acts = SaveBar(ui.theme, texts)
        self.acts.add_act(self.delete)
        self.drop, self.save = self.acts.drop, self.acts.save
        self._area = Scrolled(ui.theme, name=texts("cat.editor"))
        self._build()
        self._connect()

    # --- for the screen --------------------------------------------------------------------------

    def focus_first(self) -> None:
        self._fields[_F.NAME].edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_field(self, field: DraftField, *, select: bool = False) -> None:
        """Put the caret into a field, and scroll to it. select: select its text, so that typing
        replaces it, as an amount's always is."""
        widget = self._fields.get(field) or self._areas.get(field) or self._drops.get(field)
        if widget is not None:
            widget.setFocus(Qt.FocusReason.OtherFocusReason)
            self._area.ensureWidgetVisible(widget, 0, self.theme.metrics.touch)
        made = self._fields.get(field)
        if made is not None and (select or made.edit.is_entered_whole):
            made.edit.selectAll()

    def focus_decision(self) -> None:
        """Put the focus on the question that a manager must answer before anything is saved."""
        self.edits.focus_first()
        self._area.ensureWidgetVisible(self.edits, 0, self.theme.metrics.s4)

    def put_question_away(self) -> bool:
        """Hide the field for a new category; return False if it was not shown."""
        if not self.new_category.isVisible():
            return False
        self.new_category.put_away()
        self.categories.add.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def has_caret_in(self, field: DraftField) -> bool:
        return field in self._fields and self._fields[field].edit.hasFocus()

    def type_into(self, field: DraftField, text: str) -> None:
        """Put text into a field as if it had been typed."""
        self._fields[field].set_text(text)

    def field(self, field: DraftField) -> Field:
        return self._fields[field]

    def show_model(self, changes: frozenset[CataloguePart]) -> None:
        model = self._model
        if model.current is None:
            return
        if CataloguePart.CURRENT in changes:
            self._fill()
        questions = (model.meanwhile, model.measure_asked)
        if CataloguePart.CURRENT in changes or questions != self._shown_questions:
            self._shown_questions = questions
            self.edits.show_edits([*self._measure_question(), *opened(model, self._texts)])
        self._show_errors()
        self._show_acts()

    # --- parts -----------------------------------------------------------------------------------

    def _build(self) -> None:
        metrics = self.theme.metrics
        column = self.edge_column()
        head = QVBoxLayout()
        head.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s2)
        head.setSpacing(0)
        head.addWidget(self._head)
        head.addWidget(self._sub)
        column.addLayout(head)
        inside = QWidget()
        self._form = form = QVBoxLayout(inside)
        form.setContentsMargins(metrics.s4, metrics.s1, 0, metrics.s4)
        form.setSpacing(metrics.s3)
        self._build_form()
        form.addStretch(1)
        self._area.show_inside(inside)
        beside = QHBoxLayout()
        beside.setContentsMargins(0, 0, metrics.s4, 0)  # the thumb stands in it
        beside.addWidget(self._area)
        column.addLayout(beside, 1)
        foot = Ground(self.theme, side=Qt.Edge.TopEdge)
        rows = QVBoxLayout(foot)
        rows.setContentsMargins(metrics.s4, metrics.s2, metrics.s4, metrics.s2)
        rows.addWidget(self.acts)
        column.addWidget(foot)

    def _build_form(self) -> None:
        texts = self._texts
        self._row(self.edits)
        self._row_with_picture()
        self._row(self._field(_F.VARIANT_NAME))
        self._only_variants = Label(self.theme, step=TypeStep.SMALL, colour="info", wrap=True)
        self._row(self._only_variants)
        self._row(
            self._field(_F.SKU, takes=InputKind.NUMBER), self._field(_F.EAN, takes=InputKind.NUMBER)
        )
        self._row(self._field(_F.PRICE, right=True), self._drop(_F.UNIT))
        self._holds = Label(self.theme, step=TypeStep.SMALL, colour="info", wrap=True)
        self._row(self._holds)
        self._row(self._titled(_F.TAX_LABEL, self.labels))
        self._row(self._titled(_F.CATEGORIES, self.categories))
        self._row(self.new_category)
        self._build_variants()
        self._row(self._text(_F.BARCODES))
        self._row(
            self._field(_F.MANUFACTURER_SKU, takes=InputKind.NUMBER), self._drop(_F.PRODUCT_TYPE)
        )
        self._row(self._field(_F.PLANNED_PRICE, right=True))
        self._row(
            self._field(_F.PLANNED_FROM, takes=InputKind.NUMBER),
            self._field(_F.PLANNED_UNTIL, takes=InputKind.NUMBER),
        )
        self._row(self._drop(_F.BASE_UNIT), self._field(_F.PER_BASE_UNIT, right=True))
        self._row(self._text(_F.DESCRIPTION))
        self._row(
            self._field(_F.WEIGHT, right=True), self._field(_F.DIMENSIONS, takes=InputKind.NUMBER)
        )
        for field in (_F.OPEN_PRICE, _F.PINNED):
            check = CheckBox(self.theme, texts(f"cat.field.{field}"))
            check.clicked.connect(lambda on=False, name=field: self._put(name, YES if on else ""))
            self._checks[field] = check
            self._row(check)

    def _row_with_picture(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(self.theme.metrics.s3)
        row.addWidget(self.photos.cover, 0, Qt.AlignmentFlag.AlignTop)
        names = QVBoxLayout()
        names.setSpacing(self.theme.metrics.s2)
        names.addWidget(self._field(_F.NAME))
        names.addWidget(self._field(_F.SUBTITLE))
        row.addLayout(names, 1)
        self._form.addLayout(row)
        self._row(self.photos)

    def _row(self, *widgets: QWidget) -> None:
        if len(widgets) == 1:
            self._form.addWidget(widgets[0])
            return
        row = QHBoxLayout()
        row.setSpacing(self.theme.metrics.s2)
        for part in widgets:
            row.addWidget(part, 1, Qt.AlignmentFlag.AlignTop)
        self._form.addLayout(row)

    def _titled(self, field: DraftField, widget: QWidget) -> QWidget:
        block = QWidget()
        column = QVBoxLayout(block)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self.theme.metrics.s1 // 2)
        words = ElidedLabel(
            self.theme, self._texts(f"cat.field.{field}"), step=TypeStep.SMALL, colour="ink_2"
        )
        words.setToolTip(words.text())
        column.addWidget(words)
        column.addWidget(widget)
        self._blocks[field] = block
        return block

    def _field(
        self, field: DraftField, *, right: bool = False, takes: InputKind | None = None
    ) -> QWidget:
        name = self._texts(f"cat.field.{field}")
        hint = f"cat.hint.{field}"
        placeholder = self._texts(hint) if self._texts.has(hint) else ""
        if field in (_F.PRICE, _F.PLANNED_PRICE):
            step = TypeStep.STRONG if field is _F.PRICE else TypeStep.BASE
            made: Field = AmountField(
                self.theme, name=name, placeholder=placeholder, step=step, takes=InputKind.NUMBER
            )
        else:
            made = Field(
                self.theme,
                name=name,
                right=right,
                takes=InputKind.NUMBER if right else takes,
                placeholder=placeholder,
                mono=field is _F.EAN,
            )
        made.changed.connect(lambda text: self._put(field, text))
        made.refused.connect(lambda: self._model.services.tones.play("no"))
        self._fields[field] = made
        return self._titled(field, made)

    def _drop(self, field: DraftField) -> QWidget:
        made = DropDown(
            self.theme, name=self._texts(f"cat.field.{field}"), placeholder=self._texts("cat.none")
        )
        made.chosen.connect(lambda key: self._put(field, key))
        self._drops[field] = made
        return self._titled(field, made)

    def _text(self, field: DraftField) -> QWidget:
        made = TextArea(self.theme, name=self._texts(f"cat.field.{field}"))
        hint = f"cat.hint.{field}"
        if self._texts.has(hint):
            made.setPlaceholderText(self._texts(hint))
        made.setFixedHeight(2 * self.theme.metrics.touch)
        made.textChanged.connect(lambda: self._put(field, made.toPlainText()))
        self._areas[field] = made
        block = self._titled(field, made)
        error = Label(
            self.theme, step=TypeStep.SMALL, weight=Weight.SEMIBOLD, colour="danger", wrap=True
        )
        error.hide()
        layout = block.layout()
        assert layout is not None
        layout.addWidget(error)
        self._area_errors[field] = error
        return block

    def _build_variants(self) -> None:
        block = self._variants_block
        column = QVBoxLayout(block)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self.theme.metrics.s1)
        head = QHBoxLayout()
        words = Label(
            self.theme, self._texts("cat.variants_head"), step=TypeStep.SMALL, colour="ink_2"
        )
        head.addWidget(words, 1)
        head.addWidget(self.add_variant)
        column.addLayout(head)
        self._variants.setSpacing(self.theme.metrics.s1)
        column.addLayout(self._variants)
        self._form.addWidget(block)

    def _connect(self) -> None:
        self.delete.clicked.connect(self.delete_pressed)
        self.add_variant.clicked.connect(self._add_variant)
        self.drop.clicked.connect(self._model.drop_typed)
        self.save.clicked.connect(self._save)
        self.photos.ordered.connect(self._model.order_photos)
        self.categories.changed.connect(lambda keys: self._put(_F.CATEGORIES, "\n".join(keys)))
        self.categories.other_wanted.connect(self._ask_category)
        self.new_category.named.connect(self._choose_category)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Save at Enter in a field; at Ctrl+Z, where the field has nothing to undo, take back the
        change that was saved last."""
        if is_enter(event, self):
            if not event.isAutoRepeat() and self.save.isEnabled():
                self._save()
            elif self._model.is_gone:
                self.focus_decision()
        elif event.matches(QKeySequence.StandardKey.Undo):
            self.undo_pressed.emit()
        else:
            super().keyPressEvent(event)

    def _ask_category(self) -> None:
        self.new_category.ask()
        inside = self._area.widget()
        assert inside is not None
        inside.adjustSize()  # gives the field its position at once, for the scrolling
        self._area.ensureWidgetVisible(self.new_category, 0, self.theme.metrics.s4)

    def _choose_category(self, name: str) -> None:
        """Choose the category of that name; for a new name a category is made."""
        chosen = self._model.category_named(name)
        self.categories.set_options(field_options(_F.CATEGORIES, self._model, self._texts))
        if chosen:
            self.categories.choose(chosen)
        self.categories.add.setFocus(Qt.FocusReason.OtherFocusReason)

    def _add_variant(self) -> None:
        self._model.add_variant()
        self.focus_field(_F.VARIANT_NAME)

    def _save(self) -> None:
        self.new_category.take()
        if self._model.save():
            return
        model = self._model
        if model.meanwhile or model.is_gone or model.measure_asked:
            self.focus_decision()
            return
        first = next(iter(self._model.faults), None)
        if first is not None:
            self.focus_field(DraftField(first))

    def _measure_question(self) -> list[OpenEdit]:
        asked = self._model.measure_asked
        if asked is None:
            return []
        field = _F.PLANNED_PRICE if asked.price is None else _F.PRICE
        correct = partial(self.focus_field, field, select=True)
        return [measure_question(asked, self._texts, correct=correct, keep=self._keep_price)]

    def _keep_price(self) -> None:
        self._model.keep_price()
        self._save()

    # --- what is shown ---------------------------------------------------------------------------

    def _put(self, field: DraftField, text: str) -> None:
        if not self._filling and self._model.current is not None:
            self._model.put(field, text)

    def _fill(self) -> None:
        model, current = self._model, self._model.current
        assert current is not None
        self._filling = True
        try:
            self._fill_choices()
            is_saved = not model.is_changed  # then no field undoes a part of it by itself
            for field, widget in self._fields.items():
                is_old = is_saved and widget.edit.isUndoAvailable()
                if is_old or widget.text() != model.value(field):
                    widget.set_text(model.value(field))
            for field, area in self._areas.items():
                is_old = is_saved and area.document().isUndoAvailable()
                if is_old or area.toPlainText() != model.value(field):
                    area.setPlainText(model.value(field))
            for field, drop in self._drops.items():
                drop.set_current(model.value(field))
            for field, check in self._checks.items():
                check.setChecked(bool(model.value(field)))
            self.labels.set_current(model.value(_F.TAX_LABEL))
            chosen = model.value(_F.CATEGORIES)
            self.categories.set_ids(chosen.split("\n") if chosen else [])
        finally:
            self._filling = False
        self._blocks[_F.VARIANT_NAME].setVisible(current.is_variant)
        self._show_head()
        self._show_only_variants()
        self._show_photos()
        self._show_planned()
        self._show_variants()
        if self._shown_id != current.owner.id:
            self._shown_id = current.owner.id
            self.new_category.put_away()
            self._area.verticalScrollBar().setValue(0)

    def _fill_choices(self) -> None:
        model, texts = self._model, self._texts
        for field, drop in self._drops.items():
            drop.set_options(field_options(field, model, texts))
        self.categories.set_options(field_options(_F.CATEGORIES, model, texts))

    def _show_head(self) -> None:
        model, current = self._model, self._model.current
        assert current is not None
        name = model.value(_F.NAME).strip()
        self._head.setText(name or self._texts("cat.new") if model.is_new else current.owner.name)
        code = model.value(_F.SKU)
        text = self._texts("cat.code", code=code) if code else ""
        if current.is_variant:
            text = self._texts("cat.variant_of", name=current.product.name)
        self._sub.setText(text)

    def _show_only_variants(self) -> None:
        """Say that a product with variants is not sold itself; or, at its first variant, that this
        will be so once the variant is saved."""
        current = self._model.current
        assert current is not None
        has_variants, is_first = bool(current.product.has_variants), current.is_variant
        self._only_variants.setVisible(has_variants != is_first)
        self._only_variants.setText(
            self._texts("cat.only_variants_then" if is_first else "cat.only_variants")
        )
        self._fields[_F.SKU].edit.setPlaceholderText(
            "" if has_variants and not current.is_variant else self._texts("cat.hint.sku")
        )

    def _show_planned(self) -> None:
        """While a planned price holds, say that it is charged instead of the price in the field; of
        a product also which plans of its variants a new price replaces."""
        model, current = self._model, self._model.current
        assert current is not None
        plan, now = current.plan, model.services.till.clock.now()
        holds = plan is not None and plan.holds_at(now)
        replaced = model.plans_replaced()
        self._holds.setVisible(holds or bool(replaced))
        if replaced:
            names = {one.id: one.variant_name or one.name for one in current.product.variants}
            named = [f"{names[one.article_id]} ({amount_text(one.price)})" for one in replaced]
            words = named_list(named[:_PLANS_NAMED], len(named))
            self._holds.setText(self._texts("cat.plan.of_variants", named=words))
        elif plan is not None and holds:
            words = "cat.plan.is_usual" if plan.is_usual_at(now) else "cat.plan.holds"
            self._holds.setText(self._texts(words, price=plan.price))

    def _show_photos(self) -> None:
        """Show the photos of a product. Variants have none, because a platform keeps none for
        them."""
        model, current = self._model, self._model.current
        assert current is not None
        self.photos.show_photos([] if current.is_variant or model.is_gone else model.photos())
        self.photos.cover.setVisible(not current.is_variant)
        if model.is_new or model.is_gone:
            words = "cat.went.save" if model.is_gone else "cat.picture.save_first"
            self.photos.cover.refuse(self._texts(words))
        else:
            self.photos.cover.allow()

    def _show_variants(self) -> None:
        current = self._model.current
        assert current is not None
        clear_layout(self._variants)
        shown = not (current.is_variant or self._model.is_new or self._model.is_gone)
        self._variants_block.setVisible(shown)
        if not shown:
            return
        for article in self._model.variants() if current.product.variants else ():
            button = self._variant_button(article)
            self._variants.addWidget(button)
            button.show()

    def _variant_button(self, article: Article) -> VariantButton:
        price = "" if article.price is None else amount_text(article.price)
        code = "" if article.sku is None else str(article.sku)
        button = VariantButton(self.theme, article.variant_name or article.name, code, price)
        button.clicked.connect(lambda: self._open_variant(article))
        return button

    def _open_variant(self, article: Article) -> None:
        """Open a variant, and put the caret into its first field, because the pressed button is
        hidden."""
        self._model.open(article.product_id, article.id)
        self.focus_first()

    def _show_errors(self) -> None:
        model, texts = self._model, self._texts
        faults, lacks, doubts = model.faults, model.lacks, model.doubts()
        became = {field: became_words(field, model, texts) for field in model.meanwhile}
        for field, widget in self._fields.items():
            if field in became:
                widget.set_error(became[field])
            elif (fault := faults.get(field)) is not None:
                widget.set_error(texts.error(fault).happened)
            elif field in lacks and model.is_typed(field):
                widget.judge(texts.error(lacks[field]).happened)
            elif field in doubts:
                widget.set_error(texts.error(doubts[field]).happened, ink="warn")
            else:
                widget.judge("")
        for field, label in self._area_errors.items():
            fault = faults.get(field)
            words = "" if fault is None else texts.error(fault).happened
            label.setText(became.get(field, words))
            label.setVisible(bool(label.text()))

    def _show_acts(self) -> None:
        model, texts = self._model, self._texts
        self._show_head()
        changed = model.is_changed or model.is_new
        self.drop.setVisible(changed)
        if model.is_gone:
            self.save.refuse(texts("cat.went.save"))
        elif changed:
            self.save.allow()
        else:
            self.save.refuse(texts("cat.nothing_to_save"))
        self.save.show_act(order=self._order() if changed and not model.is_gone else "")
        self.delete.setVisible(not model.is_new and not changed and not model.is_gone)
        self.acts.tell(*self._standing())

    def _order(self) -> str:
        """Return what to do before the article can be saved; "" for nothing."""
        model, texts = self._model, self._texts
        if model.meanwhile or model.measure_asked:
            return texts("cat.order.decide")
        lacks = model.lacks
        if not lacks:
            return ""
        fault = next(iter(lacks.values()))
        if len(lacks) == 1 and fault.kind == "article_name":
            return texts.error(fault).happened
        return texts.count("cat.order.mend", len(lacks))

    def _standing(self) -> tuple[StateKind | None, str]:
        model, texts = self._model, self._texts
        if model.failure is not None:
            return StateKind.FAILED, texts.error(model.failure).happened
        if model.saved:
            waits = any(one.state in _TO_BE_SENT for one in decisions.open_edits(model))
            return StateKind.DONE, texts("cat.saved" if waits else "cat.saved_here")
        if model.is_changed or model.is_new:
            return StateKind.DECIDE, texts("set.unsaved")
        return None, ""
