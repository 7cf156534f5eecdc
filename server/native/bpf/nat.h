/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* The one decision that XDP and TC share: which flow a packet belongs to, and what becomes of its addresses and ports. */
#ifndef NODEPORT_NAT_H
#define NODEPORT_NAT_H

#include "maps.h"
#include "packet.h"

#define PORT_TRIES 16
#define LOWEST_PORT 1024

INLINE int same_address(const struct address *a, const struct address *b)
{
	return a->word[0] == b->word[0] && a->word[1] == b->word[1] && a->word[2] == b->word[2] && a->word[3] == b->word[3];
}

INLINE int same_ends(const struct endpoints *a, const struct endpoints *b)
{
	return same_address(&a->from, &b->from) && same_address(&a->to, &b->to) && a->from_port == b->from_port &&
		a->to_port == b->to_port;
}

/**
 * Begins a flow: first the entry of its replies, which also reserves the source port, then its own. The client's source
 * port stays unless another flow has it.
 */
INLINE int begin_flow(const struct packet *p, const struct address *from, const struct backend *to, struct flow *flow, struct counts *counts)
{
	const struct endpoints *ends = &p->key.ends;
	struct flow_key reply_key = {.protocol = p->key.protocol, .family = p->key.family};
	struct flow reply = {.is_reply = 1};
	flow->ends.from = *from;
	flow->ends.to = to->address;
	flow->ends.from_port = ends->from_port;
	flow->ends.to_port = to->port;
	flow->is_reply = flow->direct_to = 0;
	reply_key.ends.from = flow->ends.to;
	reply_key.ends.to = flow->ends.from;
	reply_key.ends.from_port = to->port;
	reply.ends.from = ends->to;
	reply.ends.to = ends->from;
	reply.ends.from_port = ends->to_port;
	reply.ends.to_port = ends->from_port;
	int reserved = 0;
	for (int i = 0; i < PORT_TRIES; i++) {
		reply_key.ends.to_port = flow->ends.from_port;
		if (!map_update(&flows, &reply_key, &reply, BPF_NOEXIST)) {
			reserved = 1;
			break;
		}
		// Its replies' entry can be there already: from another CPU, or because only the other one was dropped for its age.
		struct flow *there = map_lookup(&flows, &reply_key);
		if (there && same_ends(&there->ends, &reply.ends)) {
			reserved = 1;
			break;
		}
		flow->ends.from_port = be16(LOWEST_PORT + ((random_u32() & 0xffff) * (65536 - LOWEST_PORT) >> 16));
	}
	if (!reserved) return PASSED_NO_PORT;
	if (map_update(&flows, &p->key, flow, BPF_ANY)) {
		map_delete(&flows, &reply_key);
		return PASSED_NO_PORT;
	}
	counts->of[NEW_FLOWS]++;
	if (flow->ends.from_port != ends->from_port) counts->of[PORTS_CHANGED]++;
	return FORWARDED;
}

/** Returns FORWARDED or REPLIES and fills in the flow, or why the packet is passed on. */
INLINE int decide(const struct packet *p, struct flow *flow, struct counts *counts)
{
	struct flow *known = map_lookup(&flows, &p->key);
	if (known) {
		if (p->ttl <= 1) return PASSED_EXPIRED;
		*flow = *known;
		// A connection from a port that an earlier connection had.
		if (p->opens && !flow->is_reply) counts->of[NEW_FLOWS]++;
		return flow->is_reply ? REPLIES : FORWARDED;
	}
	__u32 zero = 0, is_ipv6 = p->key.family == IPV6;
	struct config *config = map_lookup(&configs, &zero);
	if (!config || !config->has[is_ipv6] || !same_address(&p->key.ends.to, &config->node[is_ipv6])) return PASSED_OTHER;
	struct service_key key = {.port = p->key.ends.to_port, .protocol = p->key.protocol, .family = p->key.family};
	struct backend *backend = map_lookup(&services, &key);
	if (!backend) return PASSED_OTHER;
	if (p->ttl <= 1) return PASSED_EXPIRED;
	return begin_flow(p, &config->masquerade[is_ipv6], backend, flow, counts);
}

/**
 * The device and the MAC addresses of the changed packet's way to `to`. `length` 0 leaves the MTU to the caller's kind of
 * packet.
 */
INLINE long find_way(void *context, struct bpf_fib_lookup *way, const struct packet *p, const struct flow *flow, const struct address *to, __u32 ifindex, __u32 length)
{
	way->ifindex = ifindex;
	way->l4_protocol = p->key.protocol;
	way->sport = flow->ends.from_port;
	way->dport = flow->ends.to_port;
	way->tot_len = length;
	if (p->key.family == IPV4) {
		way->family = AF_INET;
		way->ipv4_src = flow->ends.from.word[0];
		way->ipv4_dst = to->word[0];
	} else {
		way->family = AF_INET6;
		__builtin_memcpy(way->ipv6_src, &flow->ends.from, 16);
		__builtin_memcpy(way->ipv6_dst, to, 16);
	}
	return fib_lookup(context, way, sizeof *way, 0);
}

INLINE struct counts *counts_of(__u32 forwarder)
{
	struct counts *counts = map_lookup(&counters, &forwarder);
	if (counts) counts->of[RUNS]++;
	return counts;
}

#endif
