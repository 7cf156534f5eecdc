/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* A service with several backends: a table of buckets chooses, and the flows remember the choice. */
#ifndef NODEPORT_BALANCE_H
#define NODEPORT_BALANCE_H

#include "nat.h"

MAP(balances, ARRAY, __u32, struct balance, 1, 0);
/** The place of each bucket's backend. */
MAP(buckets, ARRAY, __u32, __u32, MOST_BUCKETS, 0);
/** New flows by the place of their backend. */
MAP(balanced, PERCPU_ARRAY, __u32, __u64, BACKEND_PLACES, 0);

/** The client's address and port in 32 bits, mixed by the last step of MurmurHash3. */
INLINE __u32 hash_of_client(const struct endpoints *ends)
{
	const __u32 *word = ends->from.word;
	__u32 bits = word[0] ^ word[1] ^ word[2] ^ word[3] ^ ends->from_port * 0x9e3779b1u;
	bits = (bits ^ bits >> 16) * 0x85ebca6bu;
	bits = (bits ^ bits >> 13) * 0xc2b2ae35u;
	return bits ^ bits >> 16;
}

/** The packet of a direct flow keeps its endpoints, and its replies do not come by. */
INLINE int begin_direct(const struct packet *p, __u32 place, struct flow *flow, struct counts *counts)
{
	flow->ends = p->key.ends;
	flow->direct_to = place;
	if (map_update(&flows, &p->key, flow, BPF_ANY)) return PASSED_NO_PORT;
	counts->of[NEW_FLOWS]++;
	return FORWARDED;
}

INLINE int begin_balanced(const struct packet *p, const struct balance *b, struct flow *flow, struct counts *counts)
{
	__u32 bucket = (b->is_random ? random_u32() : hash_of_client(&p->key.ends)) % b->bucket_count;
	__u32 *found = map_lookup(&buckets, &bucket);
	if (!found) return PASSED_OTHER;
	__u32 place = *found & (BACKEND_PLACES - 1);
	struct backend to = {.address = b->backends[place], .port = p->key.ends.to_port};
	int outcome = b->is_direct ? begin_direct(p, place, flow, counts)
				   : begin_flow(p, &p->key.ends.from, &to, flow, counts);
	__u64 *count = map_lookup(&balanced, &place);
	if (count && outcome == FORWARDED) ++*count;
	return outcome;
}

/** Returns FORWARDED or REPLIES and fills in the flow and where the packet goes next, or why it is passed on. */
INLINE int balance(const struct packet *p, struct flow *flow, struct address *to, struct counts *counts)
{
	__u32 zero = 0;
	const struct balance *b = map_lookup(&balances, &zero);
	if (!b || !b->bucket_count) return PASSED_OTHER;
	struct flow *known = map_lookup(&flows, &p->key);
	int is_service = p->key.family == b->family && same_address(&p->key.ends.to, &b->service);
	if (!known && (!is_service || p->key.protocol != IPPROTO_TCP)) return PASSED_OTHER;
	if (p->ttl <= 1) return PASSED_EXPIRED;
	int outcome = FORWARDED;
	if (known) *flow = *known;
	else outcome = begin_balanced(p, b, flow, counts);
	if (outcome != FORWARDED) return outcome;
	*to = flow->direct_to ? b->backends[flow->direct_to & (BACKEND_PLACES - 1)] : flow->ends.to;
	return flow->is_reply ? REPLIES : FORWARDED;
}

#endif
