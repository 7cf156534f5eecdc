/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <netinet/icmp6.h>
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "nodeport.h"

struct echo {
	uint8_t type, code;
	uint16_t checksum, id, sequence;
};

static uint16_t checksum_of(const struct echo *echo)
{
	const uint16_t *words = (const void *)echo;
	uint32_t sum = 0;
	for (size_t i = 0; i < sizeof *echo / 2; i++) sum += words[i];
	while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
	return ~sum;
}

/** Whether the packet answers this request. A raw socket of IPv4 also gets the IP header. */
static bool answers(const uint8_t *packet, size_t length, enum family family, const struct echo *request)
{
	size_t header = family == IPV4 && length > 0 ? (packet[0] & 15) * 4u : 0;
	struct echo echo;
	if (length < header + sizeof echo) return false;
	memcpy(&echo, packet + header, sizeof echo);
	uint8_t reply = family == IPV4 ? ICMP_ECHOREPLY : ICMP6_ECHO_REPLY;
	return echo.type == reply && echo.id == request->id && echo.sequence == request->sequence;
}

static bool wait_for_answer(int fd, enum family family, const struct echo *request, uint64_t until)
{
	uint8_t packet[1024];
	for (uint64_t at = now(); at < until; at = now()) {
		struct pollfd ready = {.fd = fd, .events = POLLIN};
		if (poll(&ready, 1, (until - at) / 1000000 + 1) <= 0) continue;
		ssize_t length = recv(fd, packet, sizeof packet, MSG_DONTWAIT);
		if (length > 0 && answers(packet, length, family, request)) return true;
	}
	return false;
}

int run_ping(void)
{
	struct address address;
	struct sockaddr_storage to;
	enum family family = address_argument("address", &address);
	uint64_t count = number_argument("count", 1, 100), patience = number_argument("timeout-ms", 1, 10000) * 1000000;
	guard_namespace();
	socklen_t size = socket_address(family, &address, 0, &to);
	int domain = family == IPV4 ? AF_INET : AF_INET6, protocol = family == IPV4 ? IPPROTO_ICMP : IPPROTO_ICMPV6;
	int fd = checked("socket(SOCK_RAW)", socket(domain, SOCK_RAW | SOCK_CLOEXEC, protocol));
	if (fd < 0) fail("ping");
	unsigned received = 0;
	for (uint64_t i = 1; i <= count; i++) {
		struct echo request = {
			.type = family == IPV4 ? ICMP_ECHO : ICMP6_ECHO_REQUEST,
			.id = htons(getpid() & 0xffff),
			.sequence = htons(i),
		};
		// The kernel fills in the one of IPv6.
		if (family == IPV4) request.checksum = checksum_of(&request);
		uint64_t until = now() + patience;
		// Without a way there is no answer either.
		if (sendto(fd, &request, sizeof request, 0, (void *)&to, size) < 0) continue;
		received += wait_for_answer(fd, family, &request, until);
	}
	print_line("{\"type\":\"ping\",\"address\":%s,\"sent\":%llu,\"received\":%u}", quoted(required_argument("address")),
		   (unsigned long long)count, received);
	return received == count ? 0 : 1;
}
