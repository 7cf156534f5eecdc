/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* Writes the headers of the other family, and what they change behind them. Each returns 0, or why the packet is dropped. */
#ifndef TRANSLATE_WRITE_H
#define TRANSLATE_WRITE_H

#include "checksums.h"

/** Above this size packets keep "don't fragment" (RFC 7915, 5.1): IPv6's least MTU without what its header has more. */
#define MAY_BE_FRAGMENTED 1260

INLINE void put_ipv6(struct ipv6hdr *ip, const struct header *h, const struct endpoints *ends, __u32 length, __u8 hops)
{
	__u8 next = h->protocol == IPPROTO_ICMP ? IPPROTO_ICMPV6 : h->protocol;
	*(__u32 *)ip = be32((__u32)6 << 28 | (__u32)h->traffic_class << 20);
	ip->payload_len = be16(length);
	ip->nexthdr = h->is_fragment ? IPPROTO_FRAGMENT : next;
	ip->hop_limit = hops;
	__builtin_memcpy(&ip->saddr, &ends->from, 16);
	__builtin_memcpy(&ip->daddr, &ends->to, 16);
}

INLINE void put_fragment(struct fragment *to, const struct header *h)
{
	to->next = h->protocol == IPPROTO_ICMP ? IPPROTO_ICMPV6 : h->protocol;
	to->zero = 0;
	to->offset = be16(h->offset << 3 | h->more);
	to->id = h->id;
}

INLINE void put_ipv4(struct iphdr *ip, const struct header *h, const struct endpoints *ends, __u32 total, __u8 hops, __u16 id)
{
	*(__u8 *)ip = 0x45;
	ip->tos = h->traffic_class;
	ip->tot_len = be16(total);
	if (h->is_fragment) {
		ip->id = be16(be32(h->id));
		ip->frag_off = be16(h->offset | (h->more ? 0x2000 : 0));
	} else {
		ip->id = id;
		ip->frag_off = total > MAY_BE_FRAGMENTED ? be16(0x4000) : 0;
	}
	ip->ttl = hops;
	ip->protocol = h->protocol;
	ip->saddr = ends->from.word[0];
	ip->daddr = ends->to.word[0];
	ip->check = 0;
	ip->check = folded(csum_diff(0, 0, ip, sizeof *ip, 0));
}

/** Puts the new headers, `size` bytes, in place of all up to `kept`. */
INLINE int replace_headers(struct __sk_buff *skb, __u32 family, __u32 kept, const void *heads, __u32 size)
{
	__u16 type = be16(family == IPV6 ? ETH_P_IPV6 : ETH_P_IP);
	__s32 grown = family == IPV6 ? IPV6_HEADER - IPV4_HEADER : IPV4_HEADER - IPV6_HEADER;
	if (skb_change_proto(skb, type, 0)) return DROPPED_KERNEL;
	__s32 room = (__s32)(ETHERNET + size) - (__s32)kept - grown;
	if (room && skb_adjust_room(skb, room, BPF_ADJ_ROOM_NET, BPF_F_ADJ_ROOM_FIXED_GSO)) return DROPPED_KERNEL;
	if (skb_store_bytes(skb, __builtin_offsetof(struct ethhdr, h_proto), &type, sizeof type, 0)) return DROPPED_KERNEL;
	return skb_store_bytes(skb, ETHERNET, heads, size, 0) ? DROPPED_KERNEL : 0;
}

/** IPv4 allows UDP without a checksum and IPv6 does not (RFC 7915, 4.5): it is computed. */
INLINE int add_udp_checksum(struct __sk_buff *skb, struct work *w, __u32 l4)
{
	if (w->outer.is_fragment) return DROPPED_FRAGMENT;
	__s64 sum = add_many_bytes(skb, w, l4, w->outer.length, pseudo_sum(w, &w->now, w->outer.length, IPPROTO_UDP, 0));
	if (sum < 0) return DROPPED_MALFORMED;
	__u16 check = folded(sum);
	if (!check) check = 0xffff;
	return skb_store_bytes(skb, l4 + 6, &check, sizeof check, 0) ? DROPPED_KERNEL : 0;
}

