/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "loader.h"
#include "sink.h"

#ifndef SO_MEMINFO
#define SO_MEMINFO 55
#endif

int open_counting_socket(const char *device, uint16_t port)
{
	struct sock_filter nothing[] = {{BPF_RET | BPF_K, 0, 0, 0}};
	struct sock_fprog filter = {1, nothing};
	struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
	int yes = 1, no = 0;
	int fd = checked("socket(AF_INET6)", socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0));
	if (fd < 0) return -1;
	if (checked("setsockopt(SO_REUSEADDR)", setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes)) < 0 ||
	    checked("setsockopt(IPV6_V6ONLY)", setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no)) < 0 ||
	    checked("setsockopt(SO_BINDTODEVICE)", setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, device, strlen(device))) < 0 ||
	    checked("setsockopt(SO_ATTACH_FILTER)", setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter)) < 0 ||
	    checked("bind", bind(fd, (void *)&address, sizeof address)) < 0)
		return -1;
	return fd;
}

int counted_by_socket(int fd, uint32_t *drops)
{
	uint32_t info[SK_MEMINFO_VARS];
	socklen_t length = sizeof info;
	if (checked("getsockopt(SO_MEMINFO)", getsockopt(fd, SOL_SOCKET, SO_MEMINFO, info, &length)) < 0) return -1;
	*drops = info[SK_MEMINFO_DROPS];
	return 0;
}

static int counting = -1;
static uint64_t began;

static unsigned long long packets(void)
{
	static uint64_t total;
	static uint32_t last;
	if (counting < 0) {
		__u64 sum;
		if (sum_map(MAP_SUNK, 0, &sum, 1) < 0) fail("the counters");
		return sum;
	}
	// The kernel counts in 32 bits: it is read far more often than they overflow.
	uint32_t drops;
	if (counted_by_socket(counting, &drops) < 0) fail("the counters");
	total += (uint32_t)(drops - last);
	last = drops;
	return total;
}

static const char *counters_line(const char *type)
{
	static char line[128];
	uint64_t at = now() - began;
	snprintf(line, sizeof line, "{\"type\":\"%s\",\"of\":\"sink\",\"atNs\":%llu,\"packets\":%llu}", type,
		 (unsigned long long)at, packets());
	return line;
}

static void begin_xdp(const struct device *device, uint16_t port, char *fields, size_t room)
{
	uint32_t zero = 0, network_order = htons(port);
	if (write_map(MAP_SINK_PORTS, &zero, &network_order) < 0) fail("the sink");
	int program = load_program(PROGRAM_SINK);
	if (program < 0 || link_xdp(program, device->ifindex) < 0) fail("the sink");
	snprintf(fields, room, ",\"programId\":%u", program_id(program));
}

int run_sink(void)
{
	int by_socket = choice_argument("method", "xdp socket", -1);
	const char *name = required_argument("device");
	uint16_t port = number_argument("port", 1, 65535);
	struct device device = by_socket ? guarded_pod_device(name) : guarded_device(name);
	char fields[64] = "";
	int signals = ending_signals(), listener = listen_locally("nodeport-sink");
	if (by_socket && (counting = open_counting_socket(name, port)) < 0) fail("the sink");
	if (!by_socket) begin_xdp(&device, port, fields, sizeof fields);
	began = now();
	print_line("{\"type\":\"ready\",\"method\":\"%s\",\"pid\":%d,\"device\":%s%s}", by_socket ? "socket" : "xdp", getpid(),
		   quoted(name), fields);
	int timer = timer_every(NS_PER_SECOND / 5);
	struct pollfd ready[] = {
		{.fd = signals, .events = POLLIN},
		{.fd = listener, .events = POLLIN},
		{.fd = timer, .events = POLLIN},
	};
	while (poll(ready, 3, -1) >= 0 || errno == EINTR) {
		uint64_t times;
		if (ready[0].revents) break;
		if (ready[1].revents) {
			char line[130];
			int length = snprintf(line, sizeof line, "%s\n", counters_line("counters"));
			answer_locally(listener, line, length);
		}
		if (ready[2].revents && read(timer, &times, sizeof times) > 0) print_line("%s", counters_line("counters"));
	}
	print_line("%s", counters_line("end"));
	return 0;
}
