/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include "nodeport.h"

int run_counters(void)
{
	static const char *const names[] = {"nodeport-forward", "nodeport-sink", "nodeport-translate", "nodeport-route", "nodeport-pace", "nodeport-balance", "nodeport-connect"};
	const char *name = names[choice_argument("of", "forward sink translate route pace balance connect", -1)];
	char line[12288];
	guard_namespace();
	if (ask_locally(name, NULL, 0, line, sizeof line) < 0) {
		if (failure.number != ECONNREFUSED) fail("asking for counters");
		fail_code("not_running", "No such process runs in this network namespace.", NULL);
	}
	print_line("%s", line);
	return 0;
}
