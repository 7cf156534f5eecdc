/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "loader.h"

/** bpf_fib_lookup is for GPL-compatible programs alone; the sources of the programs are GPL-2.0 OR Apache-2.0. */
#define LICENSE "GPL"

/** No key of a map is longer. */
#define MOST_KEY_BYTES 64

static int maps[MAPS];
static uint32_t sizes[MAPS];

static const char *const call_names[] = {
	[BPF_MAP_CREATE] = "bpf(BPF_MAP_CREATE)",
	[BPF_MAP_LOOKUP_ELEM] = "bpf(BPF_MAP_LOOKUP_ELEM)",
	[BPF_MAP_UPDATE_ELEM] = "bpf(BPF_MAP_UPDATE_ELEM)",
	[BPF_MAP_LOOKUP_BATCH] = "bpf(BPF_MAP_LOOKUP_BATCH)",
	[BPF_MAP_GET_NEXT_KEY] = "bpf(BPF_MAP_GET_NEXT_KEY)",
	[BPF_PROG_LOAD] = "bpf(BPF_PROG_LOAD)",
	[BPF_PROG_TEST_RUN] = "bpf(BPF_PROG_TEST_RUN)",
	[BPF_PROG_GET_NEXT_ID] = "bpf(BPF_PROG_GET_NEXT_ID)",
	[BPF_MAP_GET_NEXT_ID] = "bpf(BPF_MAP_GET_NEXT_ID)",
	[BPF_PROG_GET_FD_BY_ID] = "bpf(BPF_PROG_GET_FD_BY_ID)",
	[BPF_MAP_GET_FD_BY_ID] = "bpf(BPF_MAP_GET_FD_BY_ID)",
	[BPF_OBJ_GET_INFO_BY_FD] = "bpf(BPF_OBJ_GET_INFO_BY_FD)",
	[BPF_PROG_QUERY] = "bpf(BPF_PROG_QUERY)",
	[BPF_LINK_CREATE] = "bpf(BPF_LINK_CREATE)",
};

static int bpf(enum bpf_cmd command, union bpf_attr *attributes)
{
	return checked(call_names[command], syscall(SYS_bpf, command, attributes, sizeof *attributes));
}

static uint64_t pointer(const void *to)
{
	return (uint64_t)(uintptr_t)to;
}

void size_map(enum map_name name, uint32_t entries)
{
	sizes[name] = entries;
}

int map_of(enum map_name name)
{
	// 0 is stdin: no map has it.
	if (maps[name] > 0) return maps[name];
	const struct map_image *image = &map_images[name];
	union bpf_attr a = {
		.map_type = image->type,
		.key_size = image->key_size,
		.value_size = image->value_size,
		.max_entries = sizes[name] ? sizes[name] : image->max_entries,
		.map_flags = image->flags,
	};
	snprintf(a.map_name, sizeof a.map_name, NAME_PREFIX "%s", image->name);
	return maps[name] = bpf(BPF_MAP_CREATE, &a);
}

int write_map(enum map_name name, const void *key, const void *value)
{
	union bpf_attr a = {.map_fd = map_of(name), .key = pointer(key), .value = pointer(value)};
	return maps[name] < 0 ? -1 : bpf(BPF_MAP_UPDATE_ELEM, &a);
}

int read_map(enum map_name name, const void *key, void *value)
{
	union bpf_attr a = {.map_fd = map_of(name), .key = pointer(key), .value = pointer(value)};
	return maps[name] < 0 ? -1 : bpf(BPF_MAP_LOOKUP_ELEM, &a);
}

long count_entries(enum map_name name)
{
	uint8_t key[MOST_KEY_BYTES];
	// Without a key it is the first one that comes next.
	union bpf_attr a = {.map_fd = map_of(name), .next_key = pointer(key)};
	if (maps[name] < 0) return -1;
	for (long entries = 0;; entries++) {
		if (bpf(BPF_MAP_GET_NEXT_KEY, &a) < 0) return failure.number == ENOENT ? entries : -1;
		a.key = pointer(key);
	}
}

int next_batch(struct batch *batch)
{
	uint32_t place = 0;
	union bpf_attr a = {
		.batch = {
			.in_batch = batch->begun ? pointer(&batch->place) : 0,
			.out_batch = pointer(&place),
			.keys = pointer(batch->keys),
			.values = pointer(batch->values),
			.count = batch->room,
			.map_fd = batch->map,
		},
	};
	int result = bpf(BPF_MAP_LOOKUP_BATCH, &a);
	batch->ended = result < 0;
	if (result < 0 && failure.number != ENOENT) return -1;
	batch->count = a.batch.count;
	batch->place = place;
	batch->begun = true;
	return 0;
}

