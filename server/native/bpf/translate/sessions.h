/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* Sessions of the stateful kinds, with the timeouts of RFC 6146. */
#ifndef TRANSLATE_SESSIONS_H
#define TRANSLATE_SESSIONS_H

#include "../nat.h"
#include "work.h"

#define SECOND_NS 1000000000ull
#define TCP_FIN 1
#define TCP_SYN 2
#define TCP_RST 4
#define TCP_ACK 16

INLINE __u64 clock_of(const struct rules *rules)
{
	return now_ns() + rules->ahead;
}

INLINE int is_live(const struct session *s, __u8 protocol, const struct rules *rules)
{
	__u32 seen = s->seen, kind = TIMEOUT_TCP;
	if (protocol == IPPROTO_UDP) kind = TIMEOUT_UDP;
	else if (protocol == IPPROTO_ICMP) kind = TIMEOUT_ICMP;
	else if (!(seen & SEEN_REPLY) || seen & SEEN_RESET || (seen & SEEN_FIN && seen & SEEN_REPLY_FIN)) kind = TIMEOUT_TCP_TRANSITORY;
	return clock_of(rules) - s->used < rules->timeouts[kind] * SECOND_NS;
}

/** The entry with the state: of a reply's entry the one that it answers. */
INLINE struct session *owner_of(struct session *s, const struct flow_key *key, struct flow_key *scratch)
{
	if (!s->is_reply) return s;
	exchange(&scratch->ends, &s->ends);
	scratch->protocol = key->protocol;
	scratch->family = key->family == IPV4 ? IPV6 : IPV4;
	scratch->zero = 0;
	struct session *owner = map_lookup(&sessions, scratch);
	return owner && !owner->is_reply ? owner : 0;
}

/** What a TCP packet shows of its session. A reset counts until something else comes. */
INLINE void see(struct session *owner, __u32 is_reply, __u8 flags)
{
	__u32 seen = owner->seen;
	if (!is_reply && (flags & (TCP_SYN | TCP_ACK)) == TCP_SYN) seen = 0;
	if (is_reply) seen |= SEEN_REPLY;
	if (flags & TCP_FIN) seen |= is_reply ? SEEN_REPLY_FIN : SEEN_FIN;
	owner->seen = flags & TCP_RST ? seen | SEEN_RESET : seen & ~SEEN_RESET;
}

/** Whether there is a live session for `was`; fills in `now`. Errors only look, they keep nothing alive. */
INLINE int find_session(struct work *w, const struct rules *rules, int only_look)
{
	struct session *s = map_lookup(&sessions, &w->was);
	if (!s) return 0;
	struct session *owner = owner_of(s, &w->was, &w->other);
	if (!owner || !is_live(owner, w->was.protocol, rules)) return 0;
	w->now = s->ends;
	if (only_look) return 1;
	owner->used = clock_of(rules);
	see(owner, s->is_reply, w->outer.tcp_flags);
	return 1;
}

/** Reserves the source port of `now` by the entry of the replies: the client's own if it is free. Returns 0 if none is. */
INLINE int reserve_port(struct work *w, const struct rules *rules)
{
	for (int i = 0; i < PORT_TRIES; i++) {
		w->other.ends.to_port = w->now.from_port;
		if (!map_update(&sessions, &w->other, &w->session, BPF_NOEXIST)) return 1;
		struct session *there = map_lookup(&sessions, &w->other);
		if (there && there->is_reply) {
			struct session *owner = owner_of(there, &w->other, &w->third);
			int is_free = same_ends(&there->ends, &w->session.ends) || !owner || !is_live(owner, w->was.protocol, rules);
			if (is_free && !map_update(&sessions, &w->other, &w->session, BPF_ANY)) return 1;
		}
		w->now.from_port = be16(LOWEST_PORT + ((random_u32() & 0xffff) * (65536 - LOWEST_PORT) >> 16));
	}
	return 0;
}

/** Begins the session of `was` with the ends in `now`. Returns 0, or why not. */
INLINE int begin_session(struct work *w, const struct rules *rules, struct translate_counts *counts)
{
	__u8 protocol = w->was.protocol, flags = w->outer.tcp_flags;
	if (protocol == IPPROTO_TCP && (flags & (TCP_SYN | TCP_ACK | TCP_RST)) != TCP_SYN) return DROPPED_SESSION;
	// An echo reply that nobody asked for has no identifier on this side.
	if (protocol == IPPROTO_ICMP && w->was.ends.to_port) return DROPPED_SESSION;
	if (protocol != IPPROTO_TCP && protocol != IPPROTO_UDP && protocol != IPPROTO_ICMP) return DROPPED_SESSION;
	__u16 wanted = w->now.from_port;
	exchange(&w->other.ends, &w->now);
	w->other.protocol = protocol;
	w->other.family = w->was.family == IPV4 ? IPV6 : IPV4;
	w->other.zero = 0;
	exchange(&w->session.ends, &w->was.ends);
	w->session.is_reply = 1;
	w->session.seen = w->session.zero = 0;
	w->session.used = 0;
	if (!reserve_port(w, rules)) return DROPPED_NO_PORT;
	w->session.ends = w->now;
	w->session.is_reply = 0;
	w->session.used = clock_of(rules);
	if (map_update(&sessions, &w->was, &w->session, BPF_ANY)) {
		map_delete(&sessions, &w->other);
		return DROPPED_NO_PORT;
	}
	counts->of[NEW_SESSIONS]++;
	if (w->now.from_port != wanted) counts->of[SESSION_PORTS_CHANGED]++;
	return 0;
}

#endif
