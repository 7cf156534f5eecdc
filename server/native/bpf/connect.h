/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* Translation at the socket: connect() to a service goes to its backend, so no packet ever has the service's address. */
#ifndef NODEPORT_CONNECT_H
#define NODEPORT_CONNECT_H

#include "nat.h"

/** No map for each CPU: a program at a socket can be preempted. */
MAP(connects, ARRAY, __u32, struct connects, 1, 0);

static __u64 (*const network_of)(void *context) = (void *)BPF_FUNC_get_netns_cookie;

/** The backend of the address that is called; null if it is no service, or another network's socket. */
INLINE const struct backend *called(struct bpf_sock_addr *socket, const struct address *to, enum family family)
{
	__u32 zero = 0;
	struct config *config = map_lookup(&configs, &zero);
	if (!config || config->network != network_of(socket)) return 0;
	struct connects *counts = map_lookup(&connects, &zero);
	if (!counts) return 0;
	__sync_fetch_and_add(&counts->seen, 1);
	if (!config->has[family] || !same_address(to, &config->node[family])) return 0;
	struct service_key key = {.port = socket->user_port, .protocol = socket->protocol, .family = family};
	const struct backend *backend = map_lookup(&services, &key);
	if (backend) __sync_fetch_and_add(&counts->translated, 1);
	return backend;
}

SECTION("program/connect4") int connect4(struct bpf_sock_addr *socket)
{
	struct address to = {{socket->user_ip4}};
	const struct backend *backend = called(socket, &to, IPV4);
	if (!backend) return 1;
	socket->user_ip4 = backend->address.word[0];
	socket->user_port = backend->port;
	return 1;
}

SECTION("program/connect6") int connect6(struct bpf_sock_addr *socket)
{
	struct address to = {{socket->user_ip6[0], socket->user_ip6[1], socket->user_ip6[2], socket->user_ip6[3]}};
	const struct backend *backend = called(socket, &to, IPV6);
	if (!backend) return 1;
	socket->user_ip6[0] = backend->address.word[0];
	socket->user_ip6[1] = backend->address.word[1];
	socket->user_ip6[2] = backend->address.word[2];
	socket->user_ip6[3] = backend->address.word[3];
	socket->user_port = backend->port;
	return 1;
}

#endif
