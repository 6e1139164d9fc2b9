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
        "Каталог није промењен.",
        "The catalogue is unchanged.",
    ),
    "error.not_allowed.cart_changed": (
        "Корпа је у међувремену измењена или завршена",
        "The cart was changed or has ended meanwhile",
    ),
    "error.not_allowed.cart_changed.safe": ("Ништа није промењено.", "Nothing was changed."),
    "error.not_allowed.cart_changed.do": (
        "Погледајте корпу и покушајте поново.",
        "Look at the cart and try again.",
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
        "Прво је оставите (F6) или наплатите.",
        "Hold it first (F6), or take its payment.",
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
        "Погледајте „На чекању“ и покушајте поново.",
        "Look at “Waiting” and try again.",
    ),
    "error.not_allowed.sale_moved_on": (
        "Стање ове продаје се у међувремену променило",
        "The state of this sale has changed meanwhile",
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
        "This item is in the catalogue already",
    ),
    "error.not_allowed.in_catalogue.safe": (
        "Каталог није промењен.",
        "The catalogue is unchanged.",
    ),
    "error.not_allowed.note_apart": (
        "Ово поље мења само ова продавница",
        "Only this shop changes this field",
    ),
    "error.not_allowed.note_apart.safe": ("Каталог није промењен.", "The catalogue is unchanged."),
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
    "error.not_found.edit": ("Ове измене више нема", "This change is no longer there"),
    "error.not_found.edit.safe": ("Каталог није промењен.", "The catalogue is unchanged."),
    "error.not_found.article": (
        "Овог артикла више нема у каталогу",
        "This item is no longer in the catalogue",
    ),
    "error.not_found.article.safe": ("Корпа није промењена.", "The cart is unchanged."),
    "error.not_found.article.do": (
        "Потражите га поново, или позовите управника.",
        "Search for it again, or call the manager.",
    ),
    "error.not_found.article_in_cart": (
        "Овог артикла нема у корпи",
        "This item is not in the cart",
    ),
    "error.not_found.article_in_cart.safe": ("Корпа није промењена.", "The cart is unchanged."),
    "error.not_allowed.no_receipt_yet": (
        "Још нема рачуна на овој каси",
        "This till has no receipt yet",
    ),
    "error.not_allowed.no_receipt_yet.safe": ("Корпа није промењена.", "The cart is unchanged."),
    "error.not_allowed.not_issued_yet": (
        "Последњи рачун још није издат",
        "The last receipt is not issued yet",
    ),
    "error.not_allowed.not_issued_yet.safe": (
        "Продаја је сачувана.",
        "The sale is kept.",
    ),
    "error.not_allowed.not_issued_yet.do": (
        "Погледајте „На чекању“: додирните доњи ред.",
        "Look at “Waiting”: tap the bottom line.",
    ),
    "error.not_found.line": ("Ове ставке више нема у корпи", "This item is no longer in the cart"),
    "error.not_found.line.safe": ("Корпа није промењена.", "The cart is unchanged."),
    "error.invalid.no_reason": (
        "Упишите разлог",
        "Type a reason",
    ),
})  # fmt: skip
