"""The words that the buyer sees."""

from __future__ import annotations

from pos_app.cashier.customer_display.model import Scene, Shown
from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.money import number_text
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.cart import CartLine
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.ticket import DocumentKind


@dataclass(frozen=True, slots=True)
class LineWords:
    """A line. how: quantity × unit price. before: the struck unit price; discount: its words. Both
    are "" where nothing was taken off."""

    name: str
    how: str
    before: str
    discount: str
    total: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class DisplayWords:
    """The texts that the display shows. banner: says that it is practice. rows: above the largest
    figure, which is label and amount; note: below the figure. code: its content, or "". take_home:
    the text below the code, beside its number."""

    scene: Scene
    shop: str
    banner: str = ""
    lines: tuple[LineWords, ...] = ()
    count: tuple[str, str] = ("", "")
    saved: tuple[str, str] = ("", "")
    thanks: str = ""
    rows: tuple[tuple[str, str], ...] = ()
    label: str = ""
    amount: str = ""
    note: str = ""
    code: str = ""
    number: str = ""
    take_home: str = ""
    is_small: bool = False

    @property
    def accessible_text(self) -> tuple[str, ...]:
        """All texts, for a screen reader."""
        lines = (f"{line.how} {line.name} {line.total}" for line in self.lines)
        rows = (f"{name} {amount}" for name, amount in (*self.rows, (self.label, self.amount)))
        return tuple(
            one.strip()
            for one in (
                self.shop,
                self.banner,
                *lines,
                *rows,
                self.note,
                self.thanks,
                self.take_home,
                self.number,
            )
            if one.strip()
        )


def words_of(content: Shown, texts: Texts) -> DisplayWords:
    code = content.code
    made = DisplayWords(
        content.scene,
        content.shop or texts("display.shop"),
        banner=_banner(content, texts),
        code=code.url if code is not None else "",
        number=code.number if code is not None else "",
        take_home=texts("display.take_home") if code is not None else "",
        is_small=content.is_small,
    )
    cart = content.cart
    if cart is None:
        return made
    saved, label, amount = cart.full - cart.total, *_figure(content, texts)
    return DisplayWords(
        content.scene,
        made.shop,
        made.banner,
        lines=tuple(_line(one, texts, content.current) for one in cart.active),
        count=(texts("cart.items"), str(len(cart.active))),
        saved=(texts("display.saved"), number_text.amount_text(saved)) if saved else ("", ""),
        thanks=texts("display.thanks") if content.scene is Scene.CONFIRMED else "",
        rows=_rows(content, texts),
        label=label,
        amount=amount,
        note=_note(content, texts),
        code=made.code,
        number=made.number,
        take_home=made.take_home,
        is_small=made.is_small,
    )


def _banner(content: Shown, texts: Texts) -> str:
    if content.kind is DocumentKind.TRAINING:
        return texts("display.training")
    return texts("display.practice") if content.is_practice else ""


def _line(line: CartLine, texts: Texts, current: int | None) -> LineWords:
    unit = line.article.frozen.unit if line.article.by_weight else ""
    many = number_text.quantity_text(line.quantity)
    many = f"{many}{number_text.NO_BREAK_SPACE}{unit}" if unit else many
    lowered = line.total != line.full or line.price != line.article.price
    before = line.article.price if line.price != line.article.price else line.price
    match line.discount:
        case None:
            discount = ""
        case Percent(value):
            discount = texts("display.discount", discount=number_text.percent_text(value))
        case off:
            discount = texts("display.discount", discount=number_text.amount_text(off))
    return LineWords(
        line.article.frozen.name,
        f"{many} × {number_text.amount_text(line.each)}",
        number_text.amount_text(before) if lowered else "",
        discount,
        number_text.amount_text(line.total),
        line.id == current,
    )


def _figure(content: Shown, texts: Texts) -> tuple[str, str]:
    figure = content.figure
    if figure is None:
        return "", ""
    return texts(f"display.{figure.kind}"), number_text.amount_text(figure.amount)


def _rows(content: Shown, texts: Texts) -> tuple[tuple[str, str], ...]:
    """The rows: the document where it is no sale, the total, the sum to pay where it differs, and
    the received sums."""
    cart, is_total = content.cart, content.figure is not None and content.figure.kind == "total"
    assert cart is not None
    rows = []
    if content.kind in (DocumentKind.ADVANCE, DocumentKind.PROFORMA):
        rows.append((texts(f"kind.{content.kind}"), ""))
    if not is_total:
        rows.append((texts("display.total"), number_text.amount_text(cart.total)))
    if content.due != cart.total:
        rows.append((texts("display.due"), number_text.amount_text(content.due)))
    for method, amount in content.given.by_method:
        word = texts(f"pay.method.{method}")
        if method is PaymentMethod.CASH:
            word = texts("display.received", method=word)
        rows.append((word, number_text.amount_text(amount)))
    return tuple(rows)


def _note(content: Shown, texts: Texts) -> str:
    currency = texts("cart.currency")
    if content.tax is None or content.scene is not Scene.SELLING:
        return currency
    return texts("display.tax", currency=currency, tax=number_text.amount_text(content.tax))
