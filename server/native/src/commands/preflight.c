/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "generate.h"
#include "loader.h"
#include "netlink.h"
#include "sink.h"

static struct device device;
static int xdp = -1, tc = -1;

static int try_namespaces(void)
{
	if (checked("unshare(CLONE_NEWNET)", unshare(CLONE_NEWNET)) == 0) return 0;
	return checked("unshare(CLONE_NEWUSER)", unshare(CLONE_NEWUSER | CLONE_NEWNET));
}

static int try_veth(void)
{
	return make_veth("np0", "np1") < 0 ? -1 : read_device("np0", &device);
}

static int try_bpf(void)
{
	if (map_of(MAP_FLOWS) < 0 || (xdp = load_program(PROGRAM_XDP)) < 0) return -1;
	return tc = load_program(PROGRAM_TC);
}

static int try_xdp(void)
{
	return link_xdp(xdp, device.ifindex);
}

static int try_tcx(void)
{
	return link_tcx(tc, device.ifindex);
}

static int try_clsact(void)
{
	return add_clsact(device.ifindex) < 0 ? -1 : add_filter(device.ifindex, tc, "nodeport");
}

static int try_live_frames(void)
{
	uint8_t frame[64] = {0};
	int program = load_program(PROGRAM_GENERATE);
	// Without flows it drops the frame.
	return program < 0 ? -1 : run_live(program, frame, sizeof frame, 1, 1);
}

static int try_tx_ring(void)
{
	struct ring ring;
	return open_ring(&device, &ring);
}

static int try_sink_socket(void)
{
	uint32_t drops;
	int fd = open_counting_socket(device.name, 9);
	return fd < 0 ? -1 : counted_by_socket(fd, &drops);
}

/** In an order in which each comes after what it needs. */
static const struct {
	const char *name;
	int (*try)(void);
	const char *needs[2];
} checks[] = {
	{"namespaces", try_namespaces, {0}},
	{"veth", try_veth, {"namespaces"}},
	{"bpf", try_bpf, {0}},
	{"xdp", try_xdp, {"bpf", "veth"}},
	{"tcx", try_tcx, {"bpf", "veth"}},
	{"clsact", try_clsact, {"bpf", "veth"}},
	{"liveFrames", try_live_frames, {"bpf", "namespaces"}},
	{"txRing", try_tx_ring, {"veth"}},
	{"sinkSocket", try_sink_socket, {"veth"}},
};
#define CHECKS (sizeof checks / sizeof checks[0])

static bool worked[CHECKS];

/** The first of its needs that did not work, or null. */
static const char *missing(size_t check)
{
	for (int i = 0; i < 2 && checks[check].needs[i]; i++) {
		for (size_t other = 0; other < check; other++) {
			if (strcmp(checks[other].name, checks[check].needs[i]) == 0 && !worked[other]) return checks[other].name;
		}
	}
	return NULL;
}

static void unprivileged(char *text, size_t room)
{
	char value[16] = "";
	int fd = open("/proc/sys/kernel/unprivileged_bpf_disabled", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? 0 : read(fd, value, sizeof value - 1);
	if (fd >= 0) close(fd);
	int digit = got > 0 && value[0] >= '0' && value[0] <= '9';
	snprintf(text, room, "%s", digit ? (char[]){value[0], 0} : "null");
}

int run_preflight(void)
{
	struct utsname system;
	char list[4096], disabled[8], *to = list;
	unsigned user = geteuid();
	uname(&system);
	unprivileged(disabled, sizeof disabled);
	for (size_t i = 0; i < CHECKS; i++) {
		const char *needs = missing(i);
		to += sprintf(to, "%s\"%s\":", i ? "," : "", checks[i].name);
		if (needs) to += sprintf(to, "{\"ok\":false,\"code\":\"skipped\",\"needs\":\"%s\"}", needs);
		else if ((worked[i] = checks[i].try() >= 0)) to += sprintf(to, "{\"ok\":true}");
		else to += sprintf(to, "{\"ok\":false,%s}", failure_fields());
	}
	print_line("{\"type\":\"preflight\",\"version\":\"" VERSION "\",\"arch\":\"" ARCHITECTURE
		   "\",\"kernel\":%s,\"uid\":%u,\"unprivilegedBpfDisabled\":%s,\"checks\":{%s}}",
		   quoted(system.release), user, disabled, list);
	return 0;
}
