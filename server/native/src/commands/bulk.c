/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include "nodeport.h"

#define MOST_BYTES 100000000

static char block[65536];

/** Sends a whole response; false when the connection has ended. */
static bool respond(int fd, size_t bytes)
{
	char asked;
	if (recv(fd, &asked, 1, 0) != 1) return false;
	while (bytes > 0) {
		ssize_t sent = send(fd, block, bytes < sizeof block ? bytes : sizeof block, MSG_NOSIGNAL);
		if (sent <= 0) return false;
		bytes -= sent;
	}
	return true;
}

int run_bulk(void)
{
	struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons(number_argument("port", 1, 65535))};
	size_t bytes = number_argument("bytes", 1, MOST_BYTES);
	int yes = 1, no = 0;
	guard_namespace();
	int signals = ending_signals();
	int listener = checked("socket(AF_INET6)", socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
	if (listener < 0) fail("the server");
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
	setsockopt(listener, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
	if (checked("bind", bind(listener, (void *)&address, sizeof address)) < 0 || checked("listen", listen(listener, 8)) < 0)
		fail("the server");
	enum { SIGNALS, LISTENER, CONNECTION };
	struct pollfd ready[] = {{.fd = signals, .events = POLLIN}, {.fd = listener, .events = POLLIN}, {.fd = -1, .events = POLLIN}};
	print_line("{\"type\":\"ready\",\"of\":\"bulk\",\"pid\":%d}", getpid());
	while (poll(ready, 3, -1) >= 0 || errno == EINTR) {
		if (ready[SIGNALS].revents) break;
		if (ready[CONNECTION].fd >= 0 && ready[CONNECTION].revents && !respond(ready[CONNECTION].fd, bytes)) {
			close(ready[CONNECTION].fd);
			ready[CONNECTION].fd = -1;
		}
		// One client at a time.
		ready[LISTENER].events = ready[CONNECTION].fd < 0 ? POLLIN : 0;
		if (ready[CONNECTION].fd < 0 && ready[LISTENER].revents) {
			ready[CONNECTION].fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
			ready[CONNECTION].revents = 0;
		}
	}
	print_line("{\"type\":\"end\",\"of\":\"bulk\"}");
	return 0;
}

/** Asks for a response and reads it; returns its time in ns. */
static uint64_t fetch(int fd, size_t bytes)
{
	uint64_t begun = now();
	if (checked("send", send(fd, "x", 1, MSG_NOSIGNAL)) < 0) fail("asking");
	for (size_t got = 0; got < bytes;) {
		ssize_t more = checked("recv", recv(fd, block, sizeof block, 0));
		if (more < 0) fail("the response");
		if (more == 0) fail_code("failed", "The connection ended before its response.", NULL);
		got += more;
	}
	return now() - begun;
}

int run_fetch(void)
{
	struct address address;
	struct sockaddr_storage to;
	enum family family = address_argument("address", &address);
	unsigned length = socket_address(family, &address, number_argument("port", 1, 65535), &to);
	size_t bytes = number_argument("bytes", 1, MOST_BYTES);
	uint64_t count = number_argument("count", 1, 1000), pause = number_argument("pause-ms", 0, 600000);
	guard_namespace();
	int fd = checked("socket", socket(to.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
	if (fd < 0 || checked("connect", connect(fd, (void *)&to, length)) < 0) fail("connecting");
	struct timespec wait = {pause / 1000, pause % 1000 * 1000000};
	for (uint64_t i = 0; i < 3 * count; i++) {
		// First without pauses, until the window has grown; then with a pause before each.
		bool paused = i >= 2 * count;
		if (paused) nanosleep(&wait, NULL);
		print_line("{\"type\":\"fetched\",\"paused\":%s,\"ns\":%llu}", paused ? "true" : "false",
			   (unsigned long long)fetch(fd, bytes));
	}
	return 0;
}
