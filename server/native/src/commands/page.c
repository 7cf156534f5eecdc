/* SPDX-License-Identifier: Apache-2.0 */
/* One page over HTTP, which names the client that the server sees. */
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
#define MOST_CONNECTIONS 64
/** A request's line and headers. */
#define MOST_REQUEST 8192
#define MOST_TITLE 256

struct client {
	char address[ADDRESS_TEXT];
	int port;
	size_t length;
	char request[MOST_REQUEST];
};

static char title[6 * MOST_TITLE];

/** The title as it can stand in HTML. */
static void read_title(void)
{
	const char *text = required_argument("title");
	char *to = title;
	if (strlen(text) > MOST_TITLE) bad_argument("title", "it is too long");
	for (; *text; text++) {
		if ((unsigned char)*text < 0x20) bad_argument("title", "it has control characters");
		if (strchr("&<>\"", *text)) to += sprintf(to, "&#%d;", *text);
		else *to++ = *text;
	}
}

static int open_listener(const struct address *at, enum family family, uint16_t port)
{
	struct sockaddr_storage address = {0};
	unsigned length = socket_address(family, at, port, &address);
	int yes = 1;
	int fd = checked("socket", socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
	if (fd < 0) fail("the page");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
	if (family == IPV6) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
	if (checked("bind", bind(fd, (void *)&address, length)) < 0) fail("the page");
	if (checked("listen", listen(fd, 128)) < 0) fail("the page");
	return fd;
}

/** Sends all of an answer: it is far below the socket's buffer. */
static void answer(int fd, const struct client *client, int status)
{
	static char body[sizeof title * 2 + 512], text[sizeof body + 512];
	bool is_head = strncmp(client->request, "HEAD ", 5) == 0;
	static const char *const reasons[] = {"OK", "Method Not Allowed", "Request Header Fields Too Large"};
	const char *reason = reasons[status == 200 ? 0 : status == 405 ? 1 : 2];
	int size = status == 200 ? sprintf(body,
			"<!doctype html>\n<html lang=\"en\">\n<title>%s</title>\n<h1>%s</h1>\n"
			"<p>This server sees you as %s, port %d.</p>\n</html>\n",
			title, title, client->address, client->port)
				 : sprintf(body, "%s\n", reason);
	int head = sprintf(text,
			"HTTP/1.1 %d %s\r\nContent-Type: text/%s; charset=utf-8\r\nContent-Length: %d\r\nCache-Control: no-store\r\n"
			"Connection: close\r\nClient-Address: %s\r\nClient-Port: %d\r\n%s\r\n",
			status, reason, status == 200 ? "html" : "plain", size, client->address, client->port,
			status == 405 ? "Allow: GET, HEAD\r\n" : "");
	memcpy(text + head, body, size);
	send(fd, text, is_head ? head : head + size, MSG_NOSIGNAL);
	print_line("{\"type\":\"request\",\"address\":\"%s\",\"port\":%d,\"status\":%d}", client->address, client->port, status);
}

/** Returns false when the connection has ended. */
static bool read_request(int fd, struct client *client)
{
	ssize_t got = recv(fd, client->request + client->length, sizeof client->request - 1 - client->length, 0);
	if (got < 0) return errno == EAGAIN || errno == EINTR;
	if (got == 0) return false;
	client->length += got;
	client->request[client->length] = 0;
	if (!strstr(client->request, "\r\n\r\n")) {
		if (client->length < sizeof client->request - 1) return true;
		answer(fd, client, 431);
		return false;
	}
	bool reads = strncmp(client->request, "GET ", 4) == 0 || strncmp(client->request, "HEAD ", 5) == 0;
	answer(fd, client, reads ? 200 : 405);
	return false;
}

int run_page(void)
{
	static struct client clients[MOST_CONNECTIONS];
	struct address at;
	enum family family = address_argument("address", &at);
	uint16_t port = number_argument("port", 1, 65535);
	read_title();
	guard_namespace();
	int signals = ending_signals();
	enum { SIGNALS, LISTENER, FIRST };
	struct pollfd ready[FIRST + MOST_CONNECTIONS] = {
		[SIGNALS] = {.fd = signals, .events = POLLIN},
		[LISTENER] = {.fd = open_listener(&at, family, port), .events = POLLIN},
	};
	int count = FIRST;
	print_line("{\"type\":\"ready\",\"of\":\"page\",\"pid\":%d,\"port\":%d}", getpid(), port);
	while (poll(ready, count, -1) >= 0 || errno == EINTR) {
		if (ready[SIGNALS].revents) break;
		for (int i = FIRST; i < count; i++) {
			if (!ready[i].revents || read_request(ready[i].fd, &clients[i - FIRST])) continue;
			close(ready[i].fd);
			ready[i] = ready[--count];
			clients[i - FIRST] = clients[count - FIRST];
			i--;
		}
		if (ready[LISTENER].revents && count < FIRST + MOST_CONNECTIONS) {
			struct sockaddr_storage peer;
			socklen_t length = sizeof peer;
			int fd = accept4(ready[LISTENER].fd, (void *)&peer, &length, SOCK_CLOEXEC | SOCK_NONBLOCK);
			if (fd >= 0) {
				struct client *client = &clients[count - FIRST];
				write_address(&peer, client->address);
				// The port stands at the same place in both families' addresses.
				client->port = ntohs(((struct sockaddr_in *)&peer)->sin_port);
				client->length = 0;
				ready[count++] = (struct pollfd){.fd = fd, .events = POLLIN};
			}
		}
		ready[LISTENER].events = count < FIRST + MOST_CONNECTIONS ? POLLIN : 0;
	}
	print_line("{\"type\":\"end\",\"of\":\"page\"}");
	return 0;
}
