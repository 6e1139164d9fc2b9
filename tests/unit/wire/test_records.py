"""Bounds of records apply to optional values too."""

from __future__ import annotations

import pytest

from pos_app.domain.setup.platform_setup import PlatformChange
from pos_app.errors import Invalid
from pos_app.wire.records import from_json


def test_a_member_that_may_be_none_is_bounded_where_it_is_not() -> None:
    longest = "a" * 500
    assert from_json(PlatformChange, {"url": None}).url is None
    assert from_json(PlatformChange, {"url": longest}).url == longest
    with pytest.raises(Invalid) as told:
        from_json(PlatformChange, {"url": longest + "a"})
    assert told.value.field == "url"
