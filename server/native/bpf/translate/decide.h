/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* Decides who sends and who receives in the other family: from `was` to `now`. Each returns 0, or why the packet is dropped. */
#ifndef TRANSLATE_DECIDE_H
#define TRANSLATE_DECIDE_H

#include "address.h"
#include "sessions.h"

/** The service at these ends, if there are any and the packet has ports. */
INLINE struct counterpart *service_at(struct work *w, const struct rules *rules, const struct address *address, __u16 port)
{
	__u8 protocol = w->was.protocol;
	if (!rules->has_services || (protocol != IPPROTO_TCP && protocol != IPPROTO_UDP) || !port) return 0;
	return counterpart_of(w, address, port, protocol, w->was.family);
}

INLINE int is_set(const struct address *a)
{
	return (a->word[0] | a->word[1] | a->word[2] | a->word[3]) != 0;
}

INLINE int decide_to_ipv6(struct work *w, const struct rules *rules, struct translate_counts *counts, int of_error)
{
	const struct endpoints *was = &w->was.ends;
	if (rules->has_sessions && find_session(w, rules, of_error)) return 0;
	w->now = *was;
	struct counterpart *service = service_at(w, rules, &was->to, was->to_port);
	if (service) {
		w->now.to = service->address;
		w->now.to_port = service->port;
		if (!is_set(&service->client)) return address_to_ipv6(w, rules, &was->from, &w->now.from);
		w->now.from = service->client;
		return of_error ? DROPPED_SESSION : begin_session(w, rules, counts);
	}
	if (rules->masquerade && was->to.word[0] == rules->masquerade) return DROPPED_SESSION;
	int why = address_to_ipv6(w, rules, &was->to, &w->now.to);
	return why ? why : address_to_ipv6(w, rules, &was->from, &w->now.from);
}

INLINE int decide_to_ipv4(struct work *w, const struct rules *rules, struct translate_counts *counts, int of_error)
{
	const struct endpoints *was = &w->was.ends;
	if (rules->has_sessions && find_session(w, rules, of_error)) return 0;
	w->now = *was;
	int why = address_to_ipv4(w, rules, &was->to, &w->now.to);
	if (why) return why;
	struct counterpart *service = service_at(w, rules, &was->from, was->from_port);
	if (service) {
		w->now.from = service->address;
		w->now.from_port = service->port;
		return 0;
	}
	why = address_to_ipv4(w, rules, &was->from, &w->now.from);
	if (!why || !rules->masquerade) return why;
	if (of_error) return DROPPED_SESSION;
	w->now.from.word[0] = rules->masquerade;
	w->now.from.word[1] = w->now.from.word[2] = w->now.from.word[3] = 0;
	return begin_session(w, rules, counts);
}

INLINE int decide_ends(struct work *w, const struct rules *rules, struct translate_counts *counts, int of_error)
{
	return w->was.family == IPV4 ? decide_to_ipv6(w, rules, counts, of_error) : decide_to_ipv4(w, rules, counts, of_error);
}

/** The first fragment says where the later ones go, which have no ports. Without sessions and services addresses say it. */
INLINE int decide_fragment(struct work *w, const struct rules *rules, struct translate_counts *counts)
{
	const struct header *h = &w->outer;
	if (!h->is_fragment || (!rules->has_sessions && !rules->has_services)) return decide_ends(w, rules, counts, 0);
	w->fragment_key.from = h->ends.from;
	w->fragment_key.to = h->ends.to;
	w->fragment_key.id = h->id;
	w->fragment_key.protocol = h->protocol;
	w->fragment_key.family = w->was.family;
	w->fragment_key.zero = 0;
	if (h->offset == 0) {
		int why = decide_ends(w, rules, counts, 0);
		w->fragment_way.from = w->now.from;
		w->fragment_way.to = w->now.to;
		if (!why && h->more) map_update(&fragments, &w->fragment_key, &w->fragment_way, BPF_ANY);
		return why;
	}
	struct fragment_way *way = map_lookup(&fragments, &w->fragment_key);
	if (!way) return DROPPED_FRAGMENT;
	w->now = w->was.ends;
	w->now.from = way->from;
	w->now.to = way->to;
	return 0;
}

/**
 * The packet inside an error went the other way, so its ends, exchanged, are those of a packet that comes this way. The
 * error's own sender can be any router.
 */
INLINE int decide_error(struct work *w, const struct rules *rules, struct translate_counts *counts)
{
	const struct header *h = &w->outer;
	exchange(&w->was.ends, &w->inner.ends);
	w->was.protocol = w->inner.protocol;
	if (!same_address(&h->ends.to, &w->was.ends.to)) return DROPPED_MALFORMED;
	// The third ends are what the inner packet becomes; `now` then gets the error's own sender.
	int why = decide_ends(w, rules, counts, 1);
	if (why) return why;
	exchange(&w->third.ends, &w->now);
	if (same_address(&h->ends.from, &w->was.ends.from)) return 0;
	if (w->was.family == IPV4) return address_to_ipv6(w, rules, &h->ends.from, &w->now.from);
	if (!address_to_ipv4(w, rules, &h->ends.from, &w->now.from)) return 0;
	if (!rules->gateway) return DROPPED_ADDRESS;
	w->now.from.word[0] = rules->gateway;
	w->now.from.word[1] = w->now.from.word[2] = w->now.from.word[3] = 0;
	return 0;
}

#endif