/** The ports and the checksum of what covers the addresses. The kernel knows whether the hardware finishes the checksum. */
INLINE int write_ports(struct __sk_buff *skb, struct work *w, __u32 l4, __u32 family)
{
	__u8 protocol = w->outer.protocol;
	__u32 at = l4 + checksum_at(protocol), from = ports_of(&w->was.ends), to = ports_of(&w->now);
	__u16 check = 1;
	if (at == l4) return 0;
	if (protocol == IPPROTO_UDP && skb_load_bytes(skb, at, &check, sizeof check)) return DROPPED_MALFORMED;
	if (!check && family == IPV4) return DROPPED_MALFORMED;
	__u64 flags = protocol == IPPROTO_UDP ? BPF_F_MARK_MANGLED_0 : 0;
	__s64 difference = address_difference(&w->was.ends, &w->now);
	if (check && l4_csum_replace(skb, at, 0, difference, flags | BPF_F_PSEUDO_HDR)) return DROPPED_MALFORMED;
	if (from != to) {
		if (check && l4_csum_replace(skb, at, from, to, flags | sizeof from)) return DROPPED_KERNEL;
		if (skb_store_bytes(skb, l4, &to, sizeof to, 0)) return DROPPED_KERNEL;
	}
	return check ? 0 : add_udp_checksum(skb, w, l4);
}

/** An ICMP echo in the other family. */
INLINE struct icmp echo_of(struct work *w, const struct header *h, const struct endpoints *from, const struct endpoints *to, __u32 family)
{
	struct icmp echo = h->icmp;
	int asks = h->icmp.type == 8 || h->icmp.type == 128;
	__u32 difference;
	echo.first = asks ? to->from_port : to->to_port;
	if (family == IPV6) {
		echo.type = asks ? 128 : 129;
		difference = pseudo_sum(w, to, h->length, IPPROTO_ICMPV6, 0);
	} else {
		echo.type = asks ? 8 : 0;
		difference = ~pseudo_sum(w, from, h->length, IPPROTO_ICMPV6, 0);
	}
	__u32 was = h->icmp.type | (__u32)h->icmp.first << 16, now = echo.type | (__u32)echo.first << 16;
	echo.check = changed_by(h->icmp.check, difference, was, now);
	return echo;
}

INLINE int write_l4(struct __sk_buff *skb, struct work *w, __u32 l4, __u32 family)
{
	if (w->outer.offset) return 0;
	if (w->outer.protocol != IPPROTO_ICMP) return write_ports(skb, w, l4, family);
	struct icmp echo = echo_of(w, &w->outer, &w->was.ends, &w->now, family);
	return skb_store_bytes(skb, l4, &echo, sizeof echo, 0) ? DROPPED_KERNEL : 0;
}

INLINE int write_to_ipv6(struct __sk_buff *skb, struct work *w, __u8 hops)
{
	const struct header *h = &w->outer;
	__u32 fragment = h->is_fragment ? FRAGMENT_HEADER : 0;
	if (h->length + fragment > 65535) return DROPPED_MALFORMED;
	put_ipv6(&w->ipv6.ip, h, &w->now, h->length + fragment, hops);
	if (fragment) put_fragment(&w->ipv6.fragment, h);
	int why = replace_headers(skb, IPV6, h->l4, &w->ipv6, IPV6_HEADER + fragment);
	return why ? why : write_l4(skb, w, ETHERNET + IPV6_HEADER + fragment, IPV6);
}

INLINE int write_to_ipv4(struct __sk_buff *skb, struct work *w, __u8 hops)
{
	const struct header *h = &w->outer;
	if (h->length + IPV4_HEADER > 65535) return DROPPED_MALFORMED;
	put_ipv4(&w->ipv4.ip, h, &w->now, h->length + IPV4_HEADER, hops, random_u32());
	int why = replace_headers(skb, IPV4, h->l4, &w->ipv4, IPV4_HEADER);
	return why ? why : write_l4(skb, w, ETHERNET + IPV4_HEADER, IPV4);
}

#endif
