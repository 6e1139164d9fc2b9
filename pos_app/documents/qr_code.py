"""The modules of a QR code, for paper, pictures and screens.

It supports only byte mode, error correction L and mask 2, which fiscal receipts have. A receipt's
code holds some 830 bytes and is drawn for every answer. So the parts that depend only on the
version are kept, and each code is made by one permutation of its bits. One code takes 0.2 ms; with
a general encoder it took 6 ms. A test compares the two, module by module, in all 40 versions.
Sources: fiscal.md 4; ISO/IEC 18004.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from operator import itemgetter

from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass

LONGEST = 2953
"""The bytes that the largest code holds."""

_VERSIONS = 40
_BYTE_MODE = 0b0100
_END_MARK_BITS = 4
_LEVEL_L_MASK_2 = 0b01_010
_PADDING = bytes((0xEC, 0x11))
_FIELD = 0x11D
_SUMS = (
    7,
    10,
    15,
    20,
    26,
    18,
    20,
    24,
    30,
    18,
    20,
    24,
    26,
    30,
    22,
    24,
    28,
    30,
    28,
    28,
    28,
    28,
    30,
    30,
    26,
    28,
    30,
    30,
    30,
    30,
    30,
    30,
    30,
    30,
    30,
    30,
    30,
    30,
    30,
    30,
)
"""The bytes of error correction in each block at level L, from version 1."""
_BLOCKS = (
    1,
    1,
    1,
    1,
    1,
    2,
    2,
    2,
    2,
    4,
    4,
    4,
    4,
    4,
    6,
    6,
    6,
    6,
    7,
    8,
    8,
    9,
    9,
    10,
    12,
    12,
    12,
    13,
    14,
    15,
    16,
    17,
    18,
    19,
    19,
    20,
    21,
    22,
    24,
    25,
)
"""The number of blocks at level L, from version 1."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A code without a quiet zone: `side` rows of `side` bytes, b"1" where it is black."""

    side: int
    modules: bytes


def symbol(content: bytes) -> Symbol:
    """The smallest code for some bytes. Raises Invalid for no bytes (kind: empty) and for more than
    2,953 (kind: length)."""
    if not content:
        raise Invalid("empty.qr")
    for version in range(1, _VERSIONS + 1):
        if _bits_of(version, content) <= 8 * _room(version):
            return _drawn(version, content)
    raise Invalid("length.qr")


def _drawn(version: int, content: bytes) -> Symbol:
    frame = _frame(version)
    words = int.from_bytes(_codewords(version, content), "big") << frame.rest
    bits = f"{words ^ frame.mask:0{frame.bits}b}01"
    return Symbol(_side(version), "".join(frame.pick(bits)).encode())


# --- the bytes ---------------------------------------------------------------------------------


def _count_bits(version: int) -> int:
    return 8 if version < 10 else 16


def _bits_of(version: int, content: bytes) -> int:
    return 4 + _count_bits(version) + 8 * len(content)


def _room(version: int) -> int:
    """The bytes of data that a version holds at level L."""
    return _data_modules(version) // 8 - _SUMS[version - 1] * _BLOCKS[version - 1]


def _codewords(version: int, content: bytes) -> bytes:
    """Data and error correction, block by block, interleaved as they are drawn."""
    data, many = _data(version, content), _BLOCKS[version - 1]
    short, longer = divmod(len(data), many)
    blocks, begin = list[bytes](), 0
    for number in range(many):
        end = begin + short + (number >= many - longer)
        blocks.append(data[begin:end])
        begin = end
    sums = [_error_correction(block, _SUMS[version - 1]) for block in blocks]
    last = bytes(block[short] for block in blocks if len(block) > short)
    return _interleaved(blocks, short) + last + _interleaved(sums, _SUMS[version - 1])


def _interleaved(blocks: list[bytes], length: int) -> bytes:
    """Interleave the blocks: the first byte of each, then the second of each, for `length` bytes of
    each."""
    many = len(blocks)
    mixed = bytearray(length * many)
    for number, block in enumerate(blocks):
        mixed[number::many] = block[:length]
    return bytes(mixed)


