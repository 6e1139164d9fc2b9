"""The shop's pictures, one after the other, read and scaled outside the window's thread."""

from __future__ import annotations

import threading
from pathlib import Path

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QImage, QImageIOHandler, QImageReader

from pos_app import log

_log = log.get(__name__)

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".gif"})
MOST_BYTES = 40_000_000
MOST_PIXELS = 50_000_000
"""A picture with more pixels is skipped, because so many pixels take 200 MB in memory until they
are scaled."""

_Seen = tuple[str, int, int]
"""An unreadable file: its name, size, and the time of its last change."""


class DisplayPictures(QObject):
    """The pictures of one folder, for a monitor of one size. Signal: `read(QImage | None)`, the
    next picture, or None where no picture can be read. It comes from another thread, so connect it
    queued."""

    read = Signal(object)

    def __init__(self, folder: Path, size: QSize) -> None:
        """size: the size of the monitor, in its own pixels."""
        super().__init__()
        self._folder, self._size = folder, size
        self._last = ""
        self._is_gone = False
        self._skipped: set[_Seen] = set()
        self._thread: threading.Thread | None = None

    def read_next(self) -> None:
        """Begin to read the next picture, unless one is still being read."""
        if self._thread is not None and self._thread.is_alive():
            return
        # A daemon lets the program end even if the folder's machine does not answer.
        self._thread = threading.Thread(target=self._read, daemon=True, name="customer pictures")
        self._thread.start()

    def _read(self) -> None:
        self.read.emit(self._next())

    def _next(self) -> QImage | None:
        for path, seen in self._in_turn():
            picture = read_picture(path, self._size)
            if picture is not None:
                self._last = path.name
                return picture
            self._skipped.add(seen)
            _log.warning("a picture of the customer display is skipped: %s", path.name)
        return None

    def _in_turn(self) -> list[tuple[Path, _Seen]]:
        """The files of the folder that may be read, beginning after the last picture."""
        try:
            found = sorted(self._folder.iterdir(), key=lambda path: path.name.casefold())
        except OSError as error:
            if not self._is_gone:  # the folder is read every few seconds
                _log.warning("the pictures of the customer display can't be listed: %s", error)
            self._is_gone = True
            return []
        self._is_gone = False
        files: list[tuple[Path, _Seen]] = []
        for path in found:
            if path.suffix.lower() not in SUFFIXES:
                continue
            try:
                facts = path.stat()
            except OSError:
                continue  # it was removed meanwhile
            seen = (path.name, facts.st_size, facts.st_mtime_ns)
            if facts.st_size <= MOST_BYTES and seen not in self._skipped:
                files.append((path, seen))
        later = [one for one in files if one[0].name.casefold() > self._last.casefold()]
        return later + [one for one in files if one not in later]


def read_picture(path: Path, free_size: QSize) -> QImage | None:
    """The picture, upright and no larger than the room, or None where it is damaged or too large.

    The reader scales while it decodes, and lets other threads run meanwhile (measured: 48
    megapixels of JPEG in 0.3 s, in which the window's thread waited 3.5 ms at most; scaled
    afterwards it waited 25 ms).
    """
    reader = QImageReader(str(path))
    reader.setDecideFormatFromContent(True)
    reader.setAutoTransform(True)
    size = reader.size()
    if not size.isValid() or size.width() * size.height() > MOST_PIXELS:
        return None
    turned = reader.transformation() & QImageIOHandler.Transformation.TransformationRotate90
    target = free_size.transposed() if turned else free_size
    if size.width() > target.width() or size.height() > target.height():
        reader.setScaledSize(size.scaled(target, Qt.AspectRatioMode.KeepAspectRatio))
    picture = reader.read()
    return None if picture.isNull() else picture
