/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the BPF programs that are inside this program, with bpf(2) alone. */
#ifndef NODEPORT_LOADER_H
#define NODEPORT_LOADER_H

#include <linux/bpf.h>
#include "nodeport.h"

/* Made by scripts/native/bpf.mjs of the BPF object. */

struct map_image {
	const char *name;
	uint32_t type, key_size, value_size, max_entries, flags;
};

struct map_use {
	uint32_t instruction, map;
};

struct program_image {
	const char *name;
	const __u64 *code;
	uint32_t count;
	const struct map_use *uses;
	uint32_t use_count;
};

enum map_name { MAP_SERVICES, MAP_FLOWS, MAP_CONFIGS, MAP_COUNTERS, MAP_GENERATORS, MAP_SINK_PORTS, MAP_SUNK, MAP_BALANCES, MAP_BUCKETS, MAP_BALANCED, MAP_TRANSLATIONS, MAP_PAIRS, MAP_SESSIONS, MAP_FRAGMENTS, MAP_WORKS, MAP_TRANSLATED, MAP_ROUTES, MAP_ROUTE_COUNTERS, MAP_PACES, MAP_CONNECTS, MAPS };
enum program_name { PROGRAM_XDP, PROGRAM_BALANCE_XDP, PROGRAM_TC, PROGRAM_BALANCE_TC, PROGRAM_GENERATE, PROGRAM_SINK, PROGRAM_TRANSLATE, PROGRAM_TO_NODE, PROGRAM_TO_POD, PROGRAM_PACE, PROGRAM_CONNECT4, PROGRAM_CONNECT6, PROGRAMS };

extern const struct map_image map_images[MAPS];
extern const struct program_image program_images[PROGRAMS];

/* Each returns a descriptor or 0, or -1 with `failure` set. */

/** The map of this process, made when it is first asked for. */
int map_of(enum map_name name);
/** Before the map is made: it gets this many entries. */
void size_map(enum map_name name, uint32_t entries);
int write_map(enum map_name name, const void *key, const void *value);
/** Reads one value, of all CPUs if the map has one for each. */
int read_map(enum map_name name, const void *key, void *value);
/** Counts the entries of a hash map, in the kernel; nothing may change it meanwhile. */
long count_entries(enum map_name name);
/** Goes through a hash map; what changes meanwhile is there or not, and nothing comes twice. */
struct batch {
	int map;
	/** For `room` of them each; more than a bucket of the map has. */
	void *keys, *values;
	uint32_t room;
	/** How many came; whether these were the last. */
	uint32_t count;
	bool ended;
	/** Where it goes on. */
	bool begun;
	uint32_t place;
};
int next_batch(struct batch *batch);
/** The sum over all CPUs of a value that is `words` numbers. */
int sum_map(enum map_name name, uint32_t key, __u64 *sums, int words);
/** The map's memory, which BPF_F_MMAPABLE allows to share; null if it can't be. */
void *share_map(enum map_name name);

int load_program(enum program_name name);
uint32_t program_id(int program);
/** Attaches to the ingress of a device; the link ends with its descriptor. */
int link_xdp(int program, int ifindex);
int link_tcx(int program, int ifindex);
/** At the egress: the program sees what the kernel sends to the device. */
int link_tcx_egress(int program, int ifindex);
/** Inside a netkit device, for what its other end sends: `ifindex` is the primary's, which the pod does not have. */
int link_netkit(int program, int ifindex);
/** At connect() of the sockets of a cgroup, which is given by a descriptor of its directory. */
int link_connect(int program, int cgroup, enum family family);
/** Live frames until the repeats are used up or a signal comes. */
int run_live(int program, const void *frame, uint32_t size, uint32_t repeat, uint32_t batch);
/** Runs a tc program on one frame; `size` is that of `frame` and becomes that of `out`, which has `room`. Returns its verdict. */
int run_frame(int program, const void *frame, uint32_t *size, void *out, uint32_t room);

/** Programs and maps have this in front of their names in the kernel. */
#define NAME_PREFIX "np_"
/** Calls `each` for all programs or maps of this helper in the kernel, of whatever process. */
int list_loaded(bool are_maps, void each(uint32_t id, const char *name));

struct attached {
	uint32_t program, link;
};
/** What is attached at tcx's ingress of a device: up to `most`; returns how many. */
int query_tcx(int ifindex, struct attached *found, int most);
/** The same for what a netkit device does with the packets of its other end. */
int query_netkit(int ifindex, struct attached *found, int most);

#endif
