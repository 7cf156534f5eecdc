/* SPDX-License-Identifier: Apache-2.0 */
/* The place around the agent: file systems, the loopback device, the end. */
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>
#include "agent.h"

/* Not /tmp: all files are in memory anyway, and the helper is there where the checkout is in a temporary folder. */
static const struct {
	const char *type, *at;
} mounts[] = {
	{"proc", "/proc"},	  {"sysfs", "/sys"},	      {"devtmpfs", "/dev"},	  {"devpts", "/dev/pts"},     {"tmpfs", "/run"},
	{"bpf", "/sys/fs/bpf"},	  {"cgroup2", "/sys/fs/cgroup"}, {"tracefs", "/sys/kernel/tracing"},
};

static const struct {
	const char *file, *text;
} settings[] = {
	/* A process id is used once in practice, so a signal to a group never reaches another one. */
	{"/proc/sys/kernel/pid_max", "4194304"},
	/* Nothing here runs programs on a core dump. */
	{"/proc/sys/kernel/core_pattern", "/dev/null"},
};

/* Only the virtual machine may be ended by a reboot: on a host it would be the host's. */
static bool is_virtual;

static void loopback_up(void)
{
	struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
	int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (any < 0 || ioctl(any, SIOCSIFFLAGS, &request) < 0) perror("agent: lo");
	if (any >= 0) close(any);
}

void make_machine(void)
{
	is_virtual = true;
	for (size_t i = 0; i < sizeof mounts / sizeof mounts[0]; i++) {
		mkdir(mounts[i].at, 0755);
		if (mount(mounts[i].type, mounts[i].at, mounts[i].type, 0, NULL) < 0) perror(mounts[i].at);
	}
	mkdir("/run/netns", 0755);
	symlink("/proc/self/fd", "/dev/fd");
	symlink("/proc/self/fd/0", "/dev/stdin");
	symlink("/proc/self/fd/1", "/dev/stdout");
	symlink("/proc/self/fd/2", "/dev/stderr");
	/* Who opens it loads its module, as where udev made it. */
	mkdir("/dev/net", 0755);
	if (mknod("/dev/net/tun", S_IFCHR | 0600, makedev(10, 200)) < 0 && errno != EEXIST) perror("/dev/net/tun");
	for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
		int file = open(settings[i].file, O_WRONLY | O_CLOEXEC);
		if (file < 0 || write(file, settings[i].text, strlen(settings[i].text)) < 0) perror(settings[i].file);
		if (file >= 0) close(file);
	}
	loopback_up();
}

void make_namespaces(void)
{
	/* The host's named namespaces and its processes are hidden. */
	if (mount("proc", "/proc", "proc", 0, NULL) < 0) perror("/proc");
	if (mount("tmpfs", "/run", "tmpfs", 0, NULL) < 0) end_machine("/run can't be hidden");
	mkdir("/run/netns", 0755);
	loopback_up();
}

_Noreturn void end_machine(const char *why)
{
	fprintf(stderr, "agent: %s\n", why);
	/* QEMU's -no-reboot makes it the end. */
	if (is_virtual) reboot(RB_AUTOBOOT);
	/* The kernel ends all processes of a pid namespace with its first. In a container another process is the first. */
	kill_processes();
	_exit(1);
}

uint64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
