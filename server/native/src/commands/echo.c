/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "nodeport.h"

/** More wait until one of them ends. */
#define MOST_CONNECTIONS 256

static bool prints_peers;

static int open_socket(int type, uint16_t port)
{
	struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
	int yes = 1, no = 0;
	int fd = checked("socket(AF_INET6)", socket(AF_INET6, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
	if (fd < 0) fail("the echo server");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
	if (checked("setsockopt(IPV6_V6ONLY)", setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no)) < 0 ||
	    checked("bind", bind(fd, (void *)&address, sizeof address)) < 0)
		fail("the echo server");
	if (type == SOCK_STREAM && checked("listen", listen(fd, 128)) < 0) fail("the echo server");
	return fd;
}

static void print_peer(const char *protocol, const struct sockaddr_in6 *peer)
{
	char address[ADDRESS_TEXT];
	if (!prints_peers) return;
	write_address(peer, address);
	print_line("{\"type\":\"peer\",\"protocol\":\"%s\",\"address\":\"%s\",\"port\":%d}", protocol, address,
		   ntohs(peer->sin6_port));
}

static void echo_datagram(int fd)
{
	char bytes[65536];
	struct sockaddr_in6 peer;
	socklen_t length = sizeof peer;
	ssize_t got = recvfrom(fd, bytes, sizeof bytes, 0, (void *)&peer, &length);
	if (got < 0) return;
	print_peer("udp", &peer);
	sendto(fd, bytes, got, 0, (void *)&peer, length);
}

/** Returns false when the connection has ended. */
static bool echo_stream(int fd)
{
	char bytes[16384];
	ssize_t got = recv(fd, bytes, sizeof bytes, 0);
	if (got < 0) return errno == EAGAIN || errno == EINTR;
	// A client that reads nothing loses its connection: nothing is kept for it.
	return got > 0 && send(fd, bytes, got, MSG_NOSIGNAL) == got;
}

int run_echo(void)
{
	uint16_t port = number_argument("port", 1, 65535);
	prints_peers = flag_argument("peers");
	guard_namespace();
	int signals = ending_signals();
	enum { SIGNALS, DATAGRAMS, LISTENER, FIRST };
	struct pollfd ready[FIRST + MOST_CONNECTIONS] = {
		[SIGNALS] = {.fd = signals, .events = POLLIN},
		[DATAGRAMS] = {.fd = open_socket(SOCK_DGRAM, port), .events = POLLIN},
		[LISTENER] = {.fd = open_socket(SOCK_STREAM, port), .events = POLLIN},
	};
	int count = FIRST;
	print_line("{\"type\":\"ready\",\"pid\":%d,\"port\":%d}", getpid(), port);
	while (poll(ready, count, -1) >= 0 || errno == EINTR) {
		if (ready[SIGNALS].revents) break;
		if (ready[DATAGRAMS].revents) echo_datagram(ready[DATAGRAMS].fd);
		for (int i = FIRST; i < count; i++) {
			if (!ready[i].revents || echo_stream(ready[i].fd)) continue;
			close(ready[i].fd);
			ready[i--] = ready[--count];
		}
		if (ready[LISTENER].revents && count < FIRST + MOST_CONNECTIONS) {
			struct sockaddr_in6 peer;
			socklen_t length = sizeof peer;
			int fd = accept4(ready[LISTENER].fd, (void *)&peer, &length, SOCK_CLOEXEC | SOCK_NONBLOCK);
			if (fd >= 0) {
				print_peer("tcp", &peer);
				ready[count++] = (struct pollfd){.fd = fd, .events = POLLIN};
			}
		}
		ready[LISTENER].events = count < FIRST + MOST_CONNECTIONS ? POLLIN : 0;
	}
	print_line("{\"type\":\"end\"}");
	return 0;
}
