"""The acts on files: import, export, labels, photos. Each is chosen, carried out and reported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtWidgets import QWidget

from pos_app.cashier.catalogue.model import CatalogueModel
from pos_app.cashier.catalogue.notices import CatalogueNotices
from pos_app.cashier.catalogue.work import WORK_OF
from pos_app.cashier.commands import ESCAPE
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.file_chooser import SHEETS, file_chooser, file_stem
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.domain.money.tax import label_of_all
from pos_app.selling.catalogue.bulk_act import ActDone
from pos_app.selling.catalogue.files import ImportPlan
from pos_app.selling.catalogue.last_change import ChangeKind, LastChange
from pos_app.selling.catalogue.product_draft import moment_typed
from pos_app.selling.catalogue.sheet.row_plan import SheetAnswers
from pos_app.selling.catalogue.taking_back import Undone
from pos_app.selling.file_work import FileDone, FileWork

PHOTOS = "JPEG, PNG, WebP (*.jpg *.jpeg *.png *.webp *.gif)"


class PrintLabels(Protocol):
    def __call__(self, path: Path, *, only_changed: bool) -> None: ...


class FileActs:
    """Results are shown in the notices that exist when the work ends, because the widgets that
    began it may be gone by then."""

    def __init__(
        self, model: CatalogueModel, ui: UiContext, notices: CatalogueNotices, parent: QWidget
    ) -> None:
        self._model = model
        self._texts = ui.texts
        self._theme = ui.theme
        self._notices = notices
        self._window = parent

    # --- import and export -----------------------------------------------------------------------

    def choose_import(self) -> None:
        chooser = file_chooser(self._window, self._texts, "cat.import")
        chooser.setNameFilter(SHEETS)
        chooser.fileSelected.connect(lambda name: self.read_sheet(Path(name)))
        chooser.open()

    def read_sheet(
        self, path: Path, answers: SheetAnswers | None = None, column: int | None = None
    ) -> None:
        """Read a file of articles and show what it would change; nothing is written. answers: a
        person's answers about the file; column: the index of the column answered last."""
        services = self._model.services
        label = label_of_all(in_vat=services.in_vat)
        begin = partial(
            services.catalogue_files.plan_import,
            path,
            label=label,
            rates=services.rates,
            answers=answers,
        )
        self._notices.follow_file(
            begin, "read", lambda notices, plan: notices.planned.emit(plan, path, column)
        )

    def carry_out(self, plan: ImportPlan, path: Path) -> None:
        model = self._model
        begin = partial(model.many.carry_out, plan, name=path.name)

        def written(notices: CatalogueNotices, _: ActDone) -> None:
            texts, outcome = notices.texts, model.many.outcome
            assert outcome is not None
            wrong = plan.bad + outcome.failed
            more = texts.count("cat.import.left_out", wrong) if wrong else ""
            more = f"{more} {notices.left_words(outcome.left_out, outcome.names)}".strip()
            acts = [notices.take_back_button()] if model.many.can_take_back() else []
            if plan.bad:
                acts.append(notices.refused_button(plan))
            text = texts.count("cat.done.import", outcome.changed)
            notices.show_notice(text, more, is_well=not more, acts=acts)

        def note(done: ActDone) -> None:
            model.note_many(done.act.done if done.act is not None else 0)

        self._notices.follow_file(begin, "import", written, note=note, writes=True)

    def choose_refused(self, plan: ImportPlan) -> None:
        chooser = file_chooser(self._window, self._texts, "cat.import.save_refused", saves=True)
        chooser.setNameFilters(["XLSX (*.xlsx)", "CSV (*.csv)"])
        chooser.setDefaultSuffix("xlsx")
        chooser.filterSelected.connect(
            lambda filter_name: chooser.setDefaultSuffix("csv" if "csv" in filter_name else "xlsx")
        )
        chooser.selectFile(file_stem(self._texts("file.refused")))
        chooser.fileSelected.connect(lambda name: self.save_refused(plan, Path(name)))
        chooser.open()

    def save_refused(self, plan: ImportPlan, path: Path) -> None:
        files, language = self._model.services.catalogue_files, self._texts.language
        begin = partial(files.save_refused, plan, path, language=language)

        def written(notices: CatalogueNotices, done: FileDone) -> None:
            text = notices.texts.count("cat.import.refused_saved", done.done)
            notices.show_notice(text, str(path))
            notices.refused_saved.emit(f"{text} {path}")

        self._notices.follow_file(begin, "export", written)

    # --- the last change of many articles --------------------------------------------------------

    def ask_take_back(self) -> None:
        """Ask whether to take the last import or bulk change back, if there is one."""
        last, texts = self._model.many.last(), self._texts
        if last is None:
            return
        yes = Button(self._theme, texts("cat.take_back"), icon="undo-2")
        no = Button(self._theme, texts("cat.bulk.stop"), key=ESCAPE)
        values = {"sheet": last.name, "at": moment_typed(last.at), "by": last.by}
        if last.kind is ChangeKind.BULK:
            del values["sheet"]
        what = "delete" if last.is_deletion else last.kind
        text = texts.count(f"cat.take_back.{what}", last.articles, **values)
        back = f"{texts('cat.names.comes_back', name=last.ended)} " if last.ended else ""
        self._notices.ask(
            NoticeKind.INFO,
            icon="undo-2",
            safe_answer=no,
            buttons=(yes,),
            happened=text,
            safe=f"{back}{texts('cat.take_back.words')}",
        )
        yes.clicked.connect(lambda: self.take_back(last))
        no.clicked.connect(self._notices.ask_open_act)

    def take_back(self, asked: LastChange) -> None:
        """Take back the change that was asked about, and say which articles stay because they were
        changed since. Where another one is the last by now, it is asked about instead."""
        model = self._model
        if model.many.last() != asked:
            model.services.tones.play("no")
            self.ask_take_back()
            return

        def show_undone(notices: CatalogueNotices, undone: Undone) -> None:
            texts = notices.texts
            more = notices.left_words(undone.left_many, undone.left_names)
            kind = "take_back.import" if asked.kind is ChangeKind.IMPORT else "take_back"
            text = texts.count(f"cat.done.{kind}", undone.done)
            if asked.ended:
                text = f"{text} {texts('cat.names.is_back', name=asked.ended)}"
            notices.show_notice(text, more, is_well=not more)

        self._notices.follow_file(
            partial(model.many.take_back, asked),
            "take_back",
            show_undone,
            note=lambda undone: model.note_many(undone.done),
            writes=True,
        )

    def carry_on(self) -> None:
        """Carry on the act that was stopped."""
        many = self._model.many
        act = many.open_act()
        if act is not None:
            self._notices.follow_act(many.carry_on, WORK_OF[act.kind])

    # --- export ----------------------------------------------------------------------------------

    def choose_export(self) -> None:
        chooser = file_chooser(self._window, self._texts, "cat.export", saves=True)
        chooser.setNameFilters(["XLSX (*.xlsx)", "CSV (*.csv)"])
        chooser.setDefaultSuffix("xlsx")
        chooser.filterSelected.connect(
            lambda name: chooser.setDefaultSuffix("csv" if "csv" in name else "xlsx")
        )
        chooser.selectFile(file_stem(self._texts("file.items")))
        chooser.fileSelected.connect(lambda name: self.export_to(Path(name)))
        chooser.open()

    def export_to(self, path: Path) -> None:
        files = self._model.services.catalogue_files
        begin = partial(files.export, self._model.listed.choice, path)

        def written(notices: CatalogueNotices, done: FileDone) -> None:
            words = notices.texts.count("cat.exported", done.articles)
            if done.done != done.articles:
                words += f" {notices.texts.count('cat.exported_rows', done.done)}"
            notices.show_notice(words, str(path))

        self._notices.follow_file(begin, "export", written)

    # --- photos ----------------------------------------------------------------------------------

    def choose_photos(self) -> None:
        chooser = file_chooser(self._window, self._texts, "cat.photos", many=True)
        chooser.setNameFilter(PHOTOS)
        chooser.filesSelected.connect(lambda names: self.take_photos([Path(one) for one in names]))
        chooser.open()

    def take_photos(self, paths: Sequence[Path]) -> None:
        """Add photos to the edited product; its very first photo becomes the main one."""
        model, services = self._model, self._model.services
        current = model.current
        if current is None or model.is_new or model.is_gone or not paths:
            return
        begin = partial(
            services.catalogue_files.take_photos,
            paths,
            product_id=current.product.id,
            by=services.cashier,
        )
        self._notices.follow_file(begin, "picture", lambda *_: None, writes=True)

    # --- labels ----------------------------------------------------------------------------------

    def ask_labels(self) -> None:
        """Ask whether to print the labels of all ticked products, or only those whose words have
        changed."""
        texts = self._texts
        every = Button(self._theme, texts("cat.labels.all"), icon="barcode")
        new = Button(self._theme, texts("cat.labels.changed"), icon="barcode")
        no = Button(self._theme, texts("cat.bulk.stop"), key=ESCAPE)
        self._notices.ask(
            NoticeKind.INFO,
            icon="barcode",
            first=every,
            safe_answer=no,
            buttons=(new, every),
            happened=texts.count("cat.labels.ask", len(self._model.listed.ticked)),
            safe=texts("cat.labels.words"),
        )
        every.clicked.connect(lambda: self._choose_labels(self.print_labels, only_changed=False))
        new.clicked.connect(lambda: self._choose_labels(self.print_labels, only_changed=True))

    def choose_coming_labels(self, day: date, only_changed: bool) -> None:
        """Choose the file of the labels of a day on which planned prices begin or end."""
        self._choose_labels(partial(self.print_coming_labels, day), only_changed=only_changed)

    def _choose_labels(self, print_to: PrintLabels, *, only_changed: bool) -> None:
        chooser = file_chooser(self._window, self._texts, "cat.band.labels", saves=True)
        chooser.setNameFilter("PDF (*.pdf)")
        chooser.setDefaultSuffix("pdf")
        chooser.selectFile(file_stem(self._texts("file.labels")))
        chooser.fileSelected.connect(lambda name: print_to(Path(name), only_changed=only_changed))
        chooser.open()

    def print_labels(self, path: Path, *, only_changed: bool) -> None:
        files, products = self._model.services.catalogue_files, self._model.listed.ticked_in_order()
        self._follow_labels(partial(files.labels, products, path, only_changed=only_changed), path)

    def print_coming_labels(self, day: date, path: Path, *, only_changed: bool) -> None:
        files, now = self._model.services.catalogue_files, self._model.services.till.clock.now()
        begin = partial(files.coming_labels, day, path, now=now, only_changed=only_changed)
        self._follow_labels(begin, path)

    def _follow_labels(self, begin: Callable[[], FileWork], path: Path) -> None:
        def written(notices: CatalogueNotices, done: FileDone) -> None:
            notices.show_notice(notices.texts.count("cat.labels.done", done.done), str(path))

        self._notices.follow_file(begin, "labels", written)
