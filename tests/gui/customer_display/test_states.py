"""The words for the buyer, sale by sale: real presses and scans in the till's window."""

from __future__ import annotations

from pathlib import Path

from PIL import Image
from PySide6.QtCore import QSize

from pos_app.cashier.customer_display import model
from pos_app.cashier.customer_display.pictures import read_picture
from pos_app.cashier.customer_display.words import DisplayWords, words_of
from pos_app.cashier.sale.context import SalePart
from pos_app.cashier.sale.sale_screen import SaleRoom
from pos_app.cashier.texts.lookup import Texts
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
