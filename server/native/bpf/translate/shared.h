/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* What the translator and the helper agree on: rules, sessions and counters. IPv4 addresses are in network byte order. */
#ifndef TRANSLATE_SHARED_H
#define TRANSLATE_SHARED_H

#include "../shared.h"

/** An IPv6 prefix of RFC 6052, as numbers: its first and its last 64 bits. The masks cover the u-octet, which is 0. */
struct prefix {
	__u64 high, low, high_mask, low_mask;
	/** 32, 40, 48, 56, 64 or 96. */
	__u32 length, zero;
};

enum timeout { TIMEOUT_UDP, TIMEOUT_ICMP, TIMEOUT_TCP, TIMEOUT_TCP_TRANSITORY, TIMEOUTS };

struct rules {
	struct prefix prefix;
	/** Stands for IPv6 routers that have no IPv4 address, as the sender of their errors (RFC 6791); 0: they are dropped. */
	__u32 gateway;
	/** The IPv4 address that IPv6 clients without one of their own share; 0: there is none. */
	__u32 masquerade;
	/** Whether any rule makes sessions, whether there are any services. */
	__u32 has_sessions, has_services;
	/** In seconds. */
	__u32 timeouts[TIMEOUTS];
	/** Marks packets that passed once, in the upper 14 bits of 16. */
	__u32 tag, zero;
	/** Added to the clock, in ns: for tests. */
	__u64 ahead;
};

/** One address with its counterpart in the other family, or one endpoint of a service. */
struct place {
	struct address address;
	/** 0 for all of the address. */
	__u16 port;
	__u8 protocol, family;
};

struct counterpart {
	struct address address;
	/** How clients appear there; all 0: as themselves, inside the prefix. */
	struct address client;
	__u16 port;
	/** There is no such thing at this address: its services have ports. */
	__u16 nothing;
};

/** What a TCP session has shown. */
#define SEEN_REPLY 1
#define SEEN_FIN 2
#define SEEN_REPLY_FIN 4
#define SEEN_RESET 8

/** Found by the `flow_key` of a packet. ICMP echo has its identifier as the port of the side that asks. */
struct session {
	/** The same packet's ends in the other family. */
	struct endpoints ends;
	/** Replies have an entry of their own, which points to the first one: what follows is there alone. */
	__u32 is_reply;
	__u32 seen, zero;
	__u64 used;
};

/** Where the later fragments of a packet go: they have no ports. */
struct fragment_key {
	struct address from, to;
	__u32 id;
	__u8 protocol, family;
	__u16 zero;
};

struct fragment_way {
	struct address from, to;
};

enum translate_count {
	TRANSLATE_RUNS,
	TO_IPV6,
	TO_IPV4,
	ERRORS_TO_IPV6,
	ERRORS_TO_IPV4,
	NEW_SESSIONS,
	SESSION_PORTS_CHANGED,
	DROPPED_OTHER,
	DROPPED_MALFORMED,
	DROPPED_ADDRESS,
	DROPPED_SESSION,
	DROPPED_NO_PORT,
	DROPPED_FRAGMENT,
	DROPPED_ROUTING,
	DROPPED_ICMP,
	DROPPED_LOOP,
	DROPPED_KERNEL,
	TRANSLATE_COUNTS
};

struct translate_counts {
	__u64 of[TRANSLATE_COUNTS];
};

#endif
