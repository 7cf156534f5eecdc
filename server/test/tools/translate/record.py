"""
Writes cases.json, with what tayga makes of the stateless cases. It needs scapy 2.6 and tayga 0.9.2, and root, in a
network namespace of its own. The tests need neither: they read cases.json.

    python3 -m venv /tmp/scapy && /tmp/scapy/bin/pip install scapy==2.6.1
    unshare --net /tmp/scapy/bin/python server/test/tools/translate/record.py
"""
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from cases import BASE, build
from scapy.all import IP, Ether
from scapy.layers.inet6 import IPv6


def start_tayga(folder):
    conf = Path(folder, "tayga.conf")
    pairs = "".join(f"map {pair['ipv4']} {pair['ipv6']}\n" for pair in BASE["pairs"])
    conf.write_text(f"tun-device nat64\nipv4-addr {BASE['gateway']}\nipv6-addr fd46:64::1\nprefix {BASE['prefix']}\n{pairs}data-dir {folder}\n")
    subprocess.run(["tayga", "-c", conf, "--mktun"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ip", "link", "set", "nat64", "up", "addrgenmode", "none"], check=True)
    log = open(Path(folder, "log"), "w")
    return subprocess.Popen(["tayga", "-c", conf, "--nodetach", "-d"], stdout=log, stderr=log)


def ask(out, into, packet):
    """A raw packet that the kernel hands to tayga, and what tayga hands back within some time."""
    while select.select([into], [], [], 0)[0]:
        into.recv(4096)
    kind = 0x86DD if packet[0] >> 4 == 6 else 0x0800
    out.sendto(packet, ("nat64", kind))
    while select.select([into], [], [], 0.3)[0]:
        answer, (_, _, packet_type, *_) = into.recvfrom(4096)
        if packet_type != socket.PACKET_OUTGOING and answer != packet:
            return answer
    return None


def shown(answer):
    """The packet as a frame."""
    if answer is None:
        return None
    packet = IP(answer) if answer[0] >> 4 == 4 else IPv6(answer)
    return bytes(Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02") / packet).hex()


def main():
    cases = build()
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with tempfile.TemporaryDirectory() as folder:
        tayga = start_tayga(folder)
        out = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, 0)
        into = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.ntohs(3))
        into.bind(("nat64", 3))
        select.select([], [], [], 1)
        for one in cases:
            if one["rules"] == BASE:
                one["tayga"] = shown(ask(out, into, bytes.fromhex(one["step"]["in"])[14:]))
                if one["tayga"] is None and "out" not in one["step"]:
                    one["differs"] = None
        tayga.send_signal(signal.SIGTERM)
        tayga.wait()
    text = json.dumps(cases, indent=2)
    Path(__file__).with_name("cases.json").write_text(text + "\n")
    print(len(cases), "cases", file=sys.stderr)


main()
