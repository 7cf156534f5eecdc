"""Packets for the translator, and what RFC 7915 makes of them. Scapy makes both, with all their checksums."""
import re

from scapy.all import ICMP, IP, TCP, UDP, Ether, Raw
from scapy.layers.inet import IPOption
from scapy.layers.inet6 import (
    ICMPv6DestUnreach,
    ICMPv6EchoReply,
    ICMPv6EchoRequest,
    ICMPv6ND_NS,
    ICMPv6PacketTooBig,
    ICMPv6ParamProblem,
    ICMPv6TimeExceeded,
    ICMPv6Unknown,
    IPv6,
    IPv6ExtHdrDestOpt,
    IPv6ExtHdrFragment,
    IPv6ExtHdrHopByHop,
    IPv6ExtHdrRouting,
    PadN,
)

ETHERNET = dict(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")
C4, S4 = "10.4.0.2", "10.99.0.2"
C6, S6 = "fd64:ff9b::10.4.0.2", "fd46::2"
ROUTER4, ROUTER6, GATEWAY4 = "10.7.0.9", "fd77::9", "10.99.0.254"
BASE = {"prefix": "fd64:ff9b::/96", "gateway": GATEWAY4, "pairs": [{"ipv4": S4, "ipv6": S6}]}
DATA = Raw(b"An odd number of bytes, so that the last one stands alone.."[:57])
LONG = Raw(bytes(i * 7 % 256 for i in range(1300)))
ANSWER = UDP(sport=53, dport=40000) / DATA
QUESTION = UDP(sport=40000, dport=53) / DATA
cases: list[dict] = []

# Tayga 0.9.2 is of the time of RFC 6145. By the cases' names.
TAYGA_DIFFERS = {
    "TTL 1 is": "it is a hop of its own, and answers",
    "gets one$|over many bytes": "it drops UDP without a checksum",
    "source route$|segments left": "it takes no notice of source routes",
    "parameter problem|about a fragment": "it drops these errors",
    "without an MTU|packet too big 70": "it has other limits of the MTU",
    "^unreachable 3 to IPv4": "it drops this code",
    "of an IPv6 router": "it drops errors of routers without an IPv4 address",
    "another's packet": "it does not compare the packet inside with the error",
    "outside of the prefix|has no IPv4|0\\.1$|255$|gateway itself": "it answers with an error of its own",
}


def frame(packet) -> str:
    return bytes(Ether(**ETHERNET) / packet).hex()


def case(name, packet, becomes, rules=None):
    """`becomes` is a packet, or the counter of a drop."""
    step = {"in": frame(packet), "outcome": becomes} if isinstance(becomes, str) else translated(packet, becomes)
    found = {"name": name, "rules": rules or BASE, "step": step}
    if rules is None:
        found["differs"] = next((why for names, why in TAYGA_DIFFERS.items() if re.search(names, name)), None)
    cases.append(found)


def translated(packet, becomes):
    to = "Ipv6" if isinstance(becomes, IPv6) else "Ipv4"
    return {"in": frame(packet), "out": frame(becomes), "outcome": f"errorsTo{to}" if is_error(becomes) else f"to{to}"}


def is_error(packet):
    if packet.haslayer(ICMP):
        return packet[ICMP].type in (3, 11, 12)
    return any(packet.haslayer(layer) for layer in (ICMPv6DestUnreach, ICMPv6PacketTooBig, ICMPv6TimeExceeded, ICMPv6ParamProblem))


def v4(ttl=9, **more):
    return IP(src=C4, dst=S4, ttl=ttl, **more)


def v6(hlim=10, **more):
    return IPv6(src=C6, dst=S6, hlim=hlim, **more)


def back6(hlim=9, **more):
    return IPv6(src=S6, dst=C6, hlim=hlim, **more)


def back4(ttl=10, **more):
    return IP(src=S4, dst=C4, ttl=ttl, id=0, **more)


def headers():
    """Sections 4.1 and 5.1: the headers. The hop limit is one more: the kernel routes twice, and this is one hop."""
    tcp, udp = TCP(sport=40000, dport=80, flags="S", options=[("MSS", 1460)]), UDP(sport=40000, dport=53)
    for name, l4 in (("TCP", tcp), ("UDP", udp)):
        case(f"{name} to IPv6", v4() / l4 / DATA, v6() / l4 / DATA)
        case(f"{name} to IPv4", back6() / l4 / DATA, back4() / l4 / DATA)
    case("ping to IPv6", v4() / ICMP(type=8, id=7, seq=3) / DATA, v6() / ICMPv6EchoRequest(id=7, seq=3, data=DATA.load))
    case("ping's answer to IPv6", v4() / ICMP(type=0, id=7, seq=3) / DATA, v6() / ICMPv6EchoReply(id=7, seq=3, data=DATA.load))
    case("ping to IPv4", back6() / ICMPv6EchoRequest(id=7, seq=3, data=DATA.load), back4() / ICMP(type=8, id=7, seq=3) / DATA)
    case("ping's answer to IPv4", back6() / ICMPv6EchoReply(id=7, seq=3, data=DATA.load), back4() / ICMP(type=0, id=7, seq=3) / DATA)
    case("type of service to traffic class", v4(tos=0xBA) / udp / DATA, v6(tc=0xBA) / udp / DATA)
    case("traffic class to type of service", back6(tc=0xBA, fl=0x12345) / udp / DATA, back4(tos=0xBA) / udp / DATA)
    case("DF has no place in IPv6", v4(flags="DF") / udp / DATA, v6() / udp / DATA)
    case("above 1,260 bytes DF is set", back6() / udp / LONG, back4(flags="DF") / udp / LONG)
    fits, more = Raw(bytes(1260 - 28)), Raw(bytes(1261 - 28))
    case("1,260 bytes can be fragmented", back6() / udp / fits, back4() / udp / fits)
    case("1,261 bytes can't be fragmented", back6() / udp / more, back4(flags="DF") / udp / more)
    case("a protocol that nobody knows to IPv6", v4(proto=253) / DATA, v6(nh=253) / DATA)
    case("a protocol that nobody knows to IPv4", back6(nh=253) / DATA, back4(proto=253) / DATA)
    case("hop limit 255 stays", v4(ttl=255) / udp / DATA, v6(hlim=255) / udp / DATA)
    case("TTL 1 is not the end here: the kernel's is", v4(ttl=1) / udp / DATA, v6(hlim=2) / udp / DATA)


def checksums():
    udp = UDP(sport=40000, dport=53)
    case("UDP without a checksum gets one", v4() / UDP(sport=40000, dport=53, chksum=0) / DATA, v6() / udp / DATA)
    case("and over many bytes", v4() / UDP(sport=40000, dport=53, chksum=0) / LONG, v6() / udp / LONG)
    case("a fragment of UDP without a checksum", v4(flags="MF", id=99) / UDP(sport=1, dport=2, chksum=0) / Raw(bytes(40)), "droppedFragment")
    case("IPv6 UDP without a checksum", back6() / UDP(sport=1, dport=2, chksum=0) / DATA, "droppedMalformed")
    wrong = TCP(sport=40000, dport=80, chksum=0x1234)
    # The difference of the two families' sums, by scapy: a wrong checksum stays wrong by as much.
    right4 = IP(bytes(v4() / TCP(sport=40000, dport=80)))[TCP].chksum
    right6 = IPv6(bytes(v6() / TCP(sport=40000, dport=80)))[TCP].chksum
    total = (~0x1234 & 0xFFFF) + right4 + (~right6 & 0xFFFF)
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    case("a wrong checksum stays wrong", v4() / wrong, v6() / TCP(sport=40000, dport=80, chksum=~total & 0xFFFF))


def fragments():
    first, middle, last = Raw(bytes(range(64))), Raw(bytes(range(64, 128))), Raw(bytes(range(128, 171)))
    whole6 = IPv6(bytes(v6() / UDP(sport=1, dport=2) / Raw(first.load + middle.load + last.load)))
    whole4 = IP(bytes(back4() / UDP(sport=1, dport=2) / Raw(first.load + middle.load + last.load)))
    l4 = bytes(IP(bytes(v4() / UDP(sport=1, dport=2) / Raw(first.load + middle.load + last.load)))[UDP])
    to6, to4 = bytes(whole6[UDP]), bytes(whole4[UDP])
    from6 = bytes(IPv6(bytes(back6() / UDP(sport=1, dport=2) / Raw(first.load + middle.load + last.load)))[UDP])
    for name, at, end in (("first", 0, 72), ("middle", 72, 136), ("last", 136, 1000)):
        more = int(end < 1000)
        flags = "MF" if more else 0
        case(f"{name} fragment to IPv6", v4(id=0x1234, proto=17, flags=flags, frag=at // 8) / Raw(l4[at:end]),
             v6() / IPv6ExtHdrFragment(id=0x1234, m=more, offset=at // 8, nh=17) / Raw(to6[at:end]))
        case(f"{name} fragment to IPv4", back6() / IPv6ExtHdrFragment(id=0xABCD1234, m=more, offset=at // 8, nh=17) / Raw(from6[at:end]),
             IP(src=S4, dst=C4, ttl=10, id=0x1234, proto=17, flags=flags, frag=at // 8) / Raw(to4[at:end]))
    case("a fragment that is the whole packet", back6() / IPv6ExtHdrFragment(id=5, m=0, offset=0, nh=17) / Raw(from6),
         IP(src=S4, dst=C4, ttl=10, id=5, proto=17) / Raw(to4))
    case("a fragment of a ping", v4(flags="MF", id=9) / ICMP(id=7, seq=1) / Raw(bytes(40)), "droppedFragment")
    case("a later fragment of a ping", v4(frag=6, id=9, proto=1) / Raw(bytes(40)), "droppedFragment")
    case("a fragment of an IPv6 ping", back6() / IPv6ExtHdrFragment(id=5, m=1, nh=58) / ICMPv6EchoRequest(id=7, data=bytes(40)), "droppedFragment")


def options():
    udp = UDP(sport=1, dport=2)
    case("IPv4 options are left out", v4(options=[IPOption(b"\x94\x04\x00\x00"), IPOption(b"\x01")]) / udp / DATA, v6() / udp / DATA)
    route = b"\x83\x0b%c\x0a\x00\x00\x01\x0a\x00\x00\x02\x00"
    for name, code in (("loose", 0x83), ("strict", 0x89)):
        unused = bytes([code]) + (route % 4)[1:]
        used = bytes([code]) + (route % 12)[1:]
        case(f"a {name} source route", v4(options=[IPOption(unused)]) / udp / DATA, "droppedRouting")
        # Scapy would take the last address of the route for the checksum.
        plain = Raw(bytes(IP(bytes(v4() / udp / DATA))[UDP]))
        case(f"a {name} source route at its end", v4(proto=17, options=[IPOption(used)]) / plain, v6() / udp / DATA)
    hop, dest = IPv6ExtHdrHopByHop(options=[PadN(optdata=b"\0" * 4)]), IPv6ExtHdrDestOpt(options=[PadN(optdata=b"\0" * 12)])
    case("IPv6 options are left out", back6() / hop / dest / udp / DATA, back4() / udp / DATA)
    case("a routing header at its end", back6() / IPv6ExtHdrRouting(type=4, segleft=0) / udp / DATA, back4() / udp / DATA)
    case("a routing header with segments left", back6() / IPv6ExtHdrRouting(type=4, segleft=1) / udp / DATA, "droppedRouting")


def inside4(l4=None, **more):
    """What an IPv4 router or client sends back of a packet to it. A translated one has no identification."""
    return Raw(bytes(IP(**{"src": S4, "dst": C4, "ttl": 3, "id": 0, **more}) / (l4 or ANSWER)))


def inside6(l4=None, **more):
    return Raw(bytes(IPv6(**{"src": S6, "dst": C6, "hlim": 3, **more}) / (l4 or ANSWER)))


def errors_to_ipv6():
    """Section 4.2: ICMPv4 errors."""
    for code in (0, 1, 5, 6, 7, 8, 11, 12):
        case(f"unreachable {code} to IPv6", v4() / ICMP(type=3, code=code) / inside4(), v6() / ICMPv6DestUnreach(code=0) / inside6())
    for code in (9, 10, 13, 15):
        case(f"unreachable {code} to IPv6", v4() / ICMP(type=3, code=code) / inside4(), v6() / ICMPv6DestUnreach(code=1) / inside6())
    case("protocol unreachable to IPv6", v4() / ICMP(type=3, code=2) / inside4(), v6() / ICMPv6ParamProblem(code=1, ptr=6) / inside6())
    case("port unreachable to IPv6", v4() / ICMP(type=3, code=3) / inside4(), v6() / ICMPv6DestUnreach(code=4) / inside6())
    for mtu, to in ((1400, 1420), (1000, 1280), (1260, 1280), (1480, 1500)):
        case(f"fragmentation needed {mtu}", v4() / ICMP(type=3, code=4, nexthopmtu=mtu) / inside4(), v6() / ICMPv6PacketTooBig(mtu=to) / inside6())
    part4 = bytes(IP(src=S4, dst=C4, ttl=3, id=0) / UDP(sport=53, dport=40000) / Raw(bytes(1472)))[:100]
    part6 = bytes(IPv6(src=S6, dst=C6, hlim=3) / UDP(sport=53, dport=40000) / Raw(bytes(1472)))[:120]
    case("fragmentation needed without an MTU", v4() / ICMP(type=3, code=4, nexthopmtu=0) / Raw(part4), v6() / ICMPv6PacketTooBig(mtu=1512) / Raw(part6))
    for code in (14, 16):
        case(f"unreachable {code}", v4() / ICMP(type=3, code=code) / inside4(), "droppedIcmp")
    for code in (0, 1):
        case(f"time exceeded {code} to IPv6", v4() / ICMP(type=11, code=code) / inside4(), v6() / ICMPv6TimeExceeded(code=code) / inside6())
    table = {0: 0, 1: 1, 2: 4, 3: 4, 8: 7, 9: 6, 12: 8, 13: 8, 14: 8, 15: 8, 16: 24, 17: 24, 18: 24, 19: 24}
    for ptr in range(21):
        becomes = v6() / ICMPv6ParamProblem(code=0, ptr=table[ptr]) / inside6() if ptr in table else "droppedIcmp"
        case(f"parameter problem at {ptr} to IPv6", v4() / ICMP(type=12, code=0, ptr=ptr) / inside4(), becomes)
    case("parameter problem code 1", v4() / ICMP(type=12, code=1, ptr=0) / inside4(), "droppedIcmp")
    case("parameter problem code 2 to IPv6", v4() / ICMP(type=12, code=2, ptr=8) / inside4(), v6() / ICMPv6ParamProblem(code=0, ptr=7) / inside6())
    for kind in (4, 5, 9, 10, 13, 14, 15, 16, 17, 18, 30):
        case(f"ICMP type {kind}", v4() / ICMP(type=kind) / DATA, "droppedIcmp")
    case("an error of an error", v4() / ICMP(type=3, code=1) / inside4(ICMP(type=11) / Raw(bytes(28))), "droppedIcmp")




def errors_to_ipv4():
    """Section 5.2: ICMPv6 errors, about packets to the server."""
    asked6, asked4 = dict(src=C6, dst=S6), dict(src=C4, dst=S4)
    sent6, sent4 = inside6(QUESTION, **asked6), inside4(QUESTION, **asked4)
    for code, to in ((0, 1), (1, 10), (2, 1), (3, 1), (4, 3)):
        case(f"unreachable {code} to IPv4", back6() / ICMPv6DestUnreach(code=code) / sent6, back4() / ICMP(type=3, code=to) / sent4)
    for code in (5, 6, 7):
        case(f"IPv6 unreachable {code}", back6() / ICMPv6DestUnreach(code=code) / sent6, "droppedIcmp")
    for mtu in (1500, 1280, 1400):
        case(f"packet too big {mtu}", back6() / ICMPv6PacketTooBig(mtu=mtu) / sent6, back4() / ICMP(type=3, code=4, nexthopmtu=mtu - 20) / sent4)
    case("packet too big 70", back6() / ICMPv6PacketTooBig(mtu=70) / sent6, back4() / ICMP(type=3, code=4, nexthopmtu=68) / sent4)
    for code in (0, 1):
        case(f"time exceeded {code} to IPv4", back6() / ICMPv6TimeExceeded(code=code) / sent6, back4() / ICMP(type=11, code=code) / sent4)
    table = {0: 0, 1: 1, 4: 2, 5: 2, 6: 9, 7: 8, **dict.fromkeys(range(8, 24), 12), **dict.fromkeys(range(24, 40), 16)}
    for ptr in (*range(10), 23, 24, 39, 40, 256):
        becomes = back4() / ICMP(type=12, code=0, ptr=table[ptr]) / sent4 if ptr in table else "droppedIcmp"
        case(f"parameter problem at {ptr} to IPv4", back6() / ICMPv6ParamProblem(code=0, ptr=ptr) / sent6, becomes)
    case("unknown next header to IPv4", back6() / ICMPv6ParamProblem(code=1, ptr=6) / sent6, back4() / ICMP(type=3, code=2) / sent4)
    case("unknown option", back6() / ICMPv6ParamProblem(code=2, ptr=6) / sent6, "droppedIcmp")
    case("a neighbour solicitation", back6() / ICMPv6ND_NS(tgt=S6), "droppedIcmp")
    for kind in (5, 100, 127, 130, 131, 132, 133, 134, 136, 137, 143, 200):
        case(f"ICMPv6 type {kind}", back6(nh=58) / Raw(bytes(IPv6(src=S6, dst=C6) / ICMPv6Unknown(type=kind) / sent6)[40:]), "droppedIcmp")
    case("an IPv6 error of an error", back6() / ICMPv6TimeExceeded() / Raw(bytes(v6() / ICMPv6DestUnreach() / inside6())), "droppedIcmp")
    part6 = inside6(IPv6ExtHdrFragment(id=77, m=1, nh=17) / Raw(bytes(100)), **asked6)
    part4 = inside4(Raw(bytes(100)), **asked4, id=77, flags="MF", proto=17)
    # 28 bytes, not 20: the fragment's header goes, too.
    case("packet too big about a fragment", back6() / ICMPv6PacketTooBig(mtu=1500) / part6, back4() / ICMP(type=3, code=4, nexthopmtu=1472) / part4)
    for name, layers in {
        "TCP": (TCP(sport=40000, dport=80, seq=7) / DATA,) * 2,
        "a ping": (ICMPv6EchoRequest(id=7, seq=3, data=DATA.load), ICMP(type=8, id=7, seq=3) / DATA),
        "a protocol that nobody knows": (DATA, DATA),
    }.items():
        numbers = ({"nh": 253}, {"proto": 253}) if layers[0] is DATA else ({}, {})
        case(f"an IPv6 error about {name}", back6() / ICMPv6TimeExceeded() / inside6(layers[0], **asked6, **numbers[0]),
             back4() / ICMP(type=11) / inside4(layers[1], **asked4, **numbers[1]))
        case(f"an IPv4 error about {name}", v4() / ICMP(type=11) / inside4(layers[1], **numbers[1]),
             v6() / ICMPv6TimeExceeded() / inside6(layers[0], **numbers[0]))
    options = IPv6ExtHdrHopByHop(options=[PadN(optdata=b"\0" * 4)])
    case("an error about a packet with extension headers", back6() / ICMPv6TimeExceeded() / inside6(options / QUESTION, **asked6),
         back4() / ICMP(type=11) / sent4)


def errors_from_elsewhere():
    """RFC 6791: routers of the IPv6 side have no IPv4 address. Those of the IPv4 side have one inside the prefix."""
    asked6, asked4 = dict(src=C6, dst=S6), dict(src=C4, dst=S4)
    case("an error of an IPv6 router", IPv6(src=ROUTER6, dst=C6, hlim=9) / ICMPv6TimeExceeded() / inside6(QUESTION, **asked6),
         IP(src=GATEWAY4, dst=C4, ttl=10, id=0) / ICMP(type=11) / inside4(QUESTION, **asked4))
    case("an error of an IPv4 router", IP(src=ROUTER4, dst=S4, ttl=9) / ICMP(type=11) / inside4(),
         IPv6(src="fd64:ff9b::" + ROUTER4, dst=S6, hlim=10) / ICMPv6TimeExceeded() / inside6())
    case("an error about another's packet", v4() / ICMP(type=11) / inside4(src="10.99.0.7"), "droppedMalformed")
    case("a damaged error", v4() / ICMP(type=11, chksum=0x1111) / inside4(), "droppedMalformed")
    part = bytes(IP(src=S4, dst=C4, ttl=3, id=0) / UDP(sport=53, dport=40000) / LONG)
    part6 = bytes(IPv6(src=S6, dst=C6, hlim=3) / UDP(sport=53, dport=40000) / LONG)
    case("an error with eight bytes of the packet", v4() / ICMP(type=11) / Raw(part[:28]), v6() / ICMPv6TimeExceeded() / Raw(part6[:48]))
    case("an error that would be longer than 1,280 bytes", v4() / ICMP(type=11) / Raw(part), v6() / ICMPv6TimeExceeded() / Raw(part6[:1232]))
    more = bytes(inside4(UDP(sport=53, dport=40000) / Raw(bytes(100)))) + b"\x20\0\xde\xad\0\x08\x01\x01abcd"
    case("what follows the packet is left out (RFC 4884)", v4() / ICMP(type=11, length=32) / Raw(more),
         v6() / ICMPv6TimeExceeded() / inside6(UDP(sport=53, dport=40000) / Raw(bytes(100))))


def addresses():
    """RFC 6052, 2.4: the prefixes of all six lengths, with its own examples."""
    examples = {
        "2001:db8::/32": "2001:db8:c000:221::",
        "2001:db8:100::/40": "2001:db8:1c0:2:21::",
        "2001:db8:122::/48": "2001:db8:122:c000:2:2100::",
        "2001:db8:122:300::/56": "2001:db8:122:3c0:0:221::",
        "2001:db8:122:344::/64": "2001:db8:122:344:c0:2:2100::",
        "2001:db8:122:344::/96": "2001:db8:122:344::192.0.2.33",
        "64:ff9b::/96": "64:ff9b::192.0.2.33",
    }
    udp = UDP(sport=1, dport=2)
    for prefix, inside in examples.items():
        rules = {**BASE, "prefix": prefix}
        case(f"out of {prefix}", IPv6(src=S6, dst=inside, hlim=9) / udp / DATA, IP(src=S4, dst="192.0.2.33", ttl=10, id=0) / udp / DATA, rules)
        case(f"into {prefix}", IP(src="192.0.2.33", dst=S4, ttl=9) / udp / DATA, IPv6(src=inside, dst=S6, hlim=10) / udp / DATA, rules)
    rules = {**BASE, "prefix": "2001:db8:122:344::/64"}
    case("bits behind the address are ignored", IPv6(src=S6, dst="2001:db8:122:344:c0:2:2100:1234", hlim=9) / udp / DATA,
         IP(src=S4, dst="192.0.2.33", ttl=10, id=0) / udp / DATA, rules)
    case("bits 64 to 71 must be 0", IPv6(src=S6, dst="2001:db8:122:344:1c0:2:2100::", hlim=9) / udp / DATA, "droppedAddress", rules)
    inside = "fd64:ff9b::10.1.2.3"
    case("both by the prefix", IP(src=C4, dst="10.1.2.3", ttl=9) / udp / DATA, IPv6(src=C6, dst=inside, hlim=10) / udp / DATA)
    case("outside of the prefix", IPv6(src=S6, dst="fd99::1", hlim=9) / udp / DATA, "droppedAddress")
    case("a sender that has no IPv4 address", IPv6(src="fd46::9", dst=C6, hlim=9) / udp / DATA, "droppedAddress")
    for odd in ("127.0.0.1", "0.0.0.1", "224.0.0.1", "255.255.255.255"):
        case(f"from {odd}", IP(src=odd, dst=S4, ttl=9) / udp / DATA, "droppedAddress")
        case(f"to {odd}", IPv6(src=S6, dst="fd64:ff9b::" + odd, hlim=9) / udp / DATA, "droppedAddress")
    case("to the gateway itself", IP(src=C4, dst=GATEWAY4, ttl=9) / udp / DATA, "droppedAddress")


def build():
    for part in (headers, checksums, fragments, options, errors_to_ipv6, errors_to_ipv4, errors_from_elsewhere, addresses):
        part()
    return cases
