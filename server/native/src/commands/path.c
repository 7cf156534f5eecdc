/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "loader.h"
#include "netlink.h"

#define MOST_ATTACHED 8

/** A file of /proc as text; empty where there is none. */
static const char *file_text(const char *path)
{
	static char text[16384];
	size_t length = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	for (ssize_t got = 1; fd >= 0 && got > 0 && length < sizeof text - 1; length += got) {
		got = read(fd, text + length, sizeof text - 1 - length);
		if (got < 0) break;
	}
	if (fd >= 0) close(fd);
	text[length] = 0;
	return text;
}

static unsigned long long number_in(const char *path)
{
	return strtoull(file_text(path), NULL, 10);
}

/** Packets that this network's IPv4 forwarded: the field of that name, by its place in the line of names. */
static unsigned long long forwarded_ipv4(void)
{
	char *names = strdup(file_text("/proc/net/snmp")), *values = names ? strchr(names, '\n') : NULL;
	unsigned long long found = 0;
	if (!values || strncmp(names, "Ip:", 3) != 0) fail_code("failed", "/proc/net/snmp can't be read.", NULL);
	*values++ = 0;
	char *name_at, *value_at, *name = strtok_r(names, " ", &name_at), *value = strtok_r(values, " \n", &value_at);
	for (; name && value; name = strtok_r(NULL, " ", &name_at), value = strtok_r(NULL, " \n", &value_at)) {
		if (strcmp(name, "ForwDatagrams") == 0) found = strtoull(value, NULL, 10);
	}
	free(names);
	return found;
}

static unsigned long long forwarded_ipv6(void)
{
	static const char name[] = "\nIp6OutForwDatagrams";
	const char *at = strstr(file_text("/proc/net/snmp6"), name);
	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

/** A device, and the programs that see what comes in by it; `null` without such a device. */
static const char *device_words(const char *name)
{
	static char texts[2][1024];
	static int next;
	char *text = texts[next++ % 2];
	struct device device;
	struct attached found[MOST_ATTACHED];
	if (read_device(name, &device) < 0) {
		if (failure.number != ENODEV) fail("reading a device");
		return "null";
	}
	bool is_netkit = strcmp(device.kind, "netkit") == 0;
	int count = (is_netkit ? query_netkit : query_tcx)(device.ifindex, found, MOST_ATTACHED);
	char *to = text + sprintf(text, "{\"name\":%s,\"kind\":%s,\"programs\":", quoted(name), quoted(device.kind));
	if (count < 0) to += sprintf(to, "null");
	for (int i = 0; i < count; i++) {
		to += sprintf(to, "%s{\"programId\":%u,\"linkId\":%u}", i ? "," : "[", found[i].program, found[i].link);
	}
	strcpy(to, count < 0 ? "}" : count == 0 ? "[]}" : "]}");
	return text;
}

int run_path(void)
{
	char route[600] = "null";
	const char *device = required_argument("device"), *wire = required_argument("wire");
	guard_namespace();
	if (ask_locally("nodeport-route", NULL, 0, route, sizeof route) < 0) {
		if (failure.number != ECONNREFUSED) fail("asking the route");
		strcpy(route, "null");
	}
	print_line("{\"type\":\"path\",\"device\":%s,\"wire\":%s,\"forwarding\":{\"ipv4\":%s,\"ipv6\":%s},"
		   "\"forwarded\":{\"ipv4\":%llu,\"ipv6\":%llu},\"tracked\":%llu,\"route\":%s}",
		   device_words(device), device_words(wire), number_in("/proc/sys/net/ipv4/ip_forward") ? "true" : "false",
		   number_in("/proc/sys/net/ipv6/conf/all/forwarding") ? "true" : "false", forwarded_ipv4(), forwarded_ipv6(),
		   number_in("/proc/sys/net/netfilter/nf_conntrack_count"), route);
	return 0;
}