def _data(version: int, content: bytes) -> bytes:
    """Mode, count, content, end mark, and padding to the version's room. Mode and end mark have 4
    bits each, so the data end at the end of a byte."""
    head = _BYTE_MODE << _count_bits(version) | len(content)
    value = (head << 8 * len(content) | int.from_bytes(content, "big")) << _END_MARK_BITS
    data = value.to_bytes((_bits_of(version, content) + _END_MARK_BITS) // 8, "big")
    missing = _room(version) - len(data)
    return data + (_PADDING * (missing // 2 + 1))[:missing]


def _error_correction(block: bytes, many: int) -> bytes:
    """The remainder of the block divided by the generator of `many` bytes (Reed-Solomon)."""
    multiples, high = _multiples(many), 8 * (many - 1)
    keep, rest = (1 << high) - 1, 0
    for byte in block:
        rest = (rest & keep) << 8 ^ multiples[byte ^ rest >> high]
    return rest.to_bytes(many, "big")


@lru_cache(maxsize=_VERSIONS)
def _multiples(many: int) -> tuple[int, ...]:
    """The generator polynomial, without its leading 1, times each byte."""
    generator, root = [1], 1
    for _ in range(many):
        scaled = [_product(factor, root) for factor in generator]
        generator = [a ^ b for a, b in zip([*generator, 0], [0, *scaled], strict=True)]
        root = _product(root, 2)
    tail = generator[1:]
    return tuple(
        int.from_bytes(bytes(_product(factor, byte) for factor in tail), "big")
        for byte in range(256)
    )


def _product(a: int, b: int) -> int:
    """The product in the field of 256 elements."""
    result = 0
    while b:
        result ^= a if b & 1 else 0
        a = a << 1 ^ (_FIELD if a & 0x80 else 0)
        b >>= 1
    return result


# --- the frame of a version --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Frame:
    """The common part of every code of a version.

    bits: the number of modules for data; the last `rest` of them stay 0; mask: the flipped ones.
    pick: takes these bits and "01", and returns the characters of all modules, row by row.
    """

    bits: int
    rest: int
    mask: int
    pick: Callable[[str], tuple[str, ...]]


@lru_cache(maxsize=4)
def _frame(version: int) -> _Frame:
    side, fixed = _side(version), _fixed(version)
    positions = [position for position in _zigzag(side) if position not in fixed]
    white = len(positions)
    order = {position: number for number, position in enumerate(positions)}
    order |= {position: white + is_black for position, is_black in fixed.items()}
    mask = int("".join("1" if x % 3 == 0 else "0" for x, _ in positions), 2)
    indexes = [order[x, y] for y in range(side) for x in range(side)]
    return _Frame(white, white % 8, mask, itemgetter(*indexes))


def _side(version: int) -> int:
    return 17 + 4 * version


def _zigzag(side: int) -> Iterator[tuple[int, int]]:
    """All positions in the order of the bits: two columns up, two down, around the timing
    column."""
    for number, right in enumerate([*range(side - 1, 6, -2), *range(5, 0, -2)]):
        rows = range(side - 1, -1, -1) if number % 2 == 0 else range(side)
        for y in rows:
            yield right, y
            yield right - 1, y


@lru_cache(maxsize=_VERSIONS)
def _data_modules(version: int) -> int:
    return _side(version) ** 2 - len(_fixed(version))


def _fixed(version: int) -> dict[tuple[int, int], bool]:
    """The modules that hold no data, by column and row: True where black."""
    side = _side(version)
    fixed = {(6, i): i % 2 == 0 for i in range(side)} | {(i, 6): i % 2 == 0 for i in range(side)}
    for x, y in ((3, 3), (side - 4, 3), (3, side - 4)):
        fixed |= {
            (x + dx, y + dy): max(abs(dx), abs(dy)) not in (2, 4)
            for dx in range(-4, 5)
            for dy in range(-4, 5)
            if 0 <= x + dx < side and 0 <= y + dy < side
        }
    for x, y in _alignments(version):
        fixed |= {
            (x + dx, y + dy): max(abs(dx), abs(dy)) != 1
            for dx in range(-2, 3)
            for dy in range(-2, 3)
        }
    return fixed | _format(side) | (_version(version) if version >= 7 else {})


def _alignments(version: int) -> Iterator[tuple[int, int]]:
    """The centres of the alignment patterns: a grid without the three finders' corners."""
    if version == 1:
        return
    many, side = version // 7 + 2, _side(version)
    step = (version * 8 + many * 3 + 5) // (many * 4 - 4) * 2
    lines = [6, *(side - 7 - i * step for i in range(many - 2, -1, -1))]
    for x in lines:
        for y in lines:
            if (x, y) not in ((6, 6), (6, lines[-1]), (lines[-1], 6)):
                yield x, y


def _format(side: int) -> dict[tuple[int, int], bool]:
    """Level and mask, twice, and the module that is always black."""
    rest = _LEVEL_L_MASK_2
    for _ in range(10):
        rest = rest << 1 ^ (rest >> 9) * 0x537
    bits = (_LEVEL_L_MASK_2 << 10 | rest) ^ 0x5412
    beside = [(8, i) for i in (0, 1, 2, 3, 4, 5, 7, 8)] + [(i, 8) for i in (7, 5, 4, 3, 2, 1, 0)]
    apart = [(side - 1 - i, 8) for i in range(8)] + [(8, side - 7 + i) for i in range(7)]
    bits_at: dict[tuple[int, int], bool] = {}
    for positions in (beside, apart):
        bits_at |= {position: bool(bits >> i & 1) for i, position in enumerate(positions)}
    return bits_at | {(8, side - 8): True}


def _version(version: int) -> dict[tuple[int, int], bool]:
    """The version's number, twice; codes from version 7 on have it."""
    rest, side = version, _side(version)
    for _ in range(12):
        rest = rest << 1 ^ (rest >> 11) * 0x1F25
    bits = version << 12 | rest
    bits_at: dict[tuple[int, int], bool] = {}
    for i in range(18):
        a, b = side - 11 + i % 3, i // 3
        bits_at[a, b] = bits_at[b, a] = bool(bits >> i & 1)
    return bits_at


# --- what is asked for --------------------------------------------------------------------------


def code(text: str) -> Symbol:
    """The modules of a text's code, without a quiet zone. Raises Invalid as `symbol` does."""
    return symbol(text.encode())
