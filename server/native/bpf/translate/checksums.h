/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* Checksums: changed where only addresses differ, computed where there was none. Sums are of one's complement. */
#ifndef TRANSLATE_CHECKSUMS_H
#define TRANSLATE_CHECKSUMS_H

#include "work.h"

/** What the length of a packet can say; and no ICMP error should be longer than 4 kB. */
#define MOST_BLOCKS (65536 / BLOCK)
#define MOST_ERROR_CHUNKS 16
#define UDP_LITE 136
#define DCCP 33

/** Where a protocol keeps the checksum that covers the addresses; 0 if it has none. */
INLINE __u32 checksum_at(__u8 protocol)
{
	if (protocol == IPPROTO_TCP) return __builtin_offsetof(struct tcphdr, check);
	if (protocol == IPPROTO_UDP || protocol == UDP_LITE || protocol == DCCP) return __builtin_offsetof(struct udphdr, check);
	return 0;
}

INLINE __u16 folded(__u32 sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	return ~((sum & 0xffff) + (sum >> 16));
}

/** Adds bytes of the packet. Returns the sum, or a negative number. */
INLINE __s64 add_bytes(struct __sk_buff *skb, struct work *w, __u32 at, __u32 length, __u32 sum, int most)
{
	for (int i = 0; i < most; i++) {
		if (length == 0) return sum;
		__u32 size = length < CHUNK ? length : CHUNK;
		if (size < CHUNK) __builtin_memset(w->chunk, 0, CHUNK);
		// The compiler knows these bounds; this keeps them where the verifier sees them.
		asm volatile("" : "+r"(size));
		if (size == 0 || size > CHUNK || skb_load_bytes(skb, at, w->chunk, size)) return -1;
		sum = csum_diff(0, 0, w->chunk, CHUNK, sum);
		at += size;
		length -= size;
	}
	return -1;
}

/** The same for as many bytes as a packet can have. Without the blocks this would be too much work for the verifier. */
INLINE __s64 add_many_bytes(struct __sk_buff *skb, struct work *w, __u32 at, __u32 length, __u32 sum)
{
	for (int i = 0; i < MOST_BLOCKS && length >= BLOCK; i++) {
		if (skb_load_bytes(skb, at, w->block, BLOCK)) return -1;
#pragma unroll
		for (int done = 0; done < BLOCK; done += 2 * CHUNK) sum = csum_diff(0, 0, w->block + done, 2 * CHUNK, sum);
		at += BLOCK;
		length -= BLOCK;
	}
	return add_bytes(skb, w, at, length, sum, BLOCK / CHUNK + 1);
}

/** What the addresses, the length and the protocol of IPv6 add to a checksum. */
INLINE __u32 pseudo_sum(struct work *w, const struct endpoints *ends, __u32 length, __u8 next, __u32 sum)
{
	w->pseudo[0] = be32(length);
	w->pseudo[1] = be32(next);
	sum = csum_diff(0, 0, w->pseudo, 8, sum);
	return csum_diff(0, 0, ends, 2 * sizeof(struct address), sum);
}

/** The difference between the addresses of both families. */
INLINE __s64 address_difference(const struct endpoints *from, const struct endpoints *to)
{
	return csum_diff(from, 2 * sizeof(struct address), to, 2 * sizeof(struct address), 0);
}

INLINE __u32 ports_of(const struct endpoints *ends)
{
	return ends->from_port | (__u32)ends->to_port << 16;
}

/** A checksum after what it covers changed by this difference of sums, and from one word to another. */
INLINE __u16 changed_by(__u16 check, __u32 difference, __u32 from, __u32 to)
{
	__u64 seed = (__u64)(__u16)~check + difference;
	return folded(csum_diff(&from, sizeof from, &to, sizeof to, (__u32)seed + (__u32)(seed >> 32)));
}

#endif
