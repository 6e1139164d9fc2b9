"""The process that prints pages: `python -m pos_app.adapters.printers.a4_process QUEUE TITLE`.

It reads a PDF from standard input, draws each page at 300 dpi and gives it to the system's print
service through Qt. The process is separate, so that the server carries no Qt, and a driver that
hangs or crashes does the server no harm. It writes "began" to standard output before anything may
come out of the printer, and prints nothing where the server is gone; its exit status is one of
`a4_protocol`. Windows needs it, whose print service takes no PDF.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pypdfium2
from PySide6.QtCore import QMarginsF, QRectF
from PySide6.QtGui import QGuiApplication, QImage, QPageLayout, QPageSize, QPainter
from PySide6.QtPrintSupport import QPrinter, QPrinterInfo

from pos_app.adapters.left_alone import write_told
from pos_app.adapters.printers import a4_protocol

DPI = 300
_POINTS_PER_INCH = 72


def pages(pdf: bytes) -> Iterator[QImage]:
    """Iterate over the pages as pictures in shades of grey. Raises pypdfium2.PdfiumError."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        for number in range(len(document)):
            drawn = document[number].render(scale=DPI / _POINTS_PER_INCH, grayscale=True)
            grey = QImage.Format.Format_Grayscale8
            # The picture is copied, because it must outlive pypdfium2's buffer.
            yield QImage(drawn.buffer, drawn.width, drawn.height, drawn.stride, grey).copy()
    finally:
        document.close()


def printer_for(queue: str, title: str) -> QPrinter | None:
    """Return a printer for A4 without margins, at our resolution: QPrinter begins with 72 dpi. It
    returns None where there is no such queue."""
    info = QPrinterInfo.printerInfo(queue)
    if info.isNull():
        return None
    printer = QPrinter(info, QPrinter.PrinterMode.HighResolution)
    printer.setResolution(DPI)
    printer.setDocName(title)
    printer.setFullPage(True)
    size, upright = QPageSize(QPageSize.PageSizeId.A4), QPageLayout.Orientation.Portrait
    printer.setPageLayout(QPageLayout(size, upright, QMarginsF(0, 0, 0, 0)))
    return printer


def print_pages(pictures: list[QImage], printer: QPrinter) -> int:
    """Give all pages to the print service, and return the exit status."""
    write_told(a4_protocol.BEGAN.encode())
    painter = QPainter()
    if not painter.begin(printer):
        return a4_protocol.QUEUE_REFUSES
    for number, picture in enumerate(pictures):
        if number and not printer.newPage():
            printer.abort()
            return a4_protocol.BROKE_OFF
        rect = QRectF(printer.paperRect(QPrinter.Unit.DevicePixel))
        painter.drawImage(rect, picture)
    if not painter.end() or printer.printerState() is QPrinter.PrinterState.Error:
        return a4_protocol.BROKE_OFF
    return a4_protocol.PRINTED


def main(arguments: list[str]) -> int:
    queue, title = arguments
    if sys.platform == "linux":
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    try:
        pictures = list(pages(sys.stdin.buffer.read()))
    except pypdfium2.PdfiumError:
        return a4_protocol.UNREADABLE
    application = QGuiApplication([sys.argv[0]])
    printer = printer_for(queue, title)
    status = a4_protocol.NO_QUEUE if printer is None else print_pages(pictures, printer)
    application.shutdown()
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
