"""Classes of our decorator equal those that `dataclasses` makes of the same text."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import itertools
import operator
import pickle
import re
import sys
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

import hypothesis
from hypothesis import example, given
from hypothesis import strategies as st

from pos_app import lazy_dataclass
from tests.sweep import examples

PLAIN = ("", " = 7", " = field(default=3)", " = field(default_factory=list)")
TOLD = (
    "repr=False", "compare=False", "hash=False", "hash=True", "init=False", "kw_only=True",
    "default=5", "default_factory=list", "metadata={'most': 9}",
)  # fmt: skip
OPTIONS = ("frozen", "order", "kw_only", "eq", "repr")
NAMES = ("amount", "name", "self", "other", "value")
BODIES = (
    "",
    "    def __post_init__(self) -> None:\n        seen.append(1)\n",
    "    def __hash__(self) -> int:\n        return 5\n",
    "    def __eq__(self, other: object) -> bool:\n        return True\n",
    "    def __repr__(self) -> str:\n        return 'mine'\n",
    "    def __init__(self) -> None:\n        pass\n",
    "    def __setattr__(self, *told) -> None:\n        object.__setattr__(self, *told)\n",
    "    def __lt__(self, other: object) -> bool:\n        return True\n",
    "    kind: ClassVar[str] = 'kind'\n",
    "    name: ClassVar[str] = 'kind'\n",
    "    name: ClassVar[str] = field()\n",
    "    kind: ClassVar = 'kind'\n    other: typing.ClassVar[int]\n",
    "    later: InitVar[int] = 3\n",
    "    _: KW_ONLY\n    last: int = 2\n",
    "    __match_args__ = ('name',)\n",
)
HEAD = (
    "from __future__ import annotations\n"
    "from dataclasses import InitVar, KW_ONLY, field\n"
    "import typing\n"
    "from typing import ClassVar\n"
    "seen = []\n"
)
COMPARES: tuple[Callable[[Any, Any], object], ...] = (
    operator.eq, operator.lt, operator.le, operator.gt, operator.ge,
)  # fmt: skip
_numbers = itertools.count()


@st.composite
def _defaults(draw: st.DrawFn) -> str:
    if draw(st.booleans()):
        return draw(st.sampled_from(PLAIN))
    told = draw(
        st.lists(st.sampled_from(TOLD), max_size=3, unique_by=lambda one: one.split("=")[0])
    )
    return f" = field({', '.join(told)})"


@st.composite
def _class_text(draw: st.DrawFn, name: str, base: str = "") -> str:
    chosen = draw(st.dictionaries(st.sampled_from(OPTIONS), st.booleans()))
    options = ", ".join(f"{one}={is_so}" for one, is_so in {"slots": True, **chosen}.items())
    names = draw(st.lists(st.sampled_from(NAMES), max_size=4, unique=True))
    fields = "".join(f"    {one}: int{draw(_defaults())}\n" for one in names)
    body = draw(st.sampled_from(BODIES))
    return f"@dataclass({options})\nclass {name}{base}:\n    '''A class.'''\n{fields}{body}"


@st.composite
def _texts(draw: st.DrawFn) -> str:
    first = draw(_class_text("Made"))
    return f"{first}\n{draw(_class_text('Made', '(Made)'))}" if draw(st.booleans()) else first


def _module(text: str, decorator: object) -> ModuleType:
    """A module made of the text, under a name of its own, as pickling needs it."""
    made = ModuleType(f"classes_{next(_numbers)}")
    made.__dict__["dataclass"] = decorator
    sys.modules[made.__name__] = made
    exec(compile(HEAD + text, "classes", "exec"), made.__dict__)  # noqa: S102 - made above
    return made


def _outcome(act: Callable[[], object]) -> object:
    """The result of the act, or its failure."""
    try:
        return act()
    except Exception as error:  # noqa: BLE001 - compared
        return type(error), str(error)


def _plain(told: object) -> str:
    """The text without parts that differ between two classes of one text."""
    return re.sub("classes_[0-9]+|0x[0-9a-f]+", "", repr(told))


def _told(text: str, decorator: object) -> object:
    """Everything that can be seen of the class that this text makes."""
    try:
        module = _module(text, decorator)
    except Exception as error:  # noqa: BLE001 - compared
        return type(error), str(error)
    cls = module.Made
    named = [one.name for one in dataclasses.fields(cls) if one.init]
    given = [_outcome(partial(cls, *range(n))) for n in range(6)]
    given += [_outcome(partial(cls, **dict.fromkeys(named, v))) for v in (1, 1, 2, "a")]
    pairs = list(itertools.product(given, given))
    return (
        (cls.__name__, cls.__qualname__, cls.__doc__, cls.__slots__, cls.__match_args__),
        [str(inspect.signature(cls)), repr(cls.__dataclass_params__)],
        [repr(one) for one in dataclasses.fields(cls)],
        [_seen(one) for one in given],
        [_outcome(partial(compare, a, b)) for compare in COMPARES for a, b in pairs],
        len(module.seen),
    )


def _seen(one: Any) -> object:
    """Everything that can be done with an instance; for a failure, the failure."""
    if isinstance(one, tuple):
        return one
    names = [field.name for field in dataclasses.fields(one)]
    has_hash = type(one).__hash__ is not object.__hash__
    return (
        _outcome(lambda: repr(one)),
        _outcome(lambda: hash(one)) if has_hash else "by its place",
        _outcome(lambda: repr(dataclasses.replace(one, **dict.fromkeys(names[:1], 4)))),
        _outcome(lambda: dataclasses.asdict(one)),
        _outcome(lambda: repr(pickle.loads(pickle.dumps(one)))),  # noqa: S301 - ours
        _outcome(lambda: repr(copy.deepcopy(one))),
        [_outcome(partial(_set, one, name)) for name in names],
        [_outcome(partial(_delete, one, name)) for name in names],
        _outcome(lambda: setattr(copy.copy(one), "unknown", 9)) is not None,
    )


def _set(one: object, name: str) -> None:
    setattr(copy.copy(one), name, 9)


def _delete(one: object, name: str) -> None:
    delattr(copy.copy(one), name)


@hypothesis.settings(max_examples=examples(300, share=10))
@given(_texts())
@example("@dataclass(slots=True, frozen=True)\nclass Made:\n    value: int = []\n")
@example("@dataclass(slots=True)\nclass Made:\n    value: int = 1\n    name: int\n")
@example("@dataclass(slots=True)\nclass Made:\n    value = field(default=1)\n")
def test_the_class_is_what_dataclasses_makes(text: str) -> None:
    told = _plain(_told(text, dataclasses.dataclass))

    assert _plain(_told(text, lazy_dataclass.dataclass)) == told
