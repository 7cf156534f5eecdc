/* SPDX-License-Identifier: Apache-2.0 */
/* What `forward` forwards, and `connect` translates: the JSON of the README, read strictly. */
#ifndef NODEPORT_SERVICES_H
#define NODEPORT_SERVICES_H

#include "nodeport.h"

#define MOST_SERVICES 65536

struct service {
	struct service_key key;
	struct backend backend;
};

struct services {
	struct config config;
	struct service *list;
	uint32_t count;
};

/** Reads a file, or one line of stdin for `-`; ends the process with `bad_services` if it is wrong. */
struct services read_services(const char *path);
/** Fills the maps; ends the process if the kernel refuses. */
void write_services(const struct services *services);

#endif
