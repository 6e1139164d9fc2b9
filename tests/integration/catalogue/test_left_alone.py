"""A till that is killed while a process works with a file for it: the process says nothing, and
what it began is whole."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pos_app.adapters.left_alone import LEFT_ALONE
from pos_app.domain.article.product import Product
from pos_app.domain.money import tax
from pos_app.domain.money.money import Money
from pos_app.selling.catalogue.bulk_act import ActDone
from pos_app.selling.catalogue.table import TableChoice
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.e2e.nursery import child
from tests.integration.catalogue.test_sheets import NOW, Shop, shop
from tests.sweep import each, sampled

__all__ = ["shop"]
ROWS = {"plan": 20_000, "export": 3000, "change": 400, "apply": 100}
"""The work is long enough to be killed in its midst."""
TILL = """
import os, signal, sys, time
from decimal import Decimal
from pathlib import Path
from pos_app.adapters.catalogue_files.catalogue_process import CatalogueProcess
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.domain.money import tax
from pos_app.selling.catalogue.bulk_change import PriceByPercent, Rounding, preview
from pos_app.selling.catalogue.bulk_plan import row_of
from pos_app.selling.catalogue.table import TableChoice

what, data, sheet, products = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:]
files = CatalogueProcess(data)
plan = lambda: files.plan_import(sheet, label=None, rates=tax.PUBLISHED_RATES)
if what == "apply":
    planned = plan()
    while (told := planned.result()) is None:
        time.sleep(0.001)
    work = files.carry_out(told, name="cene.csv", by="Мира")
elif what == "change":
    change = PriceByPercent(Decimal(10), Rounding.PARA)
    catalogue = SqliteCatalogue(catalogue_file(data))
    rows = [row_of(line) for line in preview(catalogue, products, change)]
    work = files.change(rows, by="Мира")
else:
    work = plan() if what == "plan" else files.export(TableChoice(), data / "out.csv")
while not work.progress.done:
    assert work.result() is None, work.result()
    time.sleep(0.001)
os.kill(os.getpid(), signal.SIGKILL)
"""


def sheet_of(shop: Shop, many: int) -> Path:
    rows = (f"{n};Артикал {n};100,00;Ђ" for n in range(10, 10 + many))
    return shop.sheet("\n".join(["Шифра;Назив;Цена;Порез", *rows]))


def add_articles(shop: Shop, many: int) -> None:
    with shop.editor.together():
        for n in range(10, 10 + many):
            name, label = f"Артикал {n}", tax.TaxLabel.DJ
            product = Product(id=f"q{n}", name=name, tax_label=label, sku=n, price=Money(100))
            shop.editor.record(NewEdit.adding(product, by="Мира", at=NOW))


def said_after_kill(what: str, shop: Shop, sheet: Path, products: list[str]) -> str:
    """Kill a till while its work goes on; return what the two wrote to standard error, once the
    child has ended too."""
    words = [sys.executable, "-c", TILL, what, str(shop.data), str(sheet), *products]
    till = subprocess.run(words, stderr=subprocess.PIPE, check=False, timeout=120)
    assert till.returncode < 0, till.stderr.decode()
    return till.stderr.decode()


@pytest.mark.deadline(200)
@pytest.mark.parametrize("what", sampled(["change", "apply", "plan", "export"]))
def test_a_process_whose_till_is_gone_ends_without_a_word(what: str, shop: Shop) -> None:
    if what in ("change", "export"):
        add_articles(shop, ROWS[what])
    products = list(shop.table.products(TableChoice(query="Артикал"))) if what == "change" else []
    assert said_after_kill(what, shop, sheet_of(shop, ROWS[what]), products) == ""
    assert not (shop.data / "out.csv").exists()
    carried_on = shop.files.carry_on()
    while carried_on.result() is None:
        time.sleep(0.01)  # waits for the child
    assert isinstance(carried_on.result(), ActDone)
    if what in ("change", "apply"):
        prices = {shop.price(str(n)) for n in range(10, 10 + ROWS[what])}
        assert prices == {"110.00" if what == "change" else "100.00"}, "each article once"


@each(
    "words",
    [
        ["pos_app.bootstrap.till.catalogue_files", "plan", "{data}"],
        ["pos_app.bootstrap.till.receipt_export", "{data}"],
        ["pos_app.bootstrap.till.report_export"],
        ["pos_app.bootstrap.till.backup_work", "make", "{data}"],
        ["pos_app.adapters.pfr.certificate_process"],
        ["pos_app", "sync", "--pictures", "--data", "{data}"],
    ],
)
def test_one_that_was_asked_nothing_ends_without_a_word(words: list[str], tmp_path: Path) -> None:
    """The till was killed before it wrote what it asks, or in the midst of it."""
    module, *more = [word.format(data=tmp_path) for word in words]
    is_real = module.endswith(("report_export", "certificate_process"))  # no nursery has them
    command = (sys.executable, "-m", module) if is_real else child(module)
    for asked in (b"", b'{"file": "a'):
        done = subprocess.run([*command, *more], input=asked, capture_output=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (LEFT_ALONE, b"", b"")


PRINTS = """
import sys
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtPrintSupport import QPrinter
from pos_app.adapters.printers.a4_process import print_pages

application, printer = QGuiApplication([]), QPrinter()
printer.setOutputFileName(sys.argv[1])
print_pages([QImage(10, 10, QImage.Format.Format_Grayscale8)], printer)
"""


@pytest.mark.parametrize("what", ["certificate", "pages"])
def test_one_that_nobody_reads_ends_without_a_word(what: str, tmp_path: Path) -> None:
    """Who asked was killed before the first answer: no page comes out of a printer."""
    paper = tmp_path / "paper.pdf"
    words = ["-m", "pos_app.adapters.pfr.certificate_process"]
    if what == "pages":
        words = ["-c", PRINTS, str(paper)]
    reads, writes = os.pipe()
    os.close(reads)
    try:
        done = subprocess.run(
            [sys.executable, *words],
            input=b'{"pfx": "", "password": ""}\n',
            stdout=writes,
            stderr=subprocess.PIPE,
            env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
            check=False,
        )
    finally:
        os.close(writes)
    assert (done.returncode, done.stderr) == (LEFT_ALONE, b"")
    assert not paper.exists()
