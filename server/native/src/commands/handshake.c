/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>
#include "nodeport.h"

#define BYTES 32

static enum family family;
static struct sockaddr_storage to;
static socklen_t to_length;
static uint16_t source_port;
static uint64_t patience, deadline;

enum outcome { WORKED, CALL_FAILED, TIMED_OUT, DIFFERENT, CLOSED };

/** Waits for the descriptor; false after the deadline. */
static bool wait_for(int fd, short events)
{
	for (;;) {
		uint64_t at = now();
		struct pollfd ready = {.fd = fd, .events = events};
		if (at >= deadline) return false;
		int result = poll(&ready, 1, (deadline - at) / 1000000 + 1);
		if (result > 0) return true;
		if (result < 0 && errno != EINTR) return false;
	}
}

static int open_socket(int type)
{
	struct sockaddr_storage from;
	struct address any = {0};
	int yes = 1;
	int fd = checked("socket", socket(to.ss_family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
	if (fd < 0 || !source_port) return fd;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
	return checked("bind", bind(fd, (void *)&from, socket_address(family, &any, source_port, &from))) < 0 ? -1 : fd;
}

static enum outcome connect_to(int fd)
{
	int error = 0;
	socklen_t length = sizeof error;
	if (connect(fd, (void *)&to, to_length) < 0 && errno != EINPROGRESS) {
		checked("connect", -1);
		return CALL_FAILED;
	}
	if (!wait_for(fd, POLLOUT)) return TIMED_OUT;
	getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length);
	if (!error) return WORKED;
	errno = error;
	checked("connect", -1);
	return CALL_FAILED;
}

static enum outcome exchange(int fd, bool is_stream)
{
	char sent[BYTES], got[BYTES + 1];
	size_t length = 0;
	getrandom(sent, sizeof sent, 0);
	if (checked("send", send(fd, sent, sizeof sent, MSG_NOSIGNAL)) < 0) return CALL_FAILED;
	do {
		if (!wait_for(fd, POLLIN)) return TIMED_OUT;
		ssize_t part = checked("recv", recv(fd, got + length, sizeof got - length, 0));
		if (part < 0 && errno == EAGAIN) continue;
		if (part < 0) return CALL_FAILED;
		if (part == 0 && is_stream) return CLOSED;
		length += part;
	} while (is_stream && length < BYTES);
	return length == BYTES && memcmp(sent, got, BYTES) == 0 ? WORKED : DIFFERENT;
}

/** Says how it failed. */
static void describe(enum outcome outcome, char *text, size_t room)
{
	static const char *const codes[] = {[TIMED_OUT] = "timeout", [DIFFERENT] = "different", [CLOSED] = "closed"};
	if (outcome != CALL_FAILED) {
		snprintf(text, room, "{\"ok\":false,\"code\":\"%s\"}", codes[outcome]);
		return;
	}
	int number = failure.number;
	const char *code = number == ECONNREFUSED	? "refused"
			   : number == EHOSTUNREACH || number == ENETUNREACH ? "unreachable"
									     : "failed";
	// Of the fields all but the first, which is the code of errors.
	snprintf(text, room, "{\"ok\":false,\"code\":\"%s\"%s}", code, strchr(failure_fields(), ','));
}

static bool shake(bool is_stream, char *text, size_t room)
{
	uint64_t began = now(), connected = began;
	deadline = began + patience;
	int fd = open_socket(is_stream ? SOCK_STREAM : SOCK_DGRAM);
	enum outcome outcome = fd < 0 ? CALL_FAILED : connect_to(fd);
	if (outcome == WORKED) {
		connected = now();
		outcome = exchange(fd, is_stream);
	}
	uint64_t ended = now();
	if (fd >= 0) close(fd);
	if (outcome != WORKED) describe(outcome, text, room);
	else if (is_stream) snprintf(text, room, "{\"ok\":true,\"connectNs\":%llu,\"echoNs\":%llu}", (unsigned long long)(connected - began), (unsigned long long)(ended - connected));
	else snprintf(text, room, "{\"ok\":true,\"echoNs\":%llu}", (unsigned long long)(ended - connected));
	return outcome == WORKED;
}

int run_handshake(void)
{
	struct address address;
	char tcp[512] = "null", udp[512] = "null";
	family = address_argument("address", &address);
	uint16_t port = number_argument("port", 1, 65535);
	int protocol = choice_argument("protocol", "both tcp udp", 0);
	patience = (text_argument("timeout-ms") ? number_argument("timeout-ms", 1, 60000) : 2000) * 1000000;
	source_port = text_argument("source-port") ? number_argument("source-port", 1, 65535) : 0;
	guard_namespace();
	to_length = socket_address(family, &address, port, &to);
	bool ok = protocol == 2 || shake(true, tcp, sizeof tcp);
	if (protocol != 1) ok = shake(false, udp, sizeof udp) && ok;
	print_line("{\"type\":\"handshake\",\"ok\":%s,\"address\":%s,\"port\":%d,\"tcp\":%s,\"udp\":%s}", ok ? "true" : "false",
		   quoted(text_argument("address")), port, tcp, udp);
	return ok ? 0 : 1;
}
