/* SPDX-License-Identifier: Apache-2.0 */
#include <linux/perf_event.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "nodeport.h"

/* A prime number near 1,000: in step with no timer of the kernel. */
enum { HERTZ = 999, RING_PAGES = 128, PAGE_BYTES = 4096, RING_BYTES = RING_PAGES * PAGE_BYTES };
enum { MOST_CPUS = 512, DEEPEST = 127, MOST_STACKS = 1 << 15, MOST_TASKS = 1 << 12, TASK_NAME = 16, LOOK_MS = 100 };

struct task {
	uint32_t id;
	char name[TASK_NAME];
};

struct stack {
	uint64_t samples;
	uint32_t depth;
	char task[TASK_NAME];
	uint64_t addresses[DEEPEST];
};

static struct perf_event_mmap_page *rings[MOST_CPUS];
static unsigned ring_count;
static struct stack *stacks[MOST_STACKS];
/* By the last bits of their ids. */
static struct task tasks[MOST_TASKS];
static uint64_t samples, lost;

static long perf_event_open(struct perf_event_attr *attributes, int cpu)
{
	return syscall(SYS_perf_event_open, attributes, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/** Begins to sample one CPU. The clock's timer does it: many machines have no counters of the processor. */
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
		.exclude_idle = 1,
		.comm = 1,
	};
	int fd = checked("perf_event_open", perf_event_open(&attributes, cpu));
	if (fd < 0) fail("sampling");
	void *ring = mmap(NULL, PAGE_BYTES + RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (checked("mmap(perf_event)", ring == MAP_FAILED ? -1 : 0) < 0) fail("sampling");
	rings[ring_count++] = ring;
}

static void name_task(uint32_t id, const char *name)
{
	struct task *task = &tasks[id % MOST_TASKS];
	task->id = id;
	snprintf(task->name, sizeof task->name, "%s", name);
}

/** The kernel tells names that change. A task's name from before the sampling is read, and empty if the task is gone. */
static const char *task_name(uint32_t id)
{
	struct task *task = &tasks[id % MOST_TASKS];
	if (task->id == id) return task->name;
	char path[32], name[TASK_NAME] = "";
	snprintf(path, sizeof path, "/proc/%u/comm", id);
	FILE *file = fopen(path, "re");
	if (file != NULL && fgets(name, sizeof name, file) != NULL) name[strcspn(name, "\n")] = 0;
	if (file != NULL) fclose(file);
	name_task(id, name);
	return task->name;
}

/** Counts a stack. @param addresses the innermost first, with the kernel's marks between the parts */
static void count_stack(uint32_t tid, uint64_t depth, const uint64_t *addresses)
{
	struct stack seen = {.samples = 1};
	snprintf(seen.task, sizeof seen.task, "%s", task_name(tid));
	for (uint64_t at = 0; at < depth && seen.depth < DEEPEST; at++)
		if (addresses[at] < (uint64_t)PERF_CONTEXT_MAX) seen.addresses[seen.depth++] = addresses[at];
	uint64_t hash = 14695981039346656037u;
	const uint8_t *bytes = (const void *)&seen.depth;
	size_t size = sizeof seen.depth + TASK_NAME;
	for (size_t at = 0; at < size; at++) hash = (hash ^ bytes[at]) * 1099511628211u;
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
		bool same = (*place)->depth == seen.depth && strcmp((*place)->task, seen.task) == 0;
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
	if (header.type == PERF_RECORD_COMM) name_task(ids[1], (const char *)body + sizeof ids);
	if (header.type != PERF_RECORD_SAMPLE) return;
	uint64_t depth;
	memcpy(&depth, body + sizeof ids, sizeof depth);
	if (ids[0] != 0 && ids[0] != (uint32_t)getpid()) count_stack(ids[1], depth, (const void *)(body + sizeof ids + sizeof depth));
}

static void drain(struct perf_event_mmap_page *ring)
{
	static _Alignas(8) uint8_t record[UINT16_MAX + 1];
	const uint8_t *data = (const uint8_t *)ring + PAGE_BYTES;
	uint64_t head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE), tail = ring->data_tail;
	while (tail < head) {
		struct perf_event_header header;
		for (size_t at = 0; at < sizeof header; at++) record[at] = data[(tail + at) % RING_BYTES];
		memcpy(&header, record, sizeof header);
		for (size_t at = sizeof header; at < header.size; at++) record[at] = data[(tail + at) % RING_BYTES];
		take_record(record);
		tail += header.size;
	}
	__atomic_store_n(&ring->data_tail, tail, __ATOMIC_RELEASE);
}

static void drain_all(void)
{
	for (unsigned at = 0; at < ring_count; at++) drain(rings[at]);
}

/** Samples the kernel's stacks on all CPUs until a signal comes, and prints each stack with how often it was seen. */
int run_sample(void)
{
	int signals = ending_signals();
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	for (int cpu = 0; cpu < cpus && cpu < MOST_CPUS; cpu++) sample_cpu(cpu);
	print_line("{\"type\":\"ready\",\"hertz\":%d,\"cpus\":%u}", HERTZ, ring_count);
	struct pollfd ready = {.fd = signals, .events = POLLIN};
	while (poll(&ready, 1, LOOK_MS) <= 0) drain_all();
	drain_all();
	for (unsigned at = 0; at < MOST_STACKS; at++) {
		const struct stack *stack = stacks[at];
		if (stack == NULL) continue;
		char addresses[DEEPEST * 20 + 1] = "";
		size_t length = 0;
		for (uint32_t i = 0; i < stack->depth; i++)
			length += snprintf(addresses + length, sizeof addresses - length, "%s\"%llx\"", i ? "," : "",
					   (unsigned long long)stack->addresses[i]);
		print_line("{\"type\":\"stack\",\"samples\":%llu,\"task\":%s,\"addresses\":[%s]}",
			   (unsigned long long)stack->samples, quoted(stack->task), addresses);
	}
	print_line("{\"type\":\"end\",\"samples\":%llu,\"lost\":%llu}", (unsigned long long)samples,
		   (unsigned long long)lost);
	return 0;
}
