/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the sessions. Their map belongs to the translator, which hands it to who asks: it need not wait for a reader. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "../base/loader.h"
#include "rules.h"

/** More than a bucket of the map has. */
#define AT_ONCE 4096
#define NAME "nodeport-translate-sessions"

struct found {
	unsigned long long live, ended;
};

static const char *state_of(const struct session *session)
{
	unsigned fins = session->seen & (SEEN_FIN | SEEN_REPLY_FIN);
	if (session->seen & SEEN_RESET) return "reset";
	if (!(session->seen & SEEN_REPLY)) return "opening";
	if (fins == (SEEN_FIN | SEEN_REPLY_FIN)) return "closed";
	return fins ? "closing" : "established";
}

static bool is_transitory(const struct session *session)
{
	const char *state = state_of(session);
	return strcmp(state, "established") != 0 && strcmp(state, "closing") != 0;
}

static enum timeout timeout_of(const struct flow_key *key, const struct session *session)
{
	if (key->protocol == IPPROTO_UDP) return TIMEOUT_UDP;
	if (key->protocol == IPPROTO_ICMP) return TIMEOUT_ICMP;
	return is_transitory(session) ? TIMEOUT_TCP_TRANSITORY : TIMEOUT_TCP;
}

static const char *ends_text(const struct endpoints *ends, unsigned family, char *to, size_t room)
{
	char from[INET6_ADDRSTRLEN], until[INET6_ADDRSTRLEN];
	int kind = family == IPV4 ? AF_INET : AF_INET6;
	inet_ntop(kind, &ends->from, from, sizeof from);
	inet_ntop(kind, &ends->to, until, sizeof until);
	snprintf(to, room, "{\"source\":\"%s\",\"sourcePort\":%d,\"destination\":\"%s\",\"destinationPort\":%d}", from,
		 ntohs(ends->from_port), until, ntohs(ends->to_port));
	return to;
}

static void print_session(const struct flow_key *key, const struct session *session, uint64_t idle, uint32_t timeout)
{
	char was[256], now_is[256];
	bool from_ipv6 = key->family == IPV6, is_tcp = key->protocol == IPPROTO_TCP;
	ends_text(&key->ends, key->family, was, sizeof was);
	ends_text(&session->ends, from_ipv6 ? IPV4 : IPV6, now_is, sizeof now_is);
	print_line("{\"type\":\"session\",\"protocol\":\"%s\",\"from\":\"%s\",\"ipv6\":%s,\"ipv4\":%s,\"state\":%s,\"idleNs\":%llu,"
		   "\"timeoutSeconds\":%u}",
		   is_tcp ? "tcp" : key->protocol == IPPROTO_UDP ? "udp" : "icmp", from_ipv6 ? "ipv6" : "ipv4",
		   from_ipv6 ? was : now_is, from_ipv6 ? now_is : was, is_tcp ? quoted(state_of(session)) : "null",
		   (unsigned long long)idle, timeout);
}

void print_sessions(int map, const struct rules *rules, uint64_t most)
{
	struct flow_key *keys = calloc(AT_ONCE, sizeof *keys);
	struct session *values = calloc(AT_ONCE, sizeof *values);
	struct found found = {0};
	uint64_t clock = now() + rules->ahead;
	struct batch batch = {.map = map, .keys = keys, .values = values, .room = AT_ONCE};
	if (!keys || !values) fail("the sessions");
	while (!batch.ended) {
		if (next_batch(&batch) < 0) fail("the sessions");
		for (uint32_t i = 0; i < batch.count; i++) {
			if (values[i].is_reply) continue;
			uint32_t timeout = rules->timeouts[timeout_of(&keys[i], &values[i])];
			// A packet can have come since the clock was read.
			uint64_t idle = clock > values[i].used ? clock - values[i].used : 0;
			if (idle >= timeout * NS_PER_SECOND) found.ended++;
			else if (found.live++ < most) print_session(&keys[i], &values[i], idle, timeout);
		}
	}
	free(keys);
	free(values);
	print_line("{\"type\":\"sessions\",\"live\":%llu,\"ended\":%llu}", found.live, found.ended);
}

int offer_sessions(void)
{
	return listen_locally(NAME);
}

void hand_out_sessions(int listener, const struct rules *rules)
{
	int to = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (to < 0) return;
	int map = map_of(MAP_SESSIONS);
	char control[CMSG_SPACE(sizeof map)] = {0};
	struct iovec bytes = {(void *)rules, sizeof *rules};
	struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
	struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
	*rights = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof map), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
	memcpy(CMSG_DATA(rights), &map, sizeof map);
	sendmsg(to, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
	close(to);
}

/** The map's descriptor; -1 with `failure` set, where ECONNREFUSED says that there is no translator. */
static int ask_for_sessions(struct rules *rules)
{
	int from = connect_locally(NAME), map = -1;
	if (from < 0) return -1;
	char control[CMSG_SPACE(sizeof map)];
	struct iovec bytes = {rules, sizeof *rules};
	struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
	ssize_t got = checked("recvmsg(AF_UNIX)", recvmsg(from, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL));
	close(from);
	if (got < 0) return -1;
	struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
	if (got == sizeof *rules && rights && rights->cmsg_type == SCM_RIGHTS) {
		memcpy(&map, CMSG_DATA(rights), sizeof map);
		return map;
	}
	// It ended meanwhile.
	errno = ECONNREFUSED;
	return checked("recvmsg(AF_UNIX)", -1);
}

int run_translate_sessions(void)
{
	struct rules rules;
	uint64_t most = text_argument("most") ? number_argument("most", 0, 1u << 30) : UINT64_MAX;
	guard_namespace();
	int map = ask_for_sessions(&rules);
	if (map < 0 && failure.number == ECONNREFUSED) fail_code("not_running", "No translator runs in this network namespace.", NULL);
	if (map < 0) fail("asking for the sessions");
	print_sessions(map, &rules, most);
	return 0;
}
