#!/usr/bin/env python3
"""Prepares the bridge between a cluster's nodes for XDP on their veth devices: xdp-wire.py on | off

Run it in the bridge's network namespace. A veth hands on what an XDP program sends back (XDP_TX) only while its other
end has an XDP program, too (veth_xdp_flush in drivers/net/veth.c of Linux): each port of a bridge gets one that passes
everything. Off removes them. Nothing of this is needed for real network cards.
"""

import ctypes
import os
import socket
import struct
import sys

BPF_SYSCALL = {"x86_64": 321, "aarch64": 280}[os.uname().machine]
BPF_PROG_LOAD, BPF_PROG_TYPE_XDP = 5, 6
RTM_SETLINK, NLM_F_REQUEST_ACK, NLMSG_ERROR = 19, 5, 2
IFLA_XDP, IFLA_XDP_FD, IFLA_XDP_FLAGS, NLA_F_NESTED, XDP_FLAGS_DRV_MODE = 43, 1, 3, 0x8000, 4


def load_pass():
    """A file descriptor of `return XDP_PASS`: r0 = 2; exit."""
    code = ctypes.create_string_buffer(struct.pack("<BBhiBBhi", 0xB7, 0, 0, 2, 0x95, 0, 0, 0), 16)
    license = ctypes.create_string_buffer(b"Apache-2.0")
    words = struct.pack("<IIQQ", BPF_PROG_TYPE_XDP, 2, ctypes.addressof(code), ctypes.addressof(license))
    attributes = ctypes.create_string_buffer(words, 128)
    program = ctypes.CDLL(None, use_errno=True).syscall(BPF_SYSCALL, BPF_PROG_LOAD, attributes, 128)
    if program < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return program


def attach(port, program):
    """Has a device's driver run the program; -1 removes what it runs."""
    words = struct.pack("<HHiHHI", 8, IFLA_XDP_FD, program, 8, IFLA_XDP_FLAGS, XDP_FLAGS_DRV_MODE)
    body = struct.pack("<BBHiII", 0, 0, 0, socket.if_nametoindex(port), 0, 0)
    body += struct.pack("<HH", 4 + len(words), IFLA_XDP | NLA_F_NESTED) + words
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as netlink:
        netlink.send(struct.pack("<IHHII", 16 + len(body), RTM_SETLINK, NLM_F_REQUEST_ACK, 1, 0) + body)
        answer = netlink.recv(4096)
    error = struct.unpack_from("<i", answer, 16)[0]
    if error != 0:
        raise OSError(-error, f"{port}: {os.strerror(-error)}")


if sys.argv[1:] not in (["on"], ["off"]):
    sys.exit("usage: xdp-wire.py on | off")
ports = sorted(name for name in os.listdir("/sys/class/net") if os.path.exists(f"/sys/class/net/{name}/brport"))
if not ports:
    sys.exit("xdp-wire.py: no bridge with ports in this network namespace")
program = load_pass() if sys.argv[1] == "on" else -1
for port in ports:
    attach(port, program)