int sum_map(enum map_name name, uint32_t key, __u64 *sums, int words)
{
	// More than the CPUs that are counted here could be possible: there is room for all that Linux knows.
	size_t room = (size_t)8192 * words;
	__u64 *values = calloc(room, sizeof *values);
	if (!values) return checked("calloc", -1);
	int result = read_map(name, &key, values);
	for (int word = 0; word < words; word++) {
		sums[word] = 0;
		for (size_t at = word; at < room; at += words) sums[word] += values[at];
	}
	free(values);
	return result;
}

void *share_map(enum map_name name)
{
	int fd = map_of(name);
	size_t page = sysconf(_SC_PAGESIZE), size = (map_images[name].value_size + page - 1) / page * page;
	if (fd < 0) return NULL;
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory != MAP_FAILED) return memory;
	checked("mmap(BPF map)", -1);
	return NULL;
}

int load_program(enum program_name name)
{
	static const struct {
		enum bpf_prog_type type;
		enum bpf_attach_type attach;
	} kinds[PROGRAMS] = {
		[PROGRAM_XDP] = {BPF_PROG_TYPE_XDP, BPF_XDP},
		[PROGRAM_TC] = {BPF_PROG_TYPE_SCHED_CLS, 0},
		[PROGRAM_BALANCE_XDP] = {BPF_PROG_TYPE_XDP, BPF_XDP},
		[PROGRAM_BALANCE_TC] = {BPF_PROG_TYPE_SCHED_CLS, 0},
		[PROGRAM_GENERATE] = {BPF_PROG_TYPE_XDP, BPF_XDP},
		[PROGRAM_SINK] = {BPF_PROG_TYPE_XDP, BPF_XDP},
		[PROGRAM_TRANSLATE] = {BPF_PROG_TYPE_SCHED_CLS, 0},
		[PROGRAM_TO_NODE] = {BPF_PROG_TYPE_SCHED_CLS, 0},
		[PROGRAM_TO_POD] = {BPF_PROG_TYPE_SCHED_CLS, 0},
		[PROGRAM_PACE] = {BPF_PROG_TYPE_SCHED_CLS, 0},
		[PROGRAM_CONNECT4] = {BPF_PROG_TYPE_CGROUP_SOCK_ADDR, BPF_CGROUP_INET4_CONNECT},
		[PROGRAM_CONNECT6] = {BPF_PROG_TYPE_CGROUP_SOCK_ADDR, BPF_CGROUP_INET6_CONNECT},
	};
	const struct program_image *image = &program_images[name];
	size_t size = image->count * sizeof(struct bpf_insn);
	struct bpf_insn *code = malloc(size);
	if (!code) return checked("malloc", -1);
	memcpy(code, image->code, size);
	for (uint32_t i = 0; i < image->use_count; i++) {
		struct bpf_insn *at = &code[image->uses[i].instruction];
		int map = map_of(image->uses[i].map);
		if (map < 0) {
			free(code);
			return -1;
		}
		at->src_reg = BPF_PSEUDO_MAP_FD;
		at->imm = map;
	}
	union bpf_attr a = {
		.prog_type = kinds[name].type,
		.expected_attach_type = kinds[name].attach,
		.insns = pointer(code),
		.insn_cnt = image->count,
		.license = pointer(LICENSE),
	};
	snprintf(a.prog_name, sizeof a.prog_name, NAME_PREFIX "%s", image->name);
	int fd = bpf(BPF_PROG_LOAD, &a);
	free(code);
	return fd;
}

uint32_t program_id(int program)
{
	struct bpf_prog_info info = {0};
	union bpf_attr a = {.info = {.bpf_fd = program, .info_len = sizeof info, .info = pointer(&info)}};
	return bpf(BPF_OBJ_GET_INFO_BY_FD, &a) < 0 ? 0 : info.id;
}

static int link_create(int program, int ifindex, enum bpf_attach_type type, uint32_t flags)
{
	union bpf_attr a = {
		.link_create = {.prog_fd = program, .target_ifindex = ifindex, .attach_type = type, .flags = flags},
	};
	return bpf(BPF_LINK_CREATE, &a);
}

int link_xdp(int program, int ifindex)
{
	// XDP_FLAGS_DRV_MODE of linux/if_link.h: native, or not at all.
	return link_create(program, ifindex, BPF_XDP, 1u << 2);
}

