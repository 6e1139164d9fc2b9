"""From physical keys to the characters of the scanner's own layout."""

from __future__ import annotations

import string

from pos_app.cashier.scanner.decoder import US, Decoder, Family, alt_char, position
from tests.sweep import each

US_DECODER = Decoder(US)

# The keys of a scanner for these characters: X keycode, Windows scan code, Shift.
KEYS = [
    ("1", 10, 0x02, False), ("0", 19, 0x0B, False), ("q", 24, 0x10, False), ("y", 29, 0x15, False),
    ("z", 52, 0x2C, False), ("Y", 29, 0x15, True), ("/", 61, 0x35, False), ("?", 61, 0x35, True),
    ("-", 20, 0x0C, False), ("_", 20, 0x0C, True), ("=", 21, 0x0D, False), ("+", 21, 0x0D, True),
    (":", 47, 0x27, True), ("[", 34, 0x1A, False), ("'", 48, 0x28, False), ("~", 49, 0x29, True),
    ("\\", 51, 0x2B, False), ("|", 94, 0x56, True), (" ", 65, 0x39, False),
    # numeric pad
    ("7", 79, 0x47, False), ("0", 90, 0x52, False), (".", 91, 0x53, False),
    ("/", 106, 0x135, False), ("*", 63, 0x37, False), ("+", 86, 0x4E, False),
    ("-", 82, 0x4A, False),
]  # fmt: skip


@each(("char", "x_code", "windows_code", "shift"), KEYS)
def test_a_key_is_read_by_its_place(char: str, x_code: int, windows_code: int, shift: bool) -> None:
    for family, code in ((Family.X11, x_code), (Family.SET1, windows_code)):
        assert US_DECODER.char(position(family, code), shift=shift) == char
    typed = {one for both in US.keys.values() for one in both}
    assert typed == set(string.printable) - set(string.whitespace) | {" "}


@each(
    ("family", "code"),
    [
        (Family.X11, 111),  # arrow up
        (Family.X11, 36),  # Enter
        (Family.X11, 9),  # Esc
        (Family.X11, 5),  # below the first key
        (Family.X11, 0),
        (Family.SET1, 0x147),  # Home, which shares its number with 7 of the pad
        (Family.SET1, 0x153),  # Delete, which shares its number with . of the pad
        (Family.SET1, 0x11C),  # Enter of the pad
        (Family.SET1, 0x3B),  # F1
        (Family.SET1, 0),
    ],
)
def test_other_keys_type_nothing(family: Family, code: int) -> None:
    assert US_DECODER.char(position(family, code), shift=False) == ""
    texts = [
        ("a", False, "a"),
        ("A", True, "a"),
        ("7", True, "7"),
        ("\r", False, ""),
        ("", False, ""),
    ]
    for text, caps, char in texts:
        assert US_DECODER.text_char(text, caps=caps) == char, "the text of a key without a code"


@each(
    ("caps_aware", "shift", "caps", "letter", "digit"),
    [
        (False, False, False, "a", "1"),
        (False, True, False, "A", "!"),
        (False, False, True, "a", "1"),
        (False, True, True, "A", "!"),
        (True, False, True, "A", "1"),
        (True, True, True, "a", "!"),
        (True, True, False, "A", "!"),
    ],
)
def test_caps_lock(caps_aware: bool, shift: bool, caps: bool, letter: str, digit: str) -> None:
    decoder = Decoder(US, caps_aware=caps_aware)
    assert decoder.char(30, shift=shift, caps=caps) == letter
    assert decoder.char(2, shift=shift, caps=caps) == digit


@each(
    ("digits", "char"),
    [
        ("052", "4"), ("65", "A"), ("0065", "A"), ("0138", "Š"), ("138", "è"), ("0154", "š"),
        ("029", "\x1d"), ("321", "A"), ("0129", ""), ("", ""),
    ],
)  # fmt: skip
def test_alt_with_a_number(digits: str, char: str) -> None:
    assert alt_char(digits) == char
