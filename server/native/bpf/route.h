/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* Host routing: from a pod's device to the wire, and from the wire into the pod, past the node's IP layer. */
#ifndef NODEPORT_ROUTE_H
#define NODEPORT_ROUTE_H

#include "maps.h"

MAP(routes, ARRAY, __u32, struct route, 1, 0);
MAP(route_counters, PERCPU_ARRAY, __u32, struct route_counts, 1, 0);

/** Where an address is in its header. */
#define IPV4_DESTINATION 16
#define IPV6_DESTINATION 24

static long (*const redirect_neigh)(__u32 ifindex, struct bpf_redir_neigh *params, int size, __u64 flags) =
	(void *)BPF_FUNC_redirect_neigh;
static long (*const redirect_peer)(__u32 ifindex, __u64 flags) = (void *)BPF_FUNC_redirect_peer;
/** From the IP header on: a pod's device can have a link layer or none. */
static long (*const load_relative)(const void *skb, __u32 offset, void *to, __u32 size, __u32 start) =
	(void *)BPF_FUNC_skb_load_bytes_relative;

INLINE struct route_counts *route_counts_of(void)
{
	__u32 zero = 0;
	return map_lookup(&route_counters, &zero);
}

INLINE const struct route *route_of(void)
{
	__u32 zero = 0;
	return map_lookup(&routes, &zero);
}

/** A packet that leaves the pod: the kernel's route and neighbour, and out of the wire. */
SECTION("program/to_node") int to_node(struct __sk_buff *skb)
{
	struct route_counts *counts = route_counts_of();
	const struct route *route = route_of();
	if (!counts || !route) return TC_ACT_UNSPEC;
	counts->of[OUT_RUNS]++;
	if (skb->protocol == be16(ETH_P_IPV6)) {
		__u8 first = 0;
		if (load_relative(skb, IPV6_DESTINATION, &first, sizeof first, BPF_HDR_START_NET)) return TC_ACT_UNSPEC;
		// Multicast and link-local: neighbour discovery is the node's own.
		if (first == 0xff || first == 0xfe) return TC_ACT_UNSPEC;
	} else if (skb->protocol != be16(ETH_P_IP)) {
		return TC_ACT_UNSPEC;
	}
	counts->of[OUT_REDIRECTED]++;
	return redirect_neigh(route->wire, 0, 0, 0);
}

/** A packet that arrives for the pod: through the pod's device, without a queue in between. */
SECTION("program/to_pod") int to_pod(struct __sk_buff *skb)
{
	struct route_counts *counts = route_counts_of();
	const struct route *route = route_of();
	if (!counts || !route) return TC_ACT_UNSPEC;
	counts->of[IN_RUNS]++;
	__u32 to[4] = {};
	const __u32 *pod = route->pod[IPV4].word;
	if (skb->protocol == be16(ETH_P_IP)) {
		if (load_relative(skb, IPV4_DESTINATION, to, 4, BPF_HDR_START_NET)) return TC_ACT_UNSPEC;
	} else if (skb->protocol == be16(ETH_P_IPV6)) {
		if (load_relative(skb, IPV6_DESTINATION, to, sizeof to, BPF_HDR_START_NET)) return TC_ACT_UNSPEC;
		pod = route->pod[IPV6].word;
	} else {
		return TC_ACT_UNSPEC;
	}
	if (to[0] != pod[0] || to[1] != pod[1] || to[2] != pod[2] || to[3] != pod[3]) return TC_ACT_UNSPEC;
	counts->of[IN_REDIRECTED]++;
	return redirect_peer(route->device, 0);
}

#endif