int link_tcx(int program, int ifindex)
{
	return link_create(program, ifindex, BPF_TCX_INGRESS, 0);
}

int link_tcx_egress(int program, int ifindex)
{
	return link_create(program, ifindex, BPF_TCX_EGRESS, 0);
}

int link_netkit(int program, int ifindex)
{
	return link_create(program, ifindex, BPF_NETKIT_PEER, 0);
}

int link_connect(int program, int cgroup, enum family family)
{
	// The target's index and its descriptor are one field.
	return link_create(program, cgroup, family == IPV4 ? BPF_CGROUP_INET4_CONNECT : BPF_CGROUP_INET6_CONNECT, 0);
}

int run_live(int program, const void *frame, uint32_t size, uint32_t repeat, uint32_t batch)
{
	struct xdp_md context = {.data_end = size};
	union bpf_attr a = {
		.test = {
			.prog_fd = program,
			.data_in = pointer(frame),
			.data_size_in = size,
			.ctx_in = pointer(&context),
			.ctx_size_in = sizeof context,
			.repeat = repeat,
			.batch_size = batch,
			.flags = BPF_F_TEST_XDP_LIVE_FRAMES,
		},
	};
	return bpf(BPF_PROG_TEST_RUN, &a);
}

int run_frame(int program, const void *frame, uint32_t *size, void *out, uint32_t room)
{
	union bpf_attr a = {
		.test = {
			.prog_fd = program,
			.data_in = pointer(frame),
			.data_size_in = *size,
			.data_out = pointer(out),
			.data_size_out = room,
			.repeat = 1,
		},
	};
	if (bpf(BPF_PROG_TEST_RUN, &a) < 0) return -1;
	*size = a.test.data_size_out;
	return a.test.retval;
}

static int query(int ifindex, enum bpf_attach_type type, struct attached *found, int most)
{
	uint32_t programs[16] = {0}, links[16] = {0};
	union bpf_attr a = {
		.query = {
			.target_ifindex = ifindex,
			.attach_type = type,
			.prog_ids = pointer(programs),
			.link_ids = pointer(links),
			.count = most < 16 ? most : 16,
		},
	};
	if (bpf(BPF_PROG_QUERY, &a) < 0) return errno == ENOENT ? 0 : -1;
	for (uint32_t i = 0; i < a.query.count; i++) found[i] = (struct attached){programs[i], links[i]};
	return a.query.count;
}

int query_tcx(int ifindex, struct attached *found, int most)
{
	return query(ifindex, BPF_TCX_INGRESS, found, most);
}

int query_netkit(int ifindex, struct attached *found, int most)
{
	return query(ifindex, BPF_NETKIT_PEER, found, most);
}

/** The name of an object by its id, if it is there and of this helper. */
static bool own_name(enum bpf_cmd open, uint32_t id, char name[BPF_OBJ_NAME_LEN])
{
	union bpf_attr by_id = {.prog_id = id};
	struct bpf_prog_info program = {0};
	struct bpf_map_info map = {0};
	bool is_map = open == BPF_MAP_GET_FD_BY_ID;
	int fd = bpf(open, &by_id);
	// It can have ended since it was listed.
	if (fd < 0) return false;
	union bpf_attr a = {
		.info = {
			.bpf_fd = fd,
			.info_len = is_map ? sizeof map : sizeof program,
			.info = is_map ? pointer(&map) : pointer(&program),
		},
	};
	int result = bpf(BPF_OBJ_GET_INFO_BY_FD, &a);
	close(fd);
	memcpy(name, is_map ? map.name : program.name, BPF_OBJ_NAME_LEN);
	return result == 0 && strncmp(name, NAME_PREFIX, strlen(NAME_PREFIX)) == 0;
}

int list_loaded(bool are_maps, void each(uint32_t id, const char *name))
{
	enum bpf_cmd next = are_maps ? BPF_MAP_GET_NEXT_ID : BPF_PROG_GET_NEXT_ID;
	enum bpf_cmd open = are_maps ? BPF_MAP_GET_FD_BY_ID : BPF_PROG_GET_FD_BY_ID;
	union bpf_attr a = {.start_id = 0};
	char name[BPF_OBJ_NAME_LEN + 1] = "";
	while (bpf(next, &a) == 0) {
		if (own_name(open, a.next_id, name)) each(a.next_id, name);
		a = (union bpf_attr){.start_id = a.next_id};
	}
	return failure.number == ENOENT ? 0 : -1;
}
