/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* The translator's maps, and the memory in which it works: the stack of a BPF program has 512 bytes. */
#ifndef TRANSLATE_WORK_H
#define TRANSLATE_WORK_H

#include "../maps.h"
#include "../packet.h"
#include "shared.h"

#define FRAGMENT_HEADER 8
#define ICMP_HEADER 8
/** Bytes that are loaded at once, and of these that are summed at once: some kernels sum 512, no more. */
#define BLOCK 4096
#define CHUNK 256

struct fragment {
	__u8 next, zero;
	/** The offset in units of 8 bytes, shifted left by 3, and whether more follow. Network byte order, as is the id. */
	__u16 offset;
	__u32 id;
};

struct icmp {
	__u8 type, code;
	__u16 check;
	/** What follows: an identifier, an MTU, a pointer. */
	__u16 first, second;
};

/** What an IP header says, in either family. */
struct header {
	/** The offset of what follows it in the frame, and the bytes that its length leaves for that. */
	__u32 l4, length;
	__u32 total;
	/** Network byte order. */
	__u32 id;
	/** Of a fragment, in units of 8 bytes. */
	__u16 offset;
	__u8 more, is_fragment;
	/** ICMPv6 has ICMP's number here. */
	__u8 protocol, traffic_class, ttl, tcp_flags;
	struct icmp icmp;
	struct endpoints ends;
};

/** The new headers. `inner` is the packet inside an ICMP error. */
struct ipv6_heads {
	struct ipv6hdr ip;
	union {
		struct fragment fragment;
		struct {
			struct icmp icmp;
			struct ipv6hdr inner;
			struct fragment inner_fragment;
		};
	};
};

struct ipv4_heads {
	struct iphdr ip;
	struct icmp icmp;
	struct iphdr inner;
};

struct work {
	struct header outer, inner;
	/** Of the packet, or of the packet inside an error with its ends exchanged: that one went the other way. */
	struct flow_key was, other, third;
	struct endpoints now;
	struct session session;
	struct place place;
	struct fragment_key fragment_key;
	struct fragment_way fragment_way;
	union {
		struct ipv6_heads ipv6;
		struct ipv4_heads ipv4;
	};
	__u32 pseudo[12];
	union {
		__u8 chunk[CHUNK], block[BLOCK];
	};
};

MAP(translations, ARRAY, __u32, struct rules, 1, 0);
MAP(pairs, HASH, struct place, struct counterpart, 131072, 0);
MAP(sessions, LRU_HASH, struct flow_key, struct session, 262144, 0);
MAP(fragments, LRU_HASH, struct fragment_key, struct fragment_way, 8192, 0);
MAP(works, PERCPU_ARRAY, __u32, struct work, 1, 0);
MAP(translated, PERCPU_ARRAY, __u32, struct translate_counts, 1, 0);

static long (*const skb_load_bytes)(const struct __sk_buff *skb, __u32 offset, void *to, __u32 length) =
	(void *)BPF_FUNC_skb_load_bytes;
static long (*const skb_store_bytes)(struct __sk_buff *skb, __u32 offset, const void *from, __u32 length, __u64 flags) =
	(void *)BPF_FUNC_skb_store_bytes;
static long (*const skb_change_proto)(struct __sk_buff *skb, __u16 proto, __u64 flags) =
	(void *)BPF_FUNC_skb_change_proto;
static long (*const skb_adjust_room)(struct __sk_buff *skb, __s32 difference, __u32 mode, __u64 flags) =
	(void *)BPF_FUNC_skb_adjust_room;
static long (*const skb_change_tail)(struct __sk_buff *skb, __u32 length, __u64 flags) = (void *)BPF_FUNC_skb_change_tail;

INLINE int is_error(const struct header *h, __u32 family)
{
	if (h->protocol != IPPROTO_ICMP) return 0;
	if (family == IPV6) return h->icmp.type >= 1 && h->icmp.type <= 4;
	return h->icmp.type == 3 || h->icmp.type == 11 || h->icmp.type == 12;
}

INLINE void exchange(struct endpoints *to, const struct endpoints *from)
{
	to->from = from->to;
	to->to = from->from;
	to->from_port = from->to_port;
	to->to_port = from->from_port;
}

#endif
