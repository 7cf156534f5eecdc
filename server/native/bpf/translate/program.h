/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * The translator between IPv4 and IPv6 (RFC 7915): at the egress of a device of its own, to which both families' packets
 * are routed. It sends them back through the device's ingress, and the kernel routes them on in the other family.
 */
#include "errors.h"

/** A packet to an address of the other side, from another one of it, passes twice. Never more often. */
#define MOST_PASSES 2

/**
 * The hop limit to write. The kernel counts a hop before the device and one behind it, and the translator is one hop: so
 * the first pass gives one back. A second one does not: what goes round in a circle ends.
 */
INLINE __u8 hops_of(const struct header *h, __u32 passes)
{
	return h->ttl + (passes == 0 && h->ttl < 255);
}

INLINE int translate_packet(struct __sk_buff *skb, struct work *w, const struct rules *rules, struct translate_counts *counts)
{
	struct header *h = &w->outer;
	__u32 index = skb->tc_index, passes = index >> 2 == rules->tag ? index & 3 : 0;
	__u32 family = skb->protocol == be16(ETH_P_IP) ? IPV4 : IPV6;
	if (skb->protocol != be16(ETH_P_IP) && skb->protocol != be16(ETH_P_IPV6)) return DROPPED_OTHER;
	int why = family == IPV4 ? read_ipv4_header(skb, w, h, ETHERNET) : read_ipv6_header(skb, h, ETHERNET);
	if (!why && (h->total > skb->len - ETHERNET || !h->ttl)) why = DROPPED_MALFORMED;
	if (!why) why = read_l4(skb, h, family, 0);
	if (why) return why;
	if (passes >= MOST_PASSES) return DROPPED_LOOP;
	skb->tc_index = rules->tag << 2 | (passes + 1);
	w->was.ends = h->ends;
	w->was.protocol = h->protocol;
	w->was.family = family;
	w->was.zero = 0;
	if (is_error(h, family)) {
		why = translate_error(skb, w, rules, counts, hops_of(h, passes));
		return why ? why : family == IPV4 ? ERRORS_TO_IPV6 : ERRORS_TO_IPV4;
	}
	why = decide_fragment(w, rules, counts);
	if (why) return why;
	why = family == IPV4 ? write_to_ipv6(skb, w, hops_of(h, passes)) : write_to_ipv4(skb, w, hops_of(h, passes));
	return why ? why : family == IPV4 ? TO_IPV6 : TO_IPV4;
}

SECTION("program/translate") int translate(struct __sk_buff *skb)
{
	__u32 zero = 0;
	struct translate_counts *counts = map_lookup(&translated, &zero);
	struct rules *rules = map_lookup(&translations, &zero);
	struct work *w = map_lookup(&works, &zero);
	if (!counts || !rules || !w) return TC_ACT_SHOT;
	counts->of[TRANSLATE_RUNS]++;
	__u32 outcome = translate_packet(skb, w, rules, counts);
	if (outcome >= TRANSLATE_COUNTS) return TC_ACT_SHOT;
	counts->of[outcome]++;
	return outcome == TO_IPV6 || outcome == TO_IPV4 || outcome == ERRORS_TO_IPV6 || outcome == ERRORS_TO_IPV4
		? redirect(skb->ifindex, BPF_F_INGRESS)
		: TC_ACT_SHOT;
}
