"""A till is killed while a process works with a file for it: the process says nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pos_app.adapters.left_alone import LEFT_ALONE
from tests.e2e.nursery import child
from tests.integration.catalogue.test_sheets import shop
from tests.sweep import each

__all__ = ["shop"]


@each(
    "words",
    [
        ["pos_app.bootstrap.till.catalogue_files", "plan", "{data}"],
        ["pos_app.bootstrap.till.receipt_export", "{data}"],
        ["pos_app.bootstrap.till.report_export"],
        ["pos_app.bootstrap.till.buyer_sheets", "read"],
        ["pos_app.bootstrap.till.backup_work", "make", "{data}"],
        ["pos_app.adapters.pfr.certificate_process"],
        ["pos_app", "sync", "--pictures", "--data", "{data}"],
    ],
)
def test_one_that_was_asked_nothing_ends_without_a_word(words: list[str], tmp_path: Path) -> None:
    """The till was killed before it wrote what it asks, or in the midst of it."""
    module, *more = [word.format(data=tmp_path) for word in words]
    is_real = module.endswith(
        ("report_export", "buyer_sheets", "certificate_process")
    )  # no nursery has them
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
