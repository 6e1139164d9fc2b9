"""When a newer version is offered, and when it may be installed."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pos_app.domain.setup.release import Release, Version
from pos_app.errors import Invalid, NotAllowed, Refused
from pos_app.selling.updates import check_no_step_back, check_no_work_under_way
from tests.sweep import each


def test_versions_are_ordered_by_their_numbers_and_other_texts_are_none() -> None:
    told = ["0.9.9", "3.2.0", "3.2.10", "3.10.0", "10.0.0"]
    versions = [Version.parse(text) for text in told]
    assert sorted(versions, reverse=True) == versions[::-1]
    assert [str(version) for version in versions] == told
    wrong = ["", "3.2", "3.2.0.1", "v3.2.0", "3.2.0-rc1", "03.2.0", "3.2.٠", "3.2.0\n"]
    for text in (*wrong, "1" * 7 + ".0.0"):
        with pytest.raises(Invalid) as refused:
            Version.parse(text)
        assert refused.value.field == "version"


def test_it_is_installed_between_shifts_and_sales_only() -> None:
    table = {
        (True, False, 0): "update_in_shift",
        (True, True, 1): "update_in_shift",
        (False, True, 0): "update_in_sale",
        (False, False, 1): "update_in_sending",
    }
    for (shift, items, sending), why in table.items():
        with pytest.raises(NotAllowed) as refused:
            check_no_work_under_way(
                shift_is_open=shift, cart_has_items=items, receipts_in_sending=sending
            )
        assert refused.value.kind == why
    check_no_work_under_way(shift_is_open=False, cart_has_items=False, receipts_in_sending=0)


@each(
    ("seen", "offered", "taken"),
    [(None, "3.2.0", True), ("3.3.0", "3.3.0", True), ("3.3.0", "3.2.9", False)],
)
def test_an_older_manifest_is_refused(seen: str | None, offered: str, taken: bool) -> None:
    release = Release(Version.parse(offered), datetime(2026, 11, 21, tzinfo=UTC), {}, "", {})
    known = None if seen is None else Version.parse(seen)
    if taken:
        check_no_step_back(release, known)
    else:
        with pytest.raises(Refused) as refused:
            check_no_step_back(release, known)
        assert refused.value.kind == "update_older"
