/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "loader.h"
#include "netlink.h"
#include "services.h"

#define MOST_DEVICES 8

enum hook { HOOK_XDP, HOOK_TCX, HOOK_TC };
static const char *const hook_names[] = {"xdp", "tcx", "tc"};

static enum hook hook;
static struct device devices[MOST_DEVICES];
static int device_count;
/** Whether the clsact qdisc is ours to remove; how many devices have our filter. */
static bool own_qdisc[MOST_DEVICES];
static int filtered;

static const char *const count_names[COUNTS] = {
	[RUNS] = "runs",
	[FORWARDED] = "forwarded",
	[REPLIES] = "replies",
	[NEW_FLOWS] = "newFlows",
	[PORTS_CHANGED] = "portsChanged",
	[PASSED_OTHER] = "passedOther",
	[PASSED_PROTOCOL] = "passedProtocol",
	[PASSED_FRAGMENT] = "passedFragment",
	[PASSED_OPTIONS] = "passedOptions",
	[PASSED_EXPIRED] = "passedExpired",
	[PASSED_MALFORMED] = "passedMalformed",
	[PASSED_UNROUTABLE] = "passedUnroutable",
	[PASSED_NO_PORT] = "passedNoPort",
};

const char *counts_of(enum forwarder forwarder)
{
	static char texts[FORWARDERS][512];
	char *text = texts[forwarder], *to = text;
	__u64 sums[COUNTS];
	if (sum_map(MAP_COUNTERS, forwarder, sums, COUNTS) < 0) fail("the counters");
	for (int i = 0; i < COUNTS; i++) to += sprintf(to, "%s\"%s\":%llu", i ? "," : "{", count_names[i], sums[i]);
	strcpy(to, "}");
	return text;
}

/** The line of counters, as `type`. */
static const char *counters_line(const char *type)
{
	static char line[2048];
	long services = count_entries(MAP_SERVICES);
	if (services < 0) fail("the services");
	snprintf(line, sizeof line,
		 "{\"type\":\"%s\",\"of\":\"forward\",\"hook\":\"%s\",\"atNs\":%llu,\"services\":%ld,\"programs\":{\"xdp\":%s,\"tc\":%s}}",
		 type, hook_names[hook], (unsigned long long)now(), services, counts_of(BY_XDP), counts_of(BY_TC));
	return line;
}

static void detach(void)
{
	// Links end with their descriptors; filters are their device's.
	while (filtered > 0) {
		int ifindex = devices[--filtered].ifindex;
		if (own_qdisc[filtered]) remove_clsact(ifindex);
		else remove_filter(ifindex);
	}
}

static int attach_filter(int program, int place)
{
	int had = add_clsact(devices[place].ifindex);
	if (had < 0) return -1;
	own_qdisc[place] = !had;
	if (add_filter(devices[place].ifindex, program, "nodeport") == 0) {
		filtered = place + 1;
		return 0;
	}
	struct failure why = failure;
	if (!had) remove_clsact(devices[place].ifindex);
	failure = why;
	return -1;
}

static void attach(int program)
{
	for (int i = 0; i < device_count; i++) {
		int ifindex = devices[i].ifindex;
		int result = hook == HOOK_XDP	? link_xdp(program, ifindex)
			     : hook == HOOK_TCX ? link_tcx(program, ifindex)
						: attach_filter(program, i);
		if (result >= 0) continue;
		struct failure why = failure;
		detach();
		failure = why;
		fail("attaching the program");
	}
}

static void print_devices(char *to)
{
	for (int i = 0; i < device_count; i++) {
		to += sprintf(to, "%s{\"name\":%s,\"ifindex\":%d}", i ? "," : "", quoted(devices[i].name), devices[i].ifindex);
	}
}

/** Answers the lines that came; returns false at the end of stdin. */
static bool read_commands(void)
{
	static char line[256];
	static size_t length;
	ssize_t got = read(STDIN_FILENO, line + length, sizeof line - length);
	if (got < 0) return errno == EINTR || errno == EAGAIN;
	if (got == 0) return false;
	length += got;
	for (char *end; (end = memchr(line, '\n', length));) {
		*end = 0;
		if (strcmp(line, "counters") == 0) print_line("%s", counters_line("counters"));
		else print_line("{\"type\":\"unknown\",\"command\":%s}", quoted(line));
		length -= end + 1 - line;
		memmove(line, end + 1, length);
	}
	// Longer than any command: what came of it is dropped.
	if (length == sizeof line) length = 0;
	return true;
}

static void serve(int signals, int listener, bool with_stdin)
{
	struct pollfd ready[] = {
		{.fd = signals, .events = POLLIN},
		{.fd = listener, .events = POLLIN},
		{.fd = with_stdin ? STDIN_FILENO : -1, .events = POLLIN},
	};
	while (poll(ready, 3, -1) >= 0 || errno == EINTR) {
		if (ready[0].revents) return;
		if (ready[1].revents) {
			char line[2100];
			int length = snprintf(line, sizeof line, "%s\n", counters_line("counters"));
			answer_locally(listener, line, length);
		}
		if (ready[2].revents && !read_commands()) return;
	}
}

int run_forward(void)
{
	const char *names[MOST_DEVICES];
	char listed[1024];
	hook = choice_argument("hook", "xdp tcx tc", -1);
	device_count = every_argument("device", names, MOST_DEVICES);
	const char *path = required_argument("services");
	if (text_argument("conntrack")) size_map(MAP_FLOWS, number_argument("conntrack", 1024, 1 << 24));
	for (int i = 0; i < device_count; i++)
		devices[i] = hook == HOOK_XDP ? guarded_device(names[i]) : guarded_pod_device(names[i]);
	struct services services = read_services(path);
	int signals = ending_signals();
	// The first failing call must be the one that says why: without rights none of them works.
	uint64_t began = now();
	int xdp = load_program(PROGRAM_XDP);
	int tc = xdp < 0 ? -1 : load_program(PROGRAM_TC);
	if (tc < 0) fail("loading the programs");
	uint64_t loaded = now();
	write_services(&services);
	uint64_t written = now();
	int listener = listen_locally("nodeport-forward");
	uint64_t listening = now();
	attach(hook == HOOK_XDP ? xdp : tc);
	uint64_t attached = now();
	print_devices(listed);
	print_line("{\"type\":\"ready\",\"hook\":\"%s\",\"pid\":%d,\"services\":%u,\"devices\":[%s],\"programs\":{"
		   "\"xdp\":{\"id\":%u,\"attached\":%s},\"tc\":{\"id\":%u,\"attached\":%s}},"
		   "\"loadNs\":%llu,\"servicesNs\":%llu,\"attachNs\":%llu}",
		   hook_names[hook], getpid(), services.count, listed, program_id(xdp), hook == HOOK_XDP ? "true" : "false",
		   program_id(tc), hook == HOOK_XDP ? "false" : "true", (unsigned long long)(loaded - began),
		   (unsigned long long)(written - loaded), (unsigned long long)(attached - listening));
	free(services.list);
	serve(signals, listener, flag_argument("stdin"));
	detach();
	print_line("%s", counters_line("end"));
	return 0;
}
