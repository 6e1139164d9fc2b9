"""The words for the buyer, sale by sale: real presses and scans in the till's window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PIL import Image
from PySide6.QtCore import QSize

from pos_app.cashier.customer_display import model
from pos_app.cashier.customer_display.pictures import read_picture
from pos_app.cashier.customer_display.words import DisplayWords, words_of
from pos_app.cashier.sale.context import SalePart
from pos_app.cashier.sale.sale_screen import SaleRoom
from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.money.discount import Percent
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.ticket import DocumentKind
from tests.gui.exchange.test_exchange import begun, done, home
from tests.gui.inside import inside
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.real_till import RealTill
from tests.sweep import each

BREAD, MILK = "8609910700134", "8609951100139"


class Buyer:
    """Reads the display's words about the sale at that window."""

    def __init__(self, hands: Hands) -> None:
        room = hands.window.frame.home_room
        assert isinstance(room, SaleRoom)
        self.model = model.BuyersModel(room.model, room.payment)
        room.model.context.listen(lambda _: self.model.cart_changed(), SalePart.CART, SalePart.KIND)
        room.model.confirmation.listen_confirmed(self.model.sale_confirmed)
        hands.shop.services.outbox.listen(on_sale=self._on_moved)

    def _on_moved(self, sale: Sale) -> None:
        self.model.sale_moved(sale)

    @property
    def words(self) -> DisplayWords:
        return words_of(self.model.content(), Texts())

    @property
    def figure(self) -> tuple[str, str]:
        return self.words.label, self.words.amount


def a_key_of_exact_payment_right_after_the_last_scan(hands: Hands, buyer: Buyer) -> None:
    """All sold lines are shown, though nothing was painted in between."""
    hands.scan(BREAD, MILK)
    hands.shop.pause()
    hands.press("Ctrl+Enter")
    words = buyer.words
    assert [line.name for line in words.lines] == ["Хлеб бели Сава 500 g", "Млеко свеже 2,8 % 1 l"]
    assert words.scene is model.Scene.CONFIRMED
    assert words.rows == (("Укупно", "198,98"), ("Готовина, примљено", "199,00"))
    assert (buyer.figure, words.code) == (("Плаћено", "199,00"), "")


def the_change_as_the_hand_gives_it(hands: Hands, buyer: Buyer) -> None:
    hands.scan(BREAD)
    hands.shop.pause()
    hands.type("100")
    hands.pad("+")
    assert buyer.figure == ("Кусур", "41,00")


def a_code_that_is_signed_late_is_small_for_half_a_minute(hands: Hands, buyer: Buyer) -> None:
    """The next customer's first item came before the signature."""
    hands.scan(BREAD)
    hands.shop.pause()
    hands.press("Ctrl+Enter")
    hands.scan(MILK)
    assert (buyer.words.scene, buyer.words.code) == (model.Scene.SELLING, "")
    hands.serve(2)
    assert buyer.words.code.startswith("https://example.invalid/v/")
    assert buyer.words.is_small
    left = buyer.model.next_ms()
    assert left is not None
    assert 0 < left <= model.SMALL_MS
    hands.shop.clock.go_on(left - 1)
    assert buyer.words.code
    hands.shop.clock.go_on(1)
    assert (buyer.words.code, buyer.figure) == ("", ("Укупно", "139,99"))


def what_was_confirmed_goes_by_itself(hands: Hands, buyer: Buyer) -> None:
    hands.scan(BREAD)
    hands.shop.pause()
    hands.press("Ctrl+Enter")
    hands.serve()
    assert buyer.words.code
    assert not buyer.words.is_small
    hands.shop.clock.go_on(model.LARGE_MS)
    assert buyer.words == DisplayWords(model.Scene.IDLE, "Пекара и маркет Липа", is_small=True)


def a_cart_that_is_held_is_seen_no_more(hands: Hands, buyer: Buyer) -> None:
    hands.scan(BREAD)
    assert buyer.words.scene is model.Scene.SELLING
    hands.press("F6")
    assert (buyer.words.scene, buyer.words.lines) == (model.Scene.IDLE, ())


