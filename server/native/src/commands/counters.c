/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#include "nodeport.h"

int run_counters(void)
{
	static const char *const names[] = {"nodeport-forward", "nodeport-sink"};
	const char *name = names[choice_argument("of", "forward sink", -1)];
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct timeval patience = {.tv_sec = 2};
	char line[4096];
	size_t length = 0;
	guard_namespace();
	strcpy(address.sun_path + 1, name);
	int fd = checked("socket(AF_UNIX)", socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
	if (fd < 0) fail("asking for counters");
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	if (connect(fd, (void *)&address, offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name)) < 0) {
		if (errno == ECONNREFUSED) fail_code("not_running", "No such process runs in this network namespace.", NULL);
		checked("connect(AF_UNIX)", -1);
		fail("asking for counters");
	}
	for (ssize_t got; length < sizeof line - 1; length += got) {
		got = checked("recv(AF_UNIX)", recv(fd, line + length, sizeof line - 1 - length, 0));
		if (got < 0) fail("asking for counters");
		if (got == 0) break;
	}
	// Cut short: it ended meanwhile.
	if (length == 0 || line[length - 1] != '\n') fail_code("not_running", "The process ended while it was asked.", NULL);
	line[length - 1] = 0;
	print_line("%s", line);
	return 0;
}
