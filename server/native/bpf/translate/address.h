/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* Addresses: RFC 6052's prefixes, and pairs that stand for each other (RFC 7757). */
#ifndef TRANSLATE_ADDRESS_H
#define TRANSLATE_ADDRESS_H

#include "work.h"

INLINE __u64 high_of(const struct address *a)
{
	return (__u64)be32(a->word[0]) << 32 | be32(a->word[1]);
}

INLINE __u64 low_of(const struct address *a)
{
	return (__u64)be32(a->word[2]) << 32 | be32(a->word[3]);
}

/** The IPv4 address inside the prefix: it begins behind the prefix and leaves out bits 64 to 71. */
INLINE void embed(const struct prefix *p, __u32 ipv4, struct address *to)
{
	__u64 high = p->high, low = p->low, host = be32(ipv4);
	if (p->length == 96) {
		low |= host;
	} else if (p->length == 32) {
		high |= host;
	} else {
		__u32 behind = (p->length - 32) & 63;
		high |= host >> behind;
		low |= host << (64 - behind) >> 8;
	}
	to->word[0] = be32(high >> 32);
	to->word[1] = be32(high);
	to->word[2] = be32(low >> 32);
	to->word[3] = be32(low);
}

/** Returns 0 and the IPv4 address if this one is inside the prefix. What follows it is ignored (RFC 6052, 2.2). */
INLINE int extract(const struct prefix *p, const struct address *from, __u32 *ipv4)
{
	__u64 high = high_of(from), low = low_of(from);
	if ((high & p->high_mask) != p->high || (low & p->low_mask) != p->low) return -1;
	if (p->length == 96) {
		*ipv4 = be32(low);
	} else if (p->length == 32) {
		*ipv4 = be32(high);
	} else {
		__u32 behind = (p->length - 32) & 63;
		*ipv4 = be32(high << behind | low << 8 >> (64 - behind));
	}
	return 0;
}

/** Addresses that no router passes on: 0/8, 127/8, 224/4 and 240/4. */
INLINE int is_odd(__u32 ipv4)
{
	__u32 first = ipv4 & 0xff;
	return first == 0 || first == 127 || first >= 224;
}

INLINE struct counterpart *counterpart_of(struct work *w, const struct address *address, __u16 port, __u8 protocol, __u8 family)
{
	w->place.address = *address;
	w->place.port = port;
	w->place.protocol = protocol;
	w->place.family = family;
	return map_lookup(&pairs, &w->place);
}

/** An IPv4 address's counterpart: its own, or the one inside the prefix. Returns 0, or why not. */
INLINE int address_to_ipv6(struct work *w, const struct rules *rules, const struct address *from, struct address *to)
{
	if (is_odd(from->word[0])) return DROPPED_ADDRESS;
	struct counterpart *own = counterpart_of(w, from, 0, 0, IPV4);
	if (!own) {
		embed(&rules->prefix, from->word[0], to);
		return 0;
	}
	if (own->nothing) return DROPPED_ADDRESS;
	*to = own->address;
	return 0;
}

INLINE int address_to_ipv4(struct work *w, const struct rules *rules, const struct address *from, struct address *to)
{
	__u32 ipv4;
	struct counterpart *own = counterpart_of(w, from, 0, 0, IPV6);
	if (own) {
		*to = own->address;
		return 0;
	}
	if (extract(&rules->prefix, from, &ipv4) || is_odd(ipv4)) return DROPPED_ADDRESS;
	to->word[0] = ipv4;
	to->word[1] = to->word[2] = to->word[3] = 0;
	return 0;
}

#endif
