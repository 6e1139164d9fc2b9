"""Price labels: the words of each, and the division of the sheet. Measures are in millimetres."""

from __future__ import annotations

from pos_app.documents.bar_codes import BarCode
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class PriceLabel:
    """The words of a label, as printed. per: the unit of the price ("за 1 kg")."""

    name: str
    price: str
    per: str
    code: str
    bars: BarCode | None

    @property
    def all_words(self) -> str:
        """All words of the label in one text. A label with the same words need not be printed
        again."""
        bars = self.bars.text if self.bars is not None else ""
        return f"{self.name}\n{self.price}\n{self.per}\n{self.code}\n{bars}"


@dataclass(frozen=True, slots=True)
class LabelSheet:
    """A sheet of labels without gaps, as it is sold: 24 of 70 × 37 mm on A4."""

    width: float = 210.0
    height: float = 297.0
    columns: int = 3
    rows: int = 8
    label_width: float = 70.0
    label_height: float = 37.0
    air: float = 4.0
    """The margin inside a label, because printers leave an edge white and sheets lie crooked."""

    @property
    def many(self) -> int:
        return self.columns * self.rows

    def corner(self, number: int) -> tuple[float, float]:
        """The left and top edge of a label by its number on the sheet, from 0, row by row."""
        row, column = divmod(number % self.many, self.columns)
        left = (self.width - self.columns * self.label_width) / 2
        top = (self.height - self.rows * self.label_height) / 2
        return left + column * self.label_width, top + row * self.label_height


def in_lines(name: str, *, letters: int, most: int = 2) -> list[str]:
    """Break a name into lines of so many letters, at words where they fit; the last line is cut
    with …."""
    text_lines = [""]
    for word in name.split():
        longer = f"{text_lines[-1]} {word}".strip()
        if len(longer) <= letters:
            text_lines[-1] = longer
        else:
            text_lines.append(word)
    text_lines = [text_line for text_line in text_lines if text_line]
    if len(text_lines) > most:
        rest = " ".join(text_lines[most - 1 :])
        text_lines = [*text_lines[: most - 1], rest]
    return [
        text_line if len(text_line) <= letters else f"{text_line[: letters - 1]}…"
        for text_line in text_lines
    ]
