/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "loader.h"

static const char *const count_names[ROUTE_COUNTS] = {
	[OUT_RUNS] = "outRuns",
	[OUT_REDIRECTED] = "outRedirected",
	[IN_RUNS] = "inRuns",
	[IN_REDIRECTED] = "inRedirected",
};

/** The line of counters, as `type`. */
static const char *counters_line(const char *type)
{
	static char line[512];
	__u64 sums[ROUTE_COUNTS];
	if (sum_map(MAP_ROUTE_COUNTERS, 0, sums, ROUTE_COUNTS) < 0) fail("the counters");
	char *to = line + sprintf(line, "{\"type\":\"%s\",\"of\":\"route\",\"atNs\":%llu", type, (unsigned long long)now());
	for (int i = 0; i < ROUTE_COUNTS; i++) to += sprintf(to, ",\"%s\":%llu", count_names[i], sums[i]);
	strcpy(to, "}");
	return line;
}

int run_route(void)
{
	struct route route = {0};
	uint32_t zero = 0;
	const char *device_name = required_argument("device"), *wire_name = required_argument("wire");
	pod_arguments(route.pod);
	struct device device = guarded_end(device_name), wire = guarded_device(wire_name);
	bool is_netkit = strcmp(device.kind, "netkit") == 0;
	route.device = device.ifindex;
	route.wire = wire.ifindex;
	int signals = ending_signals();
	int to_node = load_program(PROGRAM_TO_NODE);
	int to_pod = to_node < 0 ? -1 : load_program(PROGRAM_TO_POD);
	if (to_pod < 0) fail("loading the programs");
	if (write_map(MAP_ROUTES, &zero, &route) < 0) fail("the route");
	int listener = listen_locally("nodeport-route");
	// First the way in: with the way out alone a pod would get no answer.
	if (link_tcx(to_pod, wire.ifindex) < 0) fail("attaching to the wire");
	int link = is_netkit ? link_netkit(to_node, device.ifindex) : link_tcx(to_node, device.ifindex);
	if (link < 0) fail("attaching to the pod's device");
	print_line("{\"type\":\"ready\",\"of\":\"route\",\"pid\":%d,\"device\":{\"name\":%s,\"kind\":%s,\"programId\":%u},"
		   "\"wire\":{\"name\":%s,\"kind\":%s,\"programId\":%u}}",
		   getpid(), quoted(device.name), quoted(device.kind), program_id(to_node), quoted(wire.name), quoted(wire.kind),
		   program_id(to_pod));
	serve_counters(signals, listener, counters_line);
	print_line("%s", counters_line("end"));
	return 0;
}
