/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#include "nodeport.h"

uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

int ending_signals(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	int fd = checked("signalfd", signalfd(-1, &set, SFD_CLOEXEC));
	if (fd < 0) fail("waiting for signals");
	return fd;
}

int timer_every(uint64_t ns)
{
	struct timespec t = {ns / NS_PER_SECOND, ns % NS_PER_SECOND};
	struct itimerspec every = {t, t};
	int fd = checked("timerfd_create", timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
	if (fd < 0 || checked("timerfd_settime", timerfd_settime(fd, 0, &every, NULL)) < 0) fail("a timer");
	return fd;
}

int listen_locally(const char *name)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	// The first byte is 0: an abstract name, which belongs to the network namespace and to no file system.
	strncpy(address.sun_path + 1, name, sizeof address.sun_path - 2);
	socklen_t length = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name);
	int fd = checked("socket(AF_UNIX)", socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
	if (fd < 0 || checked("bind(AF_UNIX)", bind(fd, (void *)&address, length)) < 0) fail("the socket for counters");
	if (checked("listen(AF_UNIX)", listen(fd, 16)) < 0) fail("the socket for counters");
	return fd;
}

void answer_locally(int listener, const char *line, size_t length)
{
	int to = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (to < 0) return;
	// A line is far below the socket's buffer; who does not read it gets nothing.
	send(to, line, length, MSG_NOSIGNAL | MSG_DONTWAIT);
	close(to);
}

void serve_counters(int signals, int listener, const char *line(const char *type))
{
	struct pollfd ready[] = {{.fd = signals, .events = POLLIN}, {.fd = listener, .events = POLLIN}};
	while (poll(ready, 2, -1) >= 0 || errno == EINTR) {
		if (ready[0].revents) return;
		if (!ready[1].revents) continue;
		char text[600];
		int length = snprintf(text, sizeof text, "%s\n", line("counters"));
		answer_locally(listener, text, length);
	}
}

static long receive_line(int from, char *line, size_t room)
{
	size_t length = 0;
	for (ssize_t got; length < room - 1; length += got) {
		got = checked("recv(AF_UNIX)", recv(from, line + length, room - 1 - length, 0));
		if (got < 0) return -1;
		if (got == 0) break;
	}
	// Cut short: it ended meanwhile.
	if (length == 0 || line[length - 1] != '\n') {
		errno = ECONNREFUSED;
		return checked("recv(AF_UNIX)", -1);
	}
	line[--length] = 0;
	return length;
}

int connect_locally(const char *name)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct timeval patience = {.tv_sec = 2};
	strncpy(address.sun_path + 1, name, sizeof address.sun_path - 2);
	socklen_t size = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name);
	int fd = checked("socket(AF_UNIX)", socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
	if (fd < 0) return -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	if (checked("connect(AF_UNIX)", connect(fd, (void *)&address, size)) == 0) return fd;
	close(fd);
	return -1;
}

long ask_locally(const char *name, const void *message, size_t size, char *line, size_t room)
{
	int fd = connect_locally(name);
	if (fd < 0) return -1;
	for (size_t sent = 0; sent < size;) {
		ssize_t more = checked("send(AF_UNIX)", send(fd, (const char *)message + sent, size - sent, MSG_NOSIGNAL));
		if (more < 0) break;
		sent += more;
	}
	long length = receive_line(fd, line, room);
	close(fd);
	return length;
}
