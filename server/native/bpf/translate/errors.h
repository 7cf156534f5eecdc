/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* Translates ICMP errors with the packet inside. Each returns 0, or why the packet is dropped. */
#ifndef TRANSLATE_ERRORS_H
#define TRANSLATE_ERRORS_H

#include "decide.h"
#include "icmp.h"
#include "read.h"
#include "write.h"

/** An ICMPv6 error is no longer than the least MTU (RFC 4443, 2.4). */
#define LONGEST_ICMPV6 (IPV6_LEAST_MTU - IPV6_HEADER)

/** The checksum of the whole message, which must be right: it is computed again, and must not hide a damaged one. */
INLINE int is_damaged(struct __sk_buff *skb, struct work *w, __u32 family)
{
	const struct header *h = &w->outer;
	__u32 pseudo = family == IPV6 ? pseudo_sum(w, &h->ends, h->length, IPPROTO_ICMPV6, 0) : 0;
	__s64 sum = add_bytes(skb, w, h->l4, h->length, pseudo, MOST_ERROR_CHUNKS);
	return sum < 0 || folded(sum) != 0;
}

/** How much of the packet inside follows its headers. What RFC 4884 adds behind the packet is left out. */
INLINE __u32 rest_of(const struct work *w, __u32 family)
{
	const struct header *h = &w->outer;
	__u32 type = h->icmp.type, first = be16(h->icmp.first), inside = h->length - ICMP_HEADER, said = 0;
	if (family == IPV4) said = (first & 0xff) * 4;
	else if (type == 1 || type == 3) said = (first >> 8) * 8;
	if (said && said < inside) inside = said;
	__u32 headers = w->inner.l4 - h->l4 - ICMP_HEADER;
	return inside > headers ? inside - headers : 0;
}

/** Inside an error: ports, identifier and the checksum, as far as they are there. */
INLINE int write_inner(struct __sk_buff *skb, struct work *w, __u32 l4, __u32 rest, __u32 family)
{
	const struct header *h = &w->inner;
	const struct endpoints *was = &h->ends, *now = &w->third.ends;
	if (h->offset) return 0;
	if (h->protocol == IPPROTO_ICMP) {
		struct icmp echo = echo_of(w, h, was, now, family);
		return skb_store_bytes(skb, l4, &echo, sizeof echo, 0) ? DROPPED_KERNEL : 0;
	}
	__u32 at = checksum_at(h->protocol), from = ports_of(was), to = ports_of(now);
	__u16 check;
	if (from != to && skb_store_bytes(skb, l4, &to, sizeof to, 0)) return DROPPED_KERNEL;
	if (!at || rest < at + sizeof check || skb_load_bytes(skb, l4 + at, &check, sizeof check)) return 0;
	int is_udp = h->protocol == IPPROTO_UDP;
	if (is_udp && !check) return 0;
	check = changed_by(check, address_difference(was, now), from, to);
	if (is_udp && !check) check = 0xffff;
	return skb_store_bytes(skb, l4 + at, &check, sizeof check, 0) ? DROPPED_KERNEL : 0;
}

INLINE int write_message(struct __sk_buff *skb, struct work *w, __u32 l4, __u32 length, __u32 family)
{
	__u32 pseudo = family == IPV6 ? pseudo_sum(w, &w->now, length, IPPROTO_ICMPV6, 0) : 0;
	__s64 sum = add_bytes(skb, w, l4, length, pseudo, MOST_ERROR_CHUNKS);
	if (sum < 0) return DROPPED_MALFORMED;
	__u16 check = folded(sum);
	return skb_store_bytes(skb, l4 + 2, &check, sizeof check, 0) ? DROPPED_KERNEL : 0;
}

/** Cuts the frame behind what is kept of the packet inside. */
INLINE int cut(struct __sk_buff *skb, const struct work *w, __u32 rest)
{
	__u32 length = w->inner.l4 + rest;
	return length < skb->len && skb_change_tail(skb, length, 0) ? DROPPED_KERNEL : 0;
}

INLINE int write_error_to_ipv6(struct __sk_buff *skb, struct work *w, __u8 hops)
{
	struct ipv6_heads *heads = &w->ipv6;
	__u32 fragment = w->inner.is_fragment ? FRAGMENT_HEADER : 0;
	__u32 headers = ICMP_HEADER + IPV6_HEADER + fragment, rest = rest_of(w, IPV4);
	if (rest < 8 || w->inner.length + fragment > 65535) return DROPPED_MALFORMED;
	if (rest > LONGEST_ICMPV6 - headers) rest = LONGEST_ICMPV6 - headers;
	put_ipv6(&heads->ip, &w->outer, &w->now, headers + rest, hops);
	put_ipv6(&heads->inner, &w->inner, &w->third.ends, w->inner.length + fragment, w->inner.ttl);
	if (fragment) put_fragment(&heads->inner_fragment, &w->inner);
	int why = cut(skb, w, rest);
	if (!why) why = replace_headers(skb, IPV6, w->inner.l4, heads, IPV6_HEADER + headers);
	if (!why) why = write_inner(skb, w, ETHERNET + IPV6_HEADER + headers, rest, IPV6);
	return why ? why : write_message(skb, w, ETHERNET + IPV6_HEADER, headers + rest, IPV6);
}

INLINE int write_error_to_ipv4(struct __sk_buff *skb, struct work *w, __u8 hops)
{
	struct ipv4_heads *heads = &w->ipv4;
	__u32 headers = ICMP_HEADER + IPV4_HEADER, rest = rest_of(w, IPV6);
	if (rest < 8 || w->inner.length + IPV4_HEADER > 65535) return DROPPED_MALFORMED;
	put_ipv4(&heads->ip, &w->outer, &w->now, IPV4_HEADER + headers + rest, hops, random_u32());
	put_ipv4(&heads->inner, &w->inner, &w->third.ends, IPV4_HEADER + w->inner.length, w->inner.ttl, 0);
	int why = cut(skb, w, rest);
	if (!why) why = replace_headers(skb, IPV4, w->inner.l4, heads, IPV4_HEADER + headers);
	if (!why) why = write_inner(skb, w, ETHERNET + IPV4_HEADER + headers, rest, IPV4);
	return why ? why : write_message(skb, w, ETHERNET + IPV4_HEADER, headers + rest, IPV4);
}

INLINE int translate_error(struct __sk_buff *skb, struct work *w, const struct rules *rules, struct translate_counts *counts, __u8 hops)
{
	struct header *outer = &w->outer, *inner = &w->inner;
	__u32 family = w->was.family, at = outer->l4 + ICMP_HEADER;
	int why = family == IPV4 ? read_ipv4_header(skb, w, inner, at) : read_ipv6_header(skb, inner, at);
	if (!why) why = read_l4(skb, inner, family, 1);
	if (!why && family == IPV4) why = error_to_ipv6(&outer->icmp, inner->total, &w->ipv6.icmp);
	if (!why && family == IPV6) why = error_to_ipv4(&outer->icmp, inner->is_fragment ? 28 : 20, &w->ipv4.icmp);
	if (!why) why = decide_error(w, rules, counts);
	if (why) return why;
	if (is_damaged(skb, w, family)) return DROPPED_MALFORMED;
	return family == IPV4 ? write_error_to_ipv6(skb, w, hops) : write_error_to_ipv4(skb, w, hops);
}

#endif
