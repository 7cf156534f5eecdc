/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "loader.h"
#include "services.h"

#define MOST_PATH 4096

#ifndef SO_NETNS_COOKIE
/* asm-generic/socket.h has it since Linux 5.14, and this C library not yet. */
#define SO_NETNS_COOKIE 71
#endif

static const char *counters_line(const char *type)
{
	static char line[256];
	struct connects connects;
	uint32_t zero = 0;
	long services = count_entries(MAP_SERVICES);
	if (services < 0 || read_map(MAP_CONNECTS, &zero, &connects) < 0) fail("the counters");
	snprintf(line, sizeof line,
		 "{\"type\":\"%s\",\"of\":\"connect\",\"atNs\":%llu,\"services\":%ld,\"connects\":%llu,\"translated\":%llu}", type,
		 (unsigned long long)now(), services, connects.seen, connects.translated);
	return line;
}

/** The path of this process's cgroup of version 2, from the root that it sees. */
static void own_path(char path[MOST_PATH])
{
	FILE *file = fopen("/proc/self/cgroup", "re");
	bool found = false;
	while (file && !found && fgets(path, MOST_PATH, file)) found = strncmp(path, "0::/", 4) == 0;
	if (file) fclose(file);
	if (!found) fail_code("unsupported", "This process has no cgroup of version 2.", NULL);
	path[strcspn(path, "\n")] = 0;
	memmove(path, path + 3, strlen(path + 3) + 1);
}

/**
 * The directory of this process's cgroup, in which its parent's other children are, too. The mount belongs to this process alone:
 * wherever the machine has its own, none is changed.
 */
static int own_cgroup(void)
{
	char path[MOST_PATH] = ".";
	own_path(path + 1);
	int system = checked("fsopen(cgroup2)", syscall(SYS_fsopen, "cgroup2", FSOPEN_CLOEXEC));
	if (system < 0) return -1;
	if (checked("fsconfig(cgroup2)", syscall(SYS_fsconfig, system, FSCONFIG_CMD_CREATE, NULL, NULL, 0)) < 0) return -1;
	int mount = checked("fsmount(cgroup2)", syscall(SYS_fsmount, system, FSMOUNT_CLOEXEC, 0));
	return mount < 0 ? -1 : checked("open(cgroup)", openat(mount, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

/** Every network namespace has another cookie. */
static int own_network(__u64 *cookie)
{
	socklen_t length = sizeof *cookie;
	int fd = checked("socket(AF_INET)", socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
	if (fd < 0) return -1;
	int result = checked("getsockopt(SO_NETNS_COOKIE)", getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, cookie, &length));
	close(fd);
	return result;
}

int run_connect(void)
{
	static const enum program_name names[FAMILIES] = {PROGRAM_CONNECT4, PROGRAM_CONNECT6};
	int programs[FAMILIES];
	const char *path = required_argument("services");
	guard_namespace();
	struct services services = read_services(path);
	if (own_network(&services.config.network) < 0) fail("the network namespace");
	int signals = ending_signals();
	for (enum family family = IPV4; family < FAMILIES; family++) {
		if ((programs[family] = load_program(names[family])) < 0) fail("loading the programs");
	}
	write_services(&services);
	int listener = listen_locally("nodeport-connect");
	int cgroup = own_cgroup();
	if (cgroup < 0) fail("the cgroup");
	for (enum family family = IPV4; family < FAMILIES; family++) {
		if (link_connect(programs[family], cgroup, family) < 0) fail("attaching to the cgroup");
	}
	print_line("{\"type\":\"ready\",\"of\":\"connect\",\"pid\":%d,\"services\":%u,\"programs\":[%u,%u]}", getpid(), services.count,
		   program_id(programs[IPV4]), program_id(programs[IPV6]));
	serve_counters(signals, listener, counters_line);
	print_line("%s", counters_line("end"));
	return 0;
}
