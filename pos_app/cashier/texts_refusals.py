"""Words of what the till's own guards and storage refuse: see `texts_errors`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

REFUSALS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "error.not_allowed.edit_moved_on": (
        "Ова измена је већ решена",
        "This change was settled already",
    ),
    "error.not_allowed.edit_moved_on.safe": (
        "Каталог је какав је био.",
        "The catalogue is as it was.",
    ),
    "error.not_allowed.cart_changed": (
        "Корпа је у међувремену измењена или завршена",
        "The cart was changed or has ended meanwhile",
    ),
    "error.not_allowed.cart_changed.safe": (
        "Оно што је сачувано остало је како јесте.",
        "What is stored was left as it is.",
    ),
    "error.not_allowed.cart_changed.do": (
        "Погледајте корпу и поновите.",
        "Look at the cart and do it again.",
    ),
    "error.not_allowed.another_cart": (
        "Друга корпа је већ отворена",
        "Another cart is open already",
    ),
    "error.not_allowed.another_cart.safe": (
        "Обе су сачуване.",
        "Both are kept.",
    ),
    "error.not_allowed.another_cart.do": (
        "Прво је оставите са F6 или наплатите.",
        "Hold it with F6 or pay it first.",
    ),
    "error.not_allowed.life": (
        "То са овом продајом више није могуће",
        "This can't be done with this sale any more",
    ),
    "error.not_allowed.life.safe": (
        "Продаја је сачувана.",
        "The sale is kept.",
    ),
    "error.not_allowed.life.do": (
        "Погледајте шта чека и поновите.",
        "Look at what waits and do it again.",
    ),
    "error.not_allowed.sale_moved_on": (
        "Стање ове продаје се у међувремену променило",
        "This sale has moved on meanwhile",
    ),
    "error.not_allowed.sale_moved_on.safe": (
        "Продаја је сачувана.",
        "The sale is kept.",
    ),
    "error.not_allowed.sale_moved_on.do": (
        "Погледајте је поново.",
        "Look at it again.",
    ),
    "error.not_allowed.not_in_this_state": (
        "То са овом продајом сада није могуће",
        "This can't be done with this sale now",
    ),
    "error.not_allowed.not_in_this_state.safe": (
        "Продаја је сачувана.",
        "The sale is kept.",
    ),
    "error.not_allowed.not_in_this_state.do": (
        "Сачекајте да се зна да ли је њен рачун издат.",
        "Wait until it is known whether its receipt was issued.",
    ),
    "error.not_allowed.in_catalogue": (
        "Овај артикал је већ у каталогу",
        "This article is in the catalogue already",
    ),
    "error.not_allowed.in_catalogue.safe": (
        "Каталог је какав је био.",
        "The catalogue is as it was.",
    ),
    "error.not_allowed.note_apart": (
        "Ово поље води само ова продавница",
        "This field is kept by this shop alone",
    ),
    "error.not_allowed.note_apart.safe": (
        "Каталог је какав је био.",
        "The catalogue is as it was.",
    ),
    "error.not_found.cart": (
        "Ове корпе више нема",
        "This cart is no longer there",
    ),
    "error.not_found.cart.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.not_found.sale": (
        "Ове продаје нема у каси",
        "This sale is not at this till",
    ),
    "error.not_found.sale.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.not_found.edit": (
        "Ове измене више нема у реду",
        "This change is no longer in the queue",
    ),
    "error.not_found.edit.safe": (
        "Каталог је какав је био.",
        "The catalogue is as it was.",
    ),
    "error.not_found.article": (
        "Овог артикла више нема у каталогу",
        "This article is no longer in the catalogue",
    ),
    "error.not_found.article.safe": (
        "Корпа је каква је била.",
        "The cart is as it was.",
    ),
    "error.not_found.article.do": (
        "Потражите га поново, или позовите управника.",
        "Search for it again, or call the manager.",
    ),
    "error.not_found.article_in_cart": (
        "Овог артикла нема у корпи",
        "This article is not in the cart",
    ),
    "error.not_found.article_in_cart.safe": (
        "Корпа је каква је била.",
        "The cart is as it was.",
    ),
    "error.not_allowed.no_receipt_yet": (
        "Још нема рачуна на овој каси",
        "This till has no receipt yet",
    ),
    "error.not_allowed.no_receipt_yet.safe": (
        "Корпа је каква је била.",
        "The cart is as it was.",
    ),
    "error.not_allowed.not_issued_yet": (
        "Последњи рачун још није издат",
        "The last receipt is not issued yet",
    ),
    "error.not_allowed.not_issued_yet.safe": (
        "Продаја је сачувана.",
        "The sale is kept.",
    ),
    "error.not_allowed.not_issued_yet.do": (
        "Погледајте шта чека: притисните доњи ред.",
        "See what waits: press the bottom line.",
    ),
    "error.not_found.line": (
        "Ове ставке више нема у корпи",
        "This line is no longer in the cart",
    ),
    "error.not_found.line.safe": (
        "Корпа је каква је била.",
        "The cart is as it was.",
    ),
    "error.invalid.no_reason": (
        "Упишите разлог",
        "Type a reason",
    ),
})  # fmt: skip