def a_line_with_a_discount_and_one_by_weight(hands: Hands, buyer: Buyer) -> None:
    hands.scan("2000016015607")
    cart = hands.model.cart
    assert cart.current_line_id is not None
    cart.set_discount(cart.current_line_id, Percent(20))
    (line,) = buyer.words.lines
    assert (line.how, line.before, line.discount) == (
        "1,560\u00a0kg × 151,99",
        "189,99",
        "попуст 20\u00a0%",
    )
    assert buyer.words.saved == ("Уштедели сте", "59,27")


def training_says_that_it_is_no_receipt(hands: Hands, buyer: Buyer) -> None:
    inside(hands.window).set_kind(DocumentKind.TRAINING)
    hands.scan(BREAD)
    assert buyer.words.banner == "Обука: ово није рачун"
    hands.shop.pause()
    hands.press("Ctrl+Enter")
    hands.serve()
    words = buyer.words
    assert hands.shop.database.sales.last(1)[0].receipt is not None
    assert (words.scene, words.banner, words.code, words.number) == (
        model.Scene.CONFIRMED,
        "Обука: ово није рачун",
        "",
        "",
    )


@each(("kind", "word"), [("advance", "Аванс"), ("proforma", "Предрачун")])
def test_a_document_that_is_no_sale_says_what_it_is(anew: Anew, kind: str, word: str) -> None:
    hands = anew.begin()
    buyer = Buyer(hands)
    inside(hands.window).set_kind(DocumentKind(kind))
    hands.scan(BREAD)
    assert buyer.words.rows == ((word, ""),)
    hands.shop.pause()
    hands.press("Ctrl+Enter")
    hands.serve()
    rows, figure = buyer.words.rows, buyer.figure
    taken = (("Укупно", "58,99"), ("Готовина, примљено", "59,00"))
    assert rows == ((word, ""), *(taken if kind == "advance" else ()))
    assert figure == (("Плаћено", "59,00") if kind == "advance" else ("Укупно", "58,99"))


def too_much_by_card_is_the_cashiers_matter(hands: Hands, buyer: Buyer) -> None:
    hands.scan(BREAD)
    hands.press("F12", "Alt+2", "#500")
    assert buyer.words.scene is model.Scene.PAYING
    assert buyer.figure == ("Укупно", "58,99")


@each(
    "act",
    [
        a_key_of_exact_payment_right_after_the_last_scan, the_change_as_the_hand_gives_it,
        a_code_that_is_signed_late_is_small_for_half_a_minute, what_was_confirmed_goes_by_itself,
        a_cart_that_is_held_is_seen_no_more, a_line_with_a_discount_and_one_by_weight,
        training_says_that_it_is_no_receipt, too_much_by_card_is_the_cashiers_matter,
    ],
)  # fmt: skip
def test_what_the_buyer_reads(anew: Anew, act: Callable[[Hands, Buyer], None]) -> None:
    hands = anew.begin()
    act(hands, Buyer(hands))


async def test_an_exchange_says_what_the_hand_gives_once_it_is_issued(real: RealTill) -> None:
    buyer = Buyer(real.hands)
    async with real.at_work():
        sale = await real.sold(MILK)
        assert buyer.words.code
        await begun(real, sale, BREAD)
        assert buyer.figure == ("Укупно", "58,99")
        assert ("За уплату", "0,00") in buyer.words.rows
        await real.press("F12")
        assert buyer.figure == ("Враћа вам се", "81,00")
        assert home(real).work_area.is_paying
        await real.press("Enter")
        await done(real)
        await real.until(lambda: buyer.words.code != "")
        assert (buyer.words.scene, buyer.figure) == (
            model.Scene.CONFIRMED,
            ("Враћа вам се", "81,00"),
        )
        assert buyer.words.number == (await real.ended()).receipt.fiscal_number


def test_a_picture_is_scaled_upright_and_never_enlarged(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # taken with the camera turned
    Image.new("RGB", (4000, 2000)).save(tmp_path / "turned.jpg", exif=exif)
    Image.new("RGB", (40, 30)).save(tmp_path / "small.png")
    turned = read_picture(tmp_path / "turned.jpg", QSize(1366, 768))
    small = read_picture(tmp_path / "small.png", QSize(1366, 768))
    assert turned is not None
    assert turned.size() == QSize(384, 768)
    assert small is not None
    assert small.size() == QSize(40, 30)
