/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* The tables of RFC 7915, 4.2 and 5.2: types, codes, MTUs and pointers of ICMP errors. Each returns 0, or why it is dropped. */
#ifndef TRANSLATE_ICMP_H
#define TRANSLATE_ICMP_H

#include "work.h"

#define IPV6_LEAST_MTU 1280
#define IPV4_LEAST_MTU 68
#define NEXT_HEADER_POINTER 6
#define NO_POINTER 0xff

/** For routers that name no MTU: the next lower one of RFC 1191's plateaus. */
INLINE __u32 plateau_below(__u32 length)
{
	if (length > 32000) return 32000;
	if (length > 17914) return 17914;
	if (length > 8166) return 8166;
	if (length > 4352) return 4352;
	if (length > 2002) return 2002;
	if (length > 1492) return 1492;
	return IPV4_LEAST_MTU;
}

INLINE __u32 pointer_to_ipv6(__u32 at)
{
	if (at <= 1) return at;
	if (at == 2 || at == 3) return 4;
	if (at == 8) return 7;
	if (at == 9) return NEXT_HEADER_POINTER;
	if (at >= 12 && at <= 15) return 8;
	if (at >= 16 && at <= 19) return 24;
	return NO_POINTER;
}

INLINE __u32 pointer_to_ipv4(__u32 at)
{
	if (at <= 1) return at;
	if (at == 4 || at == 5) return 2;
	if (at == 6) return 9;
	if (at == 7) return 8;
	if (at >= 8 && at <= 23) return 12;
	if (at >= 24 && at <= 39) return 16;
	return NO_POINTER;
}

INLINE void set_icmp(struct icmp *to, __u8 type, __u8 code, __u32 rest)
{
	to->type = type;
	to->code = code;
	to->check = 0;
	to->first = be16(rest >> 16);
	to->second = be16(rest);
}

INLINE int unreachable_to_ipv6(const struct icmp *from, __u32 inner_total, struct icmp *to)
{
	__u8 code = from->code;
	__u32 mtu = be16(from->second);
	if (code == 2) set_icmp(to, 4, 1, NEXT_HEADER_POINTER);
	else if (code == 3) set_icmp(to, 1, 4, 0);
	else if (code == 4) {
		mtu = (mtu ? mtu : plateau_below(inner_total)) + IPV6_HEADER - IPV4_HEADER;
		set_icmp(to, 2, 0, mtu < IPV6_LEAST_MTU ? IPV6_LEAST_MTU : mtu);
	} else if (code == 9 || code == 10 || code == 13 || code == 15) set_icmp(to, 1, 1, 0);
	else if (code <= 12) set_icmp(to, 1, 0, 0);
	else return DROPPED_ICMP;
	return 0;
}

INLINE int error_to_ipv6(const struct icmp *from, __u32 inner_total, struct icmp *to)
{
	if (from->type == 3) return unreachable_to_ipv6(from, inner_total, to);
	if (from->type == 11) {
		set_icmp(to, 3, from->code, 0);
		return 0;
	}
	if (from->type != 12 || (from->code != 0 && from->code != 2)) return DROPPED_ICMP;
	__u32 pointer = pointer_to_ipv6(from->first & 0xff);
	if (pointer == NO_POINTER) return DROPPED_ICMP;
	set_icmp(to, 4, 0, pointer);
	return 0;
}

INLINE int unreachable_to_ipv4(const struct icmp *from, struct icmp *to)
{
	__u8 code = from->code, becomes = 0;
	if (code == 0 || code == 2 || code == 3) becomes = 1;
	else if (code == 1) becomes = 10;
	else if (code == 4) becomes = 3;
	if (!becomes) return DROPPED_ICMP;
	set_icmp(to, 3, becomes, 0);
	return 0;
}

/** `extra`: the bytes by which the packet inside was longer in IPv6: 20, or 28 with a fragment header. */
INLINE int error_to_ipv4(const struct icmp *from, __u32 extra, struct icmp *to)
{
	__u32 rest = (__u32)be16(from->first) << 16 | be16(from->second);
	if (from->type == 1) return unreachable_to_ipv4(from, to);
	if (from->type == 2) {
		__u32 mtu = rest > 65535 ? 65535 : rest;
		set_icmp(to, 3, 4, mtu < IPV4_LEAST_MTU + extra ? IPV4_LEAST_MTU : mtu - extra);
		return 0;
	}
	if (from->type == 3) {
		set_icmp(to, 11, from->code, 0);
		return 0;
	}
	if (from->type != 4 || from->code > 1) return DROPPED_ICMP;
	if (from->code == 1) {
		set_icmp(to, 3, 2, 0);
		return 0;
	}
	__u32 pointer = pointer_to_ipv4(rest);
	if (pointer == NO_POINTER) return DROPPED_ICMP;
	set_icmp(to, 12, 0, pointer << 24);
	return 0;
}

#endif
