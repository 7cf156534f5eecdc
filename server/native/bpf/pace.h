/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* A pod's limit by departure times: each packet gets the time at which the rate lets it go, and fq holds it until then. */
#ifndef NODEPORT_PACE_H
#define NODEPORT_PACE_H

#include "route.h"

MAP(paces, ARRAY, __u32, struct pace, 1, 0);

#define IPV4_SOURCE 12
#define IPV6_SOURCE 8
#define NS_IN_SECOND 1000000000ull

/** At the egress of the wire. */
SECTION("program/pace") int pace(struct __sk_buff *skb)
{
	__u32 zero = 0, from[4] = {};
	struct pace *pace = map_lookup(&paces, &zero);
	if (!pace) return TC_ACT_UNSPEC;
	const __u32 *pod = pace->pod[IPV4].word;
	if (skb->protocol == be16(ETH_P_IP)) {
		if (load_relative(skb, IPV4_SOURCE, from, 4, BPF_HDR_START_NET)) return TC_ACT_UNSPEC;
	} else if (skb->protocol == be16(ETH_P_IPV6)) {
		if (load_relative(skb, IPV6_SOURCE, from, sizeof from, BPF_HDR_START_NET)) return TC_ACT_UNSPEC;
		pod = pace->pod[IPV6].word;
	} else {
		return TC_ACT_UNSPEC;
	}
	if (from[0] != pod[0] || from[1] != pod[1] || from[2] != pod[2] || from[3] != pod[3]) return TC_ACT_UNSPEC;
	__u64 now = now_ns(), earliest = skb->tstamp > now ? skb->tstamp : now;
	__u64 next = pace->last + skb->wire_len * NS_IN_SECOND / pace->bytes_per_second;
	if (next <= earliest) next = earliest;
	if (next - now >= pace->horizon) {
		pace->dropped++;
		return TC_ACT_SHOT;
	}
	pace->last = next;
	pace->passed++;
	skb->tstamp = next;
	return TC_ACT_UNSPEC;
}

#endif
