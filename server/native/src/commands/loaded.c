/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include "loader.h"

static char text[2][6000];
static int which;

static void add(uint32_t id, const char *name)
{
	char *list = text[which], *end = list + strlen(list);
	// What does not fit is far more than this helper ever leaves: that there is something is what counts.
	if (end - list > (int)sizeof text[0] - 128) return;
	sprintf(end, "%s{\"id\":%u,\"name\":%s}", *list ? "," : "", id, quoted(name));
}

int run_loaded(void)
{
	for (which = 0; which < 2; which++) {
		if (list_loaded(which, add) < 0) fail("listing what is loaded");
	}
	print_line("{\"type\":\"loaded\",\"programs\":[%s],\"maps\":[%s]}", text[0], text[1]);
	return 0;
}
