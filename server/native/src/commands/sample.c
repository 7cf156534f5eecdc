/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "nodeport.h"

/* A prime number near 1,000: in step with no timer of the kernel. */
enum { HERTZ = 999, RING_PAGES = 128 };
enum { MOST_CPUS = 512, DEEPEST = 127, MOST_STACKS = 1 << 15, MOST_TASKS = 1 << 12, LOOK_MS = 100 };

/*
 * The testbed's tasks are in other network namespaces than this program, and descend from the process that has started it.
 * The kernel's own descend from kthreadd, which is always process 2, or are idle.
 */
enum { KTHREADD = 2, MOST_ANCESTORS = 64 };
enum place { ELSEWHERE, TESTBED, KERNEL };

struct task {
	uint32_t id;
	bool known;
	enum place place;
};

struct stack {
	uint64_t samples;
	uint32_t depth;
	enum place place;
	uint64_t addresses[DEEPEST];
};

static struct perf_event_mmap_page *rings[MOST_CPUS];
static unsigned ring_count;
static struct stack *stacks[MOST_STACKS];
/* By the last bits of their ids. */
static struct task tasks[MOST_TASKS];
static char own_namespace[64];
static uint32_t starter;
static uint64_t samples, lost;

/** Begins to sample a CPU, if there is one with this number. The clock's timer does it: many machines have no counters of the processor. */
static void sample_cpu(int cpu)
{
	struct perf_event_attr attributes = {
		.size = sizeof attributes,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.freq = 1,
		.sample_freq = HERTZ,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN,
		.exclude_callchain_user = 1,
		.comm = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attributes, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	// No such CPU, or it is offline.
	if (fd < 0 && (errno == EINVAL || errno == ENODEV)) return;
	if (checked("perf_event_open", fd) < 0) fail("sampling");
	void *ring = mmap(NULL, (1 + RING_PAGES) * sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (checked("mmap(perf_event)", ring == MAP_FAILED ? -1 : 0) < 0) fail("sampling");
	rings[ring_count++] = ring;
}

static void read_namespace(const char *path, char *name, size_t size)
{
	ssize_t length = readlink(path, name, size - 1);
	name[length > 0 ? length : 0] = 0;
}

/** 0 if the task is gone. */
static uint32_t parent_of(uint32_t id)
{
	char path[32], text[512] = "";
	snprintf(path, sizeof path, "/proc/%u/stat", id);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof text - 1) < 0) text[0] = 0;
	if (fd >= 0) close(fd);
	// The name can have spaces and brackets in it.
	const char *name_end = strrchr(text, ')');
	uint32_t parent = 0;
	return name_end != NULL && sscanf(name_end, ") %*c %u", &parent) == 1 ? parent : 0;
}

static bool is_descendant(uint32_t id)
{
	for (int up = 0; up < MOST_ANCESTORS && id != 0; up++) {
		if (id == starter) return true;
		id = parent_of(id);
	}
	return false;
}

static enum place read_place(uint32_t id)
{
	if (id == 0 || parent_of(id) == KTHREADD) return KERNEL;
	char path[48], name[sizeof own_namespace];
	snprintf(path, sizeof path, "/proc/%u/ns/net", id);
	read_namespace(path, name, sizeof name);
	bool is_elsewhere = name[0] == 0 || strcmp(name, own_namespace) == 0;
	return is_elsewhere || !is_descendant(id) ? ELSEWHERE : TESTBED;
}

static enum place place_of(uint32_t id)
{
	struct task *task = &tasks[id % MOST_TASKS];
	if (!task->known || task->id != id) *task = (struct task){.id = id, .known = true, .place = read_place(id)};
	return task->place;
}

