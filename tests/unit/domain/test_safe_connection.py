"""Where a secret may travel without encryption; the literal address decides."""

from __future__ import annotations

from pos_app.domain.setup import safe_connection
from pos_app.domain.setup.safe_connection import ClearTextFault, Place, nearby, place_of
from tests.sweep import each

PLACES = {
    Place.MACHINE: ("localhost", "LOCALHOST", "127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"),
    Place.NETWORK: (
        "10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0",
        "192.168.255.255", "169.254.0.0", "169.254.255.255", "fc00::", "fdff::1", "fe80::1",
        "fe80::1%eth0", "febf::1", "::ffff:192.168.1.5",
    ),
    Place.ELSEWHERE: (
        "9.255.255.255", "11.0.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255",
        "192.169.0.0", "169.253.255.255", "169.255.0.0", "0.0.0.0", "::", "fbff::", "fe00::",
        "fec0::", "8.8.8.8", "100.64.0.1", "192.0.2.1", "255.255.255.255", "::ffff:8.8.8.8",
        "2001:db8::1", "64:ff9b::a00:1", "2002:a00:1::",
    ),
    Place.NAME: (
        "server.local", "server", "platform.example", "localhost.", "localhost.example",
        "127.0.0.1.example", "10.0.0.1.", "127.1", "2130706433", "0x7f.0.0.1",
        "127.0.0.1%2eexample",
    ),
}  # fmt: skip


@each(("host", "place"), [(host, place) for place, hosts in PLACES.items() for host in hosts])
def test_the_literal_address_says_where_a_host_is(host: str, place: Place) -> None:
    assert place_of(host) is place


NEAR, NAME, FAR = "http://10.0.0.9/v2", "http://server.local/v2", "http://8.8.8.8/v2"
PUBLIC, ASKS = ClearTextFault.PUBLIC, ClearTextFault.NOT_ALLOWED


@each(
    ("url", "allowed", "proxy", "fault"),
    [
        ("", "", "", None),
        ("https://8.8.8.8/v2", "", "http://8.8.8.8:3128", None),
        ("http://127.0.0.1:8400/v2", "", "", None),
        ("http://[::1]:8400/v2", "", "", None),
        (NEAR, "", "", ASKS),
        (NEAR, NEAR, "", None),
        (NEAR, "http://10.0.0.8/v2", "", ASKS),
        (NEAR, "http://10.0.0.9:81/v2", "", ASKS),
        (NAME, "", "", ASKS),
        (NAME, NAME, "", None),
        (FAR, FAR, "", PUBLIC),
        ("http://127.0.0.1@8.8.8.8/v2", "http://127.0.0.1@8.8.8.8/v2", "", PUBLIC),
        ("http://[::1/v2", "http://[::1/v2", "", PUBLIC),
        ("HTTP://8.8.8.8/v2", "", "", PUBLIC),
        ("ws://8.8.8.8/v2", "", "", PUBLIC),
        # a proxy gets the request in clear text, and it alone knows where a name leads
        ("http://127.0.0.1/v2", "", "http://8.8.8.8:3128", PUBLIC),
        ("http://127.0.0.1/v2", "", "http://10.0.0.1:3128", ASKS),
        (NEAR, NEAR, "http://10.0.0.1:3128", None),
        (NEAR, NEAR, "https://8.8.8.8:3128", None),
        (NEAR, NEAR, "http://proxy:3128", PUBLIC),
        (NAME, NAME, "http://127.0.0.1:3128", PUBLIC),
    ],
)
def test_what_may_go_in_clear_text(
    url: str, allowed: str, proxy: str, fault: ClearTextFault | None
) -> None:
    assert safe_connection.clear_text_fault(url, allowed=allowed, proxy=proxy) is fault


def test_of_a_names_addresses_only_private_ones_are_used() -> None:
    found = ["8.8.8.8", "fe80::1", "10.0.0.9", "10.0.0.8", "10.0.0.9"]
    assert nearby(found) == ("10.0.0.9", "10.0.0.8", "fe80::1")
    assert nearby(["2001:db8::1", "fd00::2"]) == ("fd00::2",)
    assert nearby(["8.8.8.8", "2001:db8::1"]) == ()
