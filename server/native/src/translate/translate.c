/* SPDX-License-Identifier: Apache-2.0 */
/* Holds the translator at the egress of its device. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>
#include "../base/loader.h"
#include "rules.h"

static const char *counters_line(const char *type)
{
	static char line[2048];
	long sessions = count_entries(MAP_SESSIONS);
	if (sessions < 0) fail("the sessions");
	snprintf(line, sizeof line, "{\"type\":\"%s\",\"of\":\"translate\",\"atNs\":%llu,\"entries\":%ld,\"counts\":{%s}}", type,
		 (unsigned long long)now(), sessions, translate_counts());
	return line;
}

static void serve(int signals, int listener, int sessions, const struct rules *rules)
{
	struct pollfd ready[] = {
		{.fd = signals, .events = POLLIN},
		{.fd = listener, .events = POLLIN},
		{.fd = sessions, .events = POLLIN},
	};
	while (poll(ready, 3, -1) >= 0 || errno == EINTR) {
		char line[2100];
		if (ready[0].revents) return;
		if (ready[2].revents) hand_out_sessions(sessions, rules);
		if (!ready[1].revents) continue;
		answer_locally(listener, line, snprintf(line, sizeof line, "%s\n", counters_line("counters")));
	}
}

int run_translate(void)
{
	const char *path = required_argument("rules");
	struct device device = guarded_device(required_argument("device"));
	int signals = ending_signals();
	uint64_t began = now();
	int program = load_program(PROGRAM_TRANSLATE);
	if (program < 0) fail("loading the program");
	uint64_t loaded = now();
	struct rules rules = read_rules(path);
	write_rules(&rules);
	int listener = listen_locally("nodeport-translate");
	int asked = offer_sessions();
	int link = link_tcx_egress(program, device.ifindex);
	if (link < 0) fail("attaching the program");
	print_line("{\"type\":\"ready\",\"pid\":%d,\"device\":{\"name\":%s,\"ifindex\":%d},\"programId\":%u,\"loadNs\":%llu}", getpid(),
		   quoted(device.name), device.ifindex, program_id(program), (unsigned long long)(loaded - began));
	serve(signals, listener, asked, &rules);
	close(link);
	print_line("%s", counters_line("end"));
	return 0;
}
