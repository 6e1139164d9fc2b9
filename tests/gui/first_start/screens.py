from __future__ import annotations

import tempfile
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cache
from pathlib import Path

from PySide6.QtWidgets import QApplication

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.cashier.first_start.model import ArticleWay, FirstStartModel, PinEntry, ShopField
from pos_app.cashier.first_start.view import FirstStartScreen
from pos_app.cashier.settings.platform_model import PlatformField
from pos_app.cashier.settings.processor_model import Entry, ProcessorKind
from pos_app.cashier.window.till_window import TillWindow
from pos_app.domain.setup.platform_setup import PlatformTrial
from pos_app.domain.setup.printer_setup import PrinterKind, PrinterUse
from pos_app.domain.setup.processor_setup import ProcessorTrial
from pos_app.errors import DiskFull, Invalid, NotDelivered
from pos_app.selling.catalogue.files import BadCellShown, ChangeShown, ImportPlan
from pos_app.selling.file_work import FileDone
from pos_app.selling.first_start import FirstStart, FirstStep, ShopChoice
from tests.fakes.people_here import quick
from tests.fakes.services_in_memory import FirstStartInMemory
from tests.gui import pictures
from tests.gui.crawl.posing import named
from tests.gui.inside import inside
from tests.gui.settings.screens import _at_once, done
from tests.gui.window.posed import Pose, window_posed
from tests.gui.window.shop import Shop, demo_catalogue

PLAN = ImportPlan(
    plan=Path("plan"), rows=5, new=3, changed=0, same=0, bad=2,
    bad_cells=(
        BadCellShown(2, "баркод", "8600000000015", Invalid("ean", what="x")),
        BadCellShown(5, "цена", "abc", Invalid("number", what="x")),
    ),
    changes=(
        ChangeShown(3, "Млеко", True, "129,99"),
        ChangeShown(4, "Кафа млевена 200 g", True, "1.035,00"),
    ),
)  # fmt: skip


def screen_of(window: TillWindow) -> FirstStartScreen:
    screen = inside(window).first_start
    assert screen is not None
    return screen


def opened(window: TillWindow) -> tuple[FirstStartScreen, FirstStartModel]:
    vars(window.tasks)["start"] = _at_once  # pictures have no loop
    screen = screen_of(window)
    return screen, screen.model


def at(window: TillWindow, step: FirstStep) -> tuple[FirstStartScreen, FirstStartModel]:
    screen, model = opened(window)
    model.state = FirstStart(choice=ShopChoice.SHOP, step=step)
    screen.show_model()
    pictures.settle()
    return screen, model


def choice(shop: Shop, window: TillWindow) -> None:
    opened(window)


def choice_failed(shop: Shop, window: TillWindow) -> None:
    """The demo can't be prepared."""
    _, model = opened(window)
    desk = shop.services.first_start
    assert isinstance(desk, FirstStartInMemory)
    desk.refuses = DiskFull(what="The disk is full.", safe="Nothing was changed.", do="Make room.")
    done(model.choose_demo())


def cashier_long(shop: Shop, window: TillWindow) -> None:
    _, model = at(window, FirstStep.CASHIER)
    model.cashier.type("Мирослава Милорадовић-Стојановић, сменски пословођа")
    model.cashier.choose(in_vat=False)


def pin(shop: Shop, window: TillWindow) -> None:
    _, model = at(window, FirstStep.PIN)
    model.pin.type(PinEntry.PIN, "2580")
    model.pin.type(PinEntry.AGAIN, "2581")
    done(model.go_on())


def pin_is_chosen(shop: Shop, window: TillWindow) -> None:
    shop.services.manager.save_pin(quick("2580"))
    at(window, FirstStep.PIN)


def articles_plan(shop: Shop, window: TillWindow) -> None:
    _, model = at(window, FirstStep.ARTICLES)
    model.articles.path = Path("cenovnik 2026.xlsx")
    model.articles.ended(PLAN)


def articles_done(shop: Shop, window: TillWindow) -> None:
    articles_plan(shop, window)
    screen_of(window).model.articles.ended(FileDone(3))


def articles_platform(shop: Shop, window: TillWindow) -> None:
    shop.platform_setup.trial = PlatformTrial(fault="key")
    _, model = at(window, FirstStep.ARTICLES)
    model.articles.choose(ArticleWay.PLATFORM)
    pictures.settle()
    model.platform.type(PlatformField.URL, "https://platforma.lipa.rs/v2")
    model.platform.type(PlatformField.KEY, "pk_12")
    model.platform.type(PlatformField.SECRET, "tajna")
    done(model.try_out())


def store_typed(shop: Shop, window: TillWindow) -> None:
    _, model = at(window, FirstStep.STORE)
    model.shop.type(ShopField.NAME, "Пекара код Мире")
    model.shop.type(ShopField.ADDRESS, "Булевар ослобођења 12")
    model.shop.type(ShopField.CITY, "Нови Сад")


def processor(shop: Shop, window: TillWindow) -> None:
    shop.processor_setup.trial = lambda _: ProcessorTrial(fault="away", message="no answer")
    _, model = at(window, FirstStep.PROCESSOR)
    model.processor.choose_kind(ProcessorKind.LPFR)
    model.processor.type(Entry.URL, "http://192.168.1.40:8888")
    done(model.try_out())


def server_starts(shop: Shop, window: TillWindow) -> None:
    async def silent() -> None:
        raise NotDelivered(what="The server does not answer.")

    vars(shop.processor_setup)["setup"] = silent
    at(window, FirstStep.PROCESSOR)


def printer(shop: Shop, window: TillWindow) -> None:
    _, model = at(window, FirstStep.PRINTER)
    done(model.printer.look_for())
    model.printer.choose_kind(PrinterKind.NETWORK)
    model.printer.type(PrinterUse.RECEIPT, "192.168.1.50")
    done(model.try_out())


def empty(name: str, step: FirstStep) -> Pose:
    def pose(shop: Shop, window: TillWindow) -> None:
        at(window, step)

    pose.__name__ = name
    return pose


SCENES = named(
    choice, choice_failed, empty("cashier", FirstStep.CASHIER), cashier_long, pin, pin_is_chosen,
    empty("articles", FirstStep.ARTICLES), articles_plan, articles_done, articles_platform,
    empty("store", FirstStep.STORE), store_typed, processor, server_starts, printer,
)  # fmt: skip
WITH_ARTICLES = ("articles_done",)


@cache
def _template(with_articles: bool) -> tempfile.TemporaryDirectory[str]:
    """A data folder with a catalogue, made once and deleted with the program."""
    made = tempfile.TemporaryDirectory()
    if with_articles:
        demo_catalogue(Path(made.name))
    else:
        path = catalogue_file(Path(made.name))
        path.parent.mkdir(parents=True)
        SqliteCatalogue(path).close()
    return made


def posed(
    application: QApplication, shape: pictures.Shape, name: str
) -> AbstractContextManager[TillWindow]:
    return window_posed(
        application,
        shape,
        SCENES[name],
        template=Path(_template(name in WITH_ARTICLES).name),
        services_of=lambda shop: replace(shop.services, first_start=FirstStartInMemory()),
    )
