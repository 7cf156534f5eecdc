/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include "../base/loader.h"
#include "rules.h"

const char *const translate_count_names[TRANSLATE_COUNTS] = {
	[TRANSLATE_RUNS] = "runs",
	[TO_IPV6] = "toIpv6",
	[TO_IPV4] = "toIpv4",
	[ERRORS_TO_IPV6] = "errorsToIpv6",
	[ERRORS_TO_IPV4] = "errorsToIpv4",
	[NEW_SESSIONS] = "newSessions",
	[SESSION_PORTS_CHANGED] = "portsChanged",
	[DROPPED_OTHER] = "droppedOther",
	[DROPPED_MALFORMED] = "droppedMalformed",
	[DROPPED_ADDRESS] = "droppedAddress",
	[DROPPED_SESSION] = "droppedSession",
	[DROPPED_NO_PORT] = "droppedNoPort",
	[DROPPED_FRAGMENT] = "droppedFragment",
	[DROPPED_ROUTING] = "droppedRouting",
	[DROPPED_ICMP] = "droppedIcmp",
	[DROPPED_LOOP] = "droppedLoop",
	[DROPPED_KERNEL] = "droppedKernel",
};

void read_translate_counts(__u64 counts[TRANSLATE_COUNTS])
{
	if (sum_map(MAP_TRANSLATED, 0, counts, TRANSLATE_COUNTS) < 0) fail("the counters");
}

const char *translate_counts(void)
{
	static char text[1024];
	__u64 counts[TRANSLATE_COUNTS];
	char *to = text;
	read_translate_counts(counts);
	for (int i = 0; i < TRANSLATE_COUNTS; i++) {
		to += sprintf(to, "%s\"%s\":%llu", i ? "," : "", translate_count_names[i], counts[i]);
	}
	return text;
}
