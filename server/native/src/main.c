/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include "nodeport.h"

static const struct {
	const char *name, *arguments;
	int (*run)(void);
	const char *usage;
} commands[] = {
	{"forward", "hook device* services conntrack stdin!", run_forward,
	 "forward --hook xdp|tcx|tc --device D [--device D ...] --services FILE|- [--conntrack N] [--stdin]"},
	{"balance", "hook device", run_balance, "balance --hook xdp|tcx --device D"},
	{"rebalance", "service backend* choice replies table", run_rebalance,
	 "rebalance --service ADDRESS --backend ADDRESS [--backend ADDRESS ...] --choice hash|random\n"
	 "           --replies balancer|direct --table FILE|-"},
	{"counters", "of", run_counters, "counters --of forward|sink|translate|route|pace|balance|connect"},
	{"generate", "method device to port rate new-flows flows size seconds source sources first-port", run_generate,
	 "generate --method xdp|ring --device D --to ADDRESS --port P --rate PPS|max | --new-flows PER_SECOND|max\n"
	 "           [--flows N] [--size BYTES] [--seconds S] [--source ADDRESS] [--sources N] [--first-port P]"},
	{"sink", "method device port", run_sink, "sink --method xdp|socket --device D --port P"},
	{"echo", "port peers!", run_echo, "echo --port P [--peers]"},
	{"page", "address port title", run_page, "page --address A --port P --title TEXT"},
	{"handshake", "address port protocol timeout-ms source-port", run_handshake,
	 "handshake --address A --port P [--protocol tcp|udp|both] [--timeout-ms MS] [--source-port P]"},
	{"device", "device gro tx-checksum threaded", run_device,
	 "device --device D [--gro on|off] [--tx-checksum on|off] [--threaded on|off]"},
	{"route", "device wire pod*", run_route, "route --device D --wire W --pod ADDRESS [--pod ADDRESS]"},
	{"pace", "wire mbit pod*", run_pace, "pace --wire W --mbit N --pod ADDRESS [--pod ADDRESS]"},
	{"connect", "services", run_connect, "connect --services FILE|-"},
	{"bulk", "port bytes", run_bulk, "bulk --port P --bytes N"},
	{"fetch", "address port bytes count pause-ms", run_fetch,
	 "fetch --address A --port P --bytes N --count N --pause-ms MS"},
	{"path", "device wire", run_path, "path --device D --wire W"},
	{"ping", "address count timeout-ms", run_ping, "ping --address A --count N --timeout-ms MS"},
	{"send", "device", run_send, "send --device D"},
	{"translate", "device rules", run_translate, "translate --device D --rules FILE|-"},
	{"translate-sessions", "most", run_translate_sessions, "translate-sessions [--most N]"},
	{"translate-frames", "rules", run_translate_frames, "translate-frames --rules FILE"},
	{"sample", "", run_sample, "sample"},
	{"loaded", "", run_loaded, "loaded"},
	{"preflight", "", run_preflight, "preflight"},
};
#define COMMANDS (sizeof commands / sizeof commands[0])

static int help(void)
{
	printf("nodeport: forwards, makes and counts packets for the labs. Results are JSON lines.\n\n");
	for (size_t i = 0; i < COMMANDS; i++) printf("  nodeport %s\n", commands[i].usage);
	printf("  nodeport mark COMMAND [ARGUMENT ...]\n");
	printf("  nodeport --help | --version\n");
	return 0;
}

int main(int count, char **values)
{
	if (count < 2) bad_argument("", "a subcommand is required: see --help");
	bool alone = count == 2 || (count == 3 && strcmp(values[2], "--help") == 0);
	if (alone && strcmp(values[1], "--version") == 0) {
		print_line("{\"type\":\"version\",\"version\":\"" VERSION "\",\"arch\":\"" ARCHITECTURE "\"}");
		return 0;
	}
	if (alone && (strcmp(values[1], "--help") == 0 || count == 3)) return help();
	// All that follows is the command's own.
	if (strcmp(values[1], "mark") == 0) return run_mark(values + 2);
	for (size_t i = 0; i < COMMANDS; i++) {
		if (strcmp(values[1], commands[i].name) != 0) continue;
		read_arguments(count - 2, values + 2, commands[i].arguments);
		return commands[i].run();
	}
	bad_argument(values[1], "there is no such subcommand: see --help");
}
