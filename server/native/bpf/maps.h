/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* The maps. Their definitions are read by the build (scripts/native/bpf.mjs), so this needs no BTF. */
#ifndef NODEPORT_MAPS_H
#define NODEPORT_MAPS_H

#include "kernel.h"
#include "shared.h"

struct map {
	__u32 type, key_size, value_size, max_entries, flags;
};

#define MAP(name, kind, key, value, entries, options)                                                                  \
	SECTION("maps") struct map name = {BPF_MAP_TYPE_##kind, sizeof(key), sizeof(value), entries, options}

MAP(services, HASH, struct service_key, struct backend, 65536, 0);
MAP(flows, LRU_HASH, struct flow_key, struct flow, 262144, 0);
MAP(configs, ARRAY, __u32, struct config, 1, 0);
MAP(counters, PERCPU_ARRAY, __u32, struct counts, FORWARDERS, 0);
MAP(generators, ARRAY, __u32, struct generator, 1, BPF_F_MMAPABLE);
/** The port that the sink counts, in network byte order. */
MAP(sink_ports, ARRAY, __u32, __u32, 1, 0);
MAP(sunk, PERCPU_ARRAY, __u32, __u64, 1, 0);

#endif
