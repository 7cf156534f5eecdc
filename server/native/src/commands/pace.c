/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <unistd.h>
#include "loader.h"

#define BYTES_IN_MEGABIT 125000
/** As Cilium has it. */
#define HORIZON (2 * NS_PER_SECOND)

static unsigned long long megabits;

static const char *counters_line(const char *type)
{
	static char line[256];
	struct pace pace;
	uint32_t zero = 0;
	if (read_map(MAP_PACES, &zero, &pace) < 0) fail("the counters");
	snprintf(line, sizeof line, "{\"type\":\"%s\",\"of\":\"pace\",\"atNs\":%llu,\"mbit\":%llu,\"passed\":%llu,\"dropped\":%llu}",
		 type, (unsigned long long)now(), megabits, pace.passed, pace.dropped);
	return line;
}

int run_pace(void)
{
	struct pace pace = {.horizon = HORIZON};
	uint32_t zero = 0;
	const char *wire_name = required_argument("wire");
	megabits = number_argument("mbit", 1, 100000);
	pace.bytes_per_second = megabits * BYTES_IN_MEGABIT;
	pod_arguments(pace.pod);
	struct device wire = guarded_device(wire_name);
	int signals = ending_signals();
	int program = load_program(PROGRAM_PACE);
	if (program < 0) fail("loading the program");
	if (write_map(MAP_PACES, &zero, &pace) < 0) fail("the limit");
	int listener = listen_locally("nodeport-pace");
	if (link_tcx_egress(program, wire.ifindex) < 0) fail("attaching to the wire");
	print_line("{\"type\":\"ready\",\"of\":\"pace\",\"pid\":%d,\"mbit\":%llu,\"programId\":%u}", getpid(), megabits, program_id(program));
	serve_counters(signals, listener, counters_line);
	print_line("%s", counters_line("end"));
	return 0;
}
