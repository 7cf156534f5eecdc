/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* What the BPF programs and the helper agree on: keys, values and counters of the maps. */
#ifndef NODEPORT_SHARED_H
#define NODEPORT_SHARED_H

#include <linux/types.h>

enum family { IPV4, IPV6, FAMILIES };

/** An IPv4 address is the first word; the others are 0, so that checksums over all of them are right for both families. */
struct address {
	__u32 word[4];
};

/** Who talks to whom. The first 36 bytes are all that NAT changes, and all that its checksums cover. */
struct endpoints {
	struct address from, to;
	__u16 from_port, to_port;
};

struct flow_key {
	struct endpoints ends;
	__u8 protocol, family;
	__u16 zero;
};

struct flow {
	struct endpoints ends;
	__u16 is_reply;
	/** The place of the backend that gets the packet as it is, counted from 1; 0: the packet gets new endpoints. */
	__u16 direct_to;
};

struct service_key {
	__u16 port;
	__u8 protocol, family;
};

struct backend {
	struct address address;
	__u16 port, zero;
};

struct config {
	struct address node[FAMILIES], masquerade[FAMILIES];
	/** Whether the node has addresses of this family. */
	__u32 has[FAMILIES];
	/** The cookie of the network namespace whose sockets are translated. */
	__u64 network;
};

enum count {
	RUNS,
	FORWARDED,
	REPLIES,
	NEW_FLOWS,
	PORTS_CHANGED,
	PASSED_OTHER,
	PASSED_PROTOCOL,
	PASSED_FRAGMENT,
	PASSED_OPTIONS,
	PASSED_EXPIRED,
	PASSED_MALFORMED,
	PASSED_UNROUTABLE,
	PASSED_NO_PORT,
	COUNTS
};

/** The two forwarders' places in the map of counters. */
enum forwarder { BY_XDP, BY_TC, FORWARDERS };

struct counts {
	__u64 of[COUNTS];
};

/** The way between one pod and the wire of its node. */
struct route {
	/** Indexes of the devices: the node's wire, and the node's end of the pod's device. */
	__u32 wire, device;
	struct address pod[FAMILIES];
};

/** What the two programs of a route counted: packets that came, and those that they redirected. */
enum route_count { OUT_RUNS, OUT_REDIRECTED, IN_RUNS, IN_REDIRECTED, ROUTE_COUNTS };

struct route_counts {
	__u64 of[ROUTE_COUNTS];
};

/** The limit of one pod, and the departure time that the last packet got; more than the horizon ahead packets are dropped. */
struct pace {
	__u64 bytes_per_second, horizon, last, passed, dropped;
	struct address pod[FAMILIES];
};

/** Backends have a hexadecimal digit each, from 1 on; place 0 stays empty. */
#define BACKEND_PLACES 16
#define MOST_BUCKETS 8192

/** How a service's new flows find their backend: `buckets` has the places of backends. */
struct balance {
	struct address service;
	struct address backends[BACKEND_PLACES];
	__u32 family, bucket_count;
	/** A random bucket, and not the one that the client's address and port point to. */
	__u32 is_random;
	/** Backends have the service's address, and reply past the balancer. */
	__u32 is_direct;
};

/** Calls of connect() in the network namespace, and how many of them got a backend's address. */
struct connects {
	__u64 seen, translated;
};

#define ETHERNET 14
#define LONGEST_HEADER (ETHERNET + 40 + 8)

/** What the generator sends next. User space maps it, and reads it while the program runs. */
struct generator {
	/** A whole packet's headers. Source address, source port and checksums are filled in for each packet. */
	__u8 header[64];
	__u32 family, ifindex;
	/** Host byte order: the last word of the first source address. */
	__u32 source;
	__u32 first_port, ports;
	/** One's complement sums, without what changes: of the IPv4 header and of UDP. */
	__u32 ip_sum, udp_sum;
	__u32 zero;
	/** How many different flows there are, in turn. */
	__u64 flows;
	/** It sends no more than these. */
	__u64 limit;
	/** Between two packets, in ns; 0: as fast as possible. */
	__u64 gap;
	/** The most that it makes up for after it was held up, in ns. */
	__u64 arrears;
	/** CLOCK_MONOTONIC: of the first packet, 0 before it; when the next one is due. */
	__u64 started, next;
	__u64 sent;
	/** Time spent waiting, in ns. */
	__u64 spun;
};

#endif
