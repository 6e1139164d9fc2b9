"""Chooses the typeface of paper: all letters have one width, and all of Serbian is in it.

The typeface of a document is the first that has all its letters, else the first of those that lack
the fewest, in this order:
1. JetBrains Mono, which travels with the program (`resources/fonts`)
2. DejaVu Sans Mono, 3. Consolas, 4. Liberation Mono, 5. Noto Sans Mono, 6. Courier New (of macOS),
as far as they are installed.
A sign that the chosen one lacks (an emoji in an article's name) is drawn as a box, so that a signed
receipt can be printed.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from threading import Lock

from fontTools.ttLib import TTFont, TTLibError

from pos_app import log, resources
from pos_app.domain.text.transliteration import SERBIAN
from pos_app.errors import MachineError
from pos_app.lazy_dataclass import dataclass

_log = log.get(__name__)

OWN = ("JetBrainsMono-Medium.ttf", "JetBrainsMono-SemiBold.ttf")
INSTALLED = (
    ("DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"),
    ("consola.ttf", "consolab.ttf"),
    ("LiberationMono-Regular.ttf", "LiberationMono-Bold.ttf"),
    ("NotoSansMono-Regular.ttf", "NotoSansMono-Bold.ttf"),
    ("Courier New.ttf", "Courier New Bold.ttf"),
)
"""File names, plain and bold, in the order in which they are asked for."""


@dataclass(frozen=True, slots=True)
class Typeface:
    """A typeface. advance: the width of a letter in em. strong: the bold file, or the plain one."""

    plain: Path
    strong: Path
    advance: float
    letters: frozenset[str]

    def missing(self, text: frozenset[str]) -> frozenset[str]:
        return text - self.letters


class Typefaces:
    """The faces of this machine, each read when first needed. Safe in threads."""

    def __init__(
        self, *, own: Path | None = None, installed: tuple[Path, ...] | None = None
    ) -> None:
        """Set the faces up. own: the folder of the font that travels with the program; installed:
        the machine's folders of fonts."""
        self._own = resources.folder() / "fonts" if own is None else own
        self._installed = _font_folders() if installed is None else installed
        self._lock = Lock()
        self._read: list[Typeface] = []
        self._coming = self._candidates()
        self._warned: frozenset[str] = frozenset()

    def writing(self, letters: frozenset[str]) -> Typeface:
        """Return the first face that has all of `letters`, else the first that lacks the fewest.

        The log reports each missing sign once. Raises MachineError (kind: font) when none is
        installed.
        """
        with self._lock:
            for face in self._read:
                if letters <= face.letters:
                    return face
            for face in self._coming:
                self._read.append(face)
                if letters <= face.letters:
                    return face
            if not self._read:
                raise no_font(self._own)
            best = min(self._read, key=lambda face: len(face.missing(letters)))
            self._warn(best.missing(letters))
            return best

    def _warn(self, missing: frozenset[str]) -> None:
        if new := missing - self._warned:
            self._warned |= new
            _log.warning("no font on this machine can write: %s; a box stands for it", named(new))

    def _candidates(self) -> Iterator[Typeface]:
        for plain, strong in self._files():
            face = _read_face(plain, strong)
            if face is not None and face.letters >= SERBIAN:
                _log.info("a font for paper: %s", plain)
                yield face

    def _files(self) -> Iterator[tuple[Path, Path]]:
        plain, strong = (self._own / name for name in OWN)
        if plain.is_file():
            yield plain, strong if strong.is_file() else plain
        for plain_name, strong_name in INSTALLED:
            for folder in self._installed:
                found = next(folder.rglob(plain_name), None)
                if found is not None:
                    bold = found.with_name(strong_name)
                    yield found, bold if bold.is_file() else found
                    break


def _font_folders() -> tuple[Path, ...]:
    """Return the folders of this machine's fonts, in their system's usual order."""
    windows = os.environ.get("WINDIR")
    if windows:
        return (Path(windows) / "Fonts",)
    own = Path.home() / ".local/share/fonts"
    return tuple(
        folder
        for folder in (
            Path("/usr/share/fonts"),
            Path("/usr/local/share/fonts"),
            own,
            Path("/Library/Fonts"),
            Path("/System/Library/Fonts"),
            Path.home() / "Library/Fonts",
        )
        if folder.is_dir()
    )


def _read_face(plain: Path, strong: Path) -> Typeface | None:
    """Read the face in two files, with their common letters; None when one can't be read."""
    try:
        (advance, letters), (_, strong_letters) = map(_read_font, (plain, strong))
    except (OSError, TTLibError) as error:
        _log.warning("the font %s can't be read: %s", plain.name, error)
        return None
    return Typeface(plain, strong, advance, letters & strong_letters)


def _read_font(path: Path) -> tuple[float, frozenset[str]]:
    """Return the width of a digit in em, and the letters of the font."""
    with TTFont(BytesIO(path.read_bytes()), lazy=True) as font:
        glyphs = font.getBestCmap()
        width, _ = font["hmtx"][glyphs[ord("0")]]
        return width / font["head"].unitsPerEm, frozenset(map(chr, glyphs))


def no_font(path: Path) -> MachineError:
    return MachineError("font", path=path)


def named(signs: frozenset[str]) -> str:
    """Return the signs in words: "U+1F35E BREAD, U+1F95A EGG"."""
    return ", ".join(
        f"U+{ord(sign):04X} {unicodedata.name(sign, 'without a name')}" for sign in sorted(signs)
    )
