/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* Reads the headers of a packet, and of the packet inside an ICMP error. Each function returns 0, or why it is dropped. */
#ifndef TRANSLATE_READ_H
#define TRANSLATE_READ_H

#include "work.h"

#define IPV4_LOOSE_ROUTE 131
#define IPV4_STRICT_ROUTE 137
#define MOST_OPTIONS 40
#define MOST_EXTENSIONS 6

/** All options are left out, but a source route that is not at its end can't be (RFC 7915, 4.1). */
INLINE int read_options(struct __sk_buff *skb, struct work *w, __u32 at, __u32 length)
{
	if (length == 0) return 0;
	if (length > MOST_OPTIONS) return DROPPED_MALFORMED;
	__builtin_memset(w->chunk, 0, MOST_OPTIONS + 4);
	if (skb_load_bytes(skb, at, w->chunk, length)) return DROPPED_MALFORMED;
	__u32 next = 0;
	for (__u32 i = 0; i < MOST_OPTIONS; i++) {
		// One byte a turn: the verifier sees where it ends.
		if (i != next) continue;
		__u8 type = w->chunk[i], size = w->chunk[i + 1], pointer = w->chunk[i + 2];
		if (type == 0 || i >= length) break;
		if (type != 1 && size < 2) return DROPPED_MALFORMED;
		if ((type == IPV4_LOOSE_ROUTE || type == IPV4_STRICT_ROUTE) && pointer <= size) return DROPPED_ROUTING;
		next = i + (type == 1 ? 1 : size);
	}
	return 0;
}

INLINE int read_ipv4_header(struct __sk_buff *skb, struct work *w, struct header *h, __u32 at)
{
	struct iphdr ip;
	if (skb_load_bytes(skb, at, &ip, sizeof ip)) return DROPPED_MALFORMED;
	__u32 header = ip.ihl * 4;
	h->total = be16(ip.tot_len);
	if (ip.version != 4 || header < IPV4_HEADER || h->total < header) return DROPPED_MALFORMED;
	h->l4 = at + header;
	h->length = h->total - header;
	h->id = be32(be16(ip.id));
	h->offset = be16(ip.frag_off) & 0x1fff;
	h->more = (be16(ip.frag_off) & 0x2000) != 0;
	h->is_fragment = h->more || h->offset;
	h->protocol = ip.protocol;
	h->traffic_class = ip.tos;
	h->ttl = ip.ttl;
	__builtin_memset(&h->ends, 0, sizeof h->ends);
	h->ends.from.word[0] = ip.saddr;
	h->ends.to.word[0] = ip.daddr;
	// Another family's ICMP is no protocol of this one.
	if (ip.protocol == IPPROTO_ICMPV6) return DROPPED_ICMP;
	return read_options(skb, w, at + IPV4_HEADER, header - IPV4_HEADER);
}

/** Goes past the headers that IPv4 has not, and keeps the fragment's. */
INLINE int read_extensions(struct __sk_buff *skb, struct header *h)
{
	for (int i = 0; i < MOST_EXTENSIONS; i++) {
		union {
			struct fragment fragment;
			__u8 byte[8];
		} e;
		__u8 type = h->protocol;
		if (type != IPPROTO_HOPOPTS && type != IPPROTO_ROUTING && type != IPPROTO_DSTOPTS && type != IPPROTO_FRAGMENT) return 0;
		if (skb_load_bytes(skb, h->l4, &e, sizeof e)) return DROPPED_MALFORMED;
		__u32 size = type == IPPROTO_FRAGMENT ? FRAGMENT_HEADER : (e.byte[1] + 1) * 8;
		if (h->length < size) return DROPPED_MALFORMED;
		// Segments left: it is not where it goes (RFC 7915, 5.1).
		if (type == IPPROTO_ROUTING && e.byte[3]) return DROPPED_ROUTING;
		h->protocol = e.byte[0];
		h->l4 += size;
		h->length -= size;
		if (type == IPPROTO_FRAGMENT) {
			h->is_fragment = 1;
			h->id = e.fragment.id;
			h->offset = be16(e.fragment.offset) >> 3;
			h->more = be16(e.fragment.offset) & 1;
			if (h->offset) return 0;
		}
	}
	return DROPPED_MALFORMED;
}

INLINE int read_ipv6_header(struct __sk_buff *skb, struct header *h, __u32 at)
{
	struct ipv6hdr ip;
	if (skb_load_bytes(skb, at, &ip, sizeof ip) || ip.version != 6) return DROPPED_MALFORMED;
	h->length = be16(ip.payload_len);
	h->total = h->length + IPV6_HEADER;
	h->l4 = at + IPV6_HEADER;
	h->id = 0;
	h->offset = h->more = h->is_fragment = 0;
	h->protocol = ip.nexthdr;
	h->traffic_class = ip.priority << 4 | ip.flow_lbl[0] >> 4;
	h->ttl = ip.hop_limit;
	__builtin_memcpy(&h->ends.from, &ip.saddr, 16);
	__builtin_memcpy(&h->ends.to, &ip.daddr, 16);
	h->ends.from_port = h->ends.to_port = 0;
	if ((h->ends.to.word[0] & 0xff) == 0xff) return DROPPED_OTHER;
	int why = read_extensions(skb, h);
	if (why) return why;
	if (h->protocol == IPPROTO_ICMP) return DROPPED_ICMP;
	if (h->protocol == IPPROTO_ICMPV6) h->protocol = IPPROTO_ICMP;
	return 0;
}

INLINE int read_l4(struct __sk_buff *skb, struct header *h, __u32 family, __u32 is_inner)
{
	h->tcp_flags = 0;
	h->icmp.type = 0;
	if (h->protocol == IPPROTO_ICMP) {
		// Its checksum covers a length that no fragment knows (RFC 7915, 1.2).
		if (h->is_fragment && (h->more || h->offset)) return DROPPED_FRAGMENT;
		if (h->length < ICMP_HEADER || skb_load_bytes(skb, h->l4, &h->icmp, sizeof h->icmp)) return DROPPED_MALFORMED;
		__u8 asks = family == IPV4 ? 8 : 128, answers = family == IPV4 ? 0 : 129;
		if (h->icmp.type == asks) h->ends.from_port = h->icmp.first;
		else if (h->icmp.type == answers) h->ends.to_port = h->icmp.first;
		else if (is_inner || !is_error(h, family)) return DROPPED_ICMP;
		return 0;
	}
	if (h->offset || (h->protocol != IPPROTO_TCP && h->protocol != IPPROTO_UDP)) return 0;
	__u16 ports[2];
	if (skb_load_bytes(skb, h->l4, ports, sizeof ports)) return DROPPED_MALFORMED;
	h->ends.from_port = ports[0];
	h->ends.to_port = ports[1];
	if (is_inner) return 0;
	if (h->protocol == IPPROTO_UDP) return h->length < UDP_HEADER ? DROPPED_MALFORMED : 0;
	if (h->length < TCP_HEADER || skb_load_bytes(skb, h->l4 + 13, &h->tcp_flags, 1)) return DROPPED_MALFORMED;
	return 0;
}

#endif