/** Counts a stack. @param addresses the innermost first, with the kernel's marks between the parts */
static void count_stack(uint32_t tid, uint64_t depth, const uint64_t *addresses)
{
	struct stack seen = {.samples = 1, .place = place_of(tid)};
	if (seen.place == ELSEWHERE) return;
	for (uint64_t at = 0; at < depth && seen.depth < DEEPEST; at++)
		if (addresses[at] < (uint64_t)PERF_CONTEXT_MAX) seen.addresses[seen.depth++] = addresses[at];
	uint64_t hash = (14695981039346656037u ^ seen.place) * 1099511628211u;
	for (uint32_t at = 0; at < seen.depth; at++) hash = (hash ^ seen.addresses[at]) * 1099511628211u;
	samples++;
	for (unsigned tries = 0; tries < MOST_STACKS; tries++) {
		struct stack **place = &stacks[(hash + tries) % MOST_STACKS];
		if (*place == NULL) {
			*place = malloc(sizeof seen);
			if (*place == NULL) break;
			**place = seen;
			return;
		}
		bool same = (*place)->depth == seen.depth && (*place)->place == seen.place;
		if (!same || memcmp((*place)->addresses, seen.addresses, seen.depth * sizeof seen.addresses[0]) != 0) continue;
		(*place)->samples++;
		return;
	}
	lost++;
}

/** A record of the ring, copied: it can begin at the ring's end and go on at its start. */
static void take_record(const uint8_t *record)
{
	struct perf_event_header header;
	memcpy(&header, record, sizeof header);
	const uint8_t *body = record + sizeof header;
	if (header.type == PERF_RECORD_LOST) {
		uint64_t fields[2];
		memcpy(fields, body, sizeof fields);
		lost += fields[1];
	}
	uint32_t ids[2];
	memcpy(ids, body, sizeof ids);
	// It runs another program now, and can have entered a namespace before.
	if (header.type == PERF_RECORD_COMM) tasks[ids[1] % MOST_TASKS].known = false;
	if (header.type != PERF_RECORD_SAMPLE) return;
	uint64_t depth;
	memcpy(&depth, body + sizeof ids, sizeof depth);
	if (ids[0] != (uint32_t)getpid()) count_stack(ids[1], depth, (const void *)(body + sizeof ids + sizeof depth));
}

static void drain(struct perf_event_mmap_page *ring)
{
	static _Alignas(8) uint8_t record[UINT16_MAX + 1];
	const uint8_t *data = (const uint8_t *)ring + ring->data_offset;
	uint64_t size = ring->data_size;
	uint64_t head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE), tail = ring->data_tail;
	while (tail < head) {
		struct perf_event_header header;
		for (size_t at = 0; at < sizeof header; at++) record[at] = data[(tail + at) % size];
		memcpy(&header, record, sizeof header);
		for (size_t at = sizeof header; at < header.size; at++) record[at] = data[(tail + at) % size];
		take_record(record);
		tail += header.size;
	}
	__atomic_store_n(&ring->data_tail, tail, __ATOMIC_RELEASE);
}

static void drain_all(void)
{
	for (unsigned at = 0; at < ring_count; at++) drain(rings[at]);
}

static void print_stack(const struct stack *stack)
{
	char addresses[DEEPEST * 20 + 1] = "";
	size_t length = 0;
	for (uint32_t at = 0; at < stack->depth; at++)
		length += snprintf(addresses + length, sizeof addresses - length, "%s\"%llx\"", at ? "," : "",
				   (unsigned long long)stack->addresses[at]);
	print_line("{\"type\":\"stack\",\"samples\":%llu,\"place\":\"%s\",\"addresses\":[%s]}",
		   (unsigned long long)stack->samples, stack->place == TESTBED ? "testbed" : "kernel", addresses);
}

/** Samples the kernel's stacks on all CPUs until a signal comes, and prints each stack with how often it was seen. */
int run_sample(void)
{
	int signals = ending_signals();
	starter = getppid();
	read_namespace("/proc/self/ns/net", own_namespace, sizeof own_namespace);
	for (int cpu = 0; cpu < MOST_CPUS; cpu++) sample_cpu(cpu);
	print_line("{\"type\":\"ready\",\"hertz\":%d,\"cpus\":%u}", HERTZ, ring_count);
	// Without a reader of its output it ends, too: nobody would end it.
	struct pollfd ends[] = {{.fd = signals, .events = POLLIN}, {.fd = STDOUT_FILENO}};
	while (poll(ends, 2, LOOK_MS) <= 0) drain_all();
	drain_all();
	for (unsigned at = 0; at < MOST_STACKS; at++)
		if (stacks[at] != NULL) print_stack(stacks[at]);
	print_line("{\"type\":\"end\",\"samples\":%llu,\"lost\":%llu}", (unsigned long long)samples,
		   (unsigned long long)lost);
	return 0;
}
