/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include "json.h"
#include "loader.h"

#define COUNTERS_NAME "nodeport-balance"
#define TABLE_NAME "nodeport-rebalance"
#define CHOICES "hash random"
#define REPLIES_WAYS "balancer direct"

enum hook { HOOK_XDP, HOOK_TCX };
static enum hook hook;

/** From `rebalance` to `balance`: both are this program. */
struct table {
	struct balance balance;
	__u32 buckets[MOST_BUCKETS];
};
static struct table table;

/** `"addresses":[..],"newFlows":[..]` of the backends. */
static char *write_backends(char *to)
{
	const struct balance *b = &table.balance;
	for (int part = 0; part < 2; part++) {
		to += sprintf(to, part == 0 ? ",\"backends\":[" : "],\"newByBackend\":[");
		for (__u32 place = 1; place < BACKEND_PLACES; place++) {
			const __u32 *word = b->backends[place].word;
			if (!(word[0] | word[1] | word[2] | word[3])) break;
			if (place > 1) to += sprintf(to, ",");
			if (part == 1) {
				__u64 count = 0;
				if (sum_map(MAP_BALANCED, place, &count, 1) < 0) fail("the counters");
				to += sprintf(to, "%llu", count);
				continue;
			}
			char text[ADDRESS_TEXT];
			struct sockaddr_storage address = {0};
			socket_address(b->family, &b->backends[place], 0, &address);
			write_address(&address, text);
			to += sprintf(to, "%s", quoted(text));
		}
	}
	return to + sprintf(to, "]");
}

/** What is in the kernel's maps. */
static const char *counters_line(const char *type)
{
	static char line[MOST_BUCKETS + 4096];
	uint32_t zero = 0;
	if (read_map(MAP_BALANCES, &zero, &table.balance) < 0) fail("the balancing");
	const struct balance *b = &table.balance;
	char *to = line + sprintf(line, "{\"type\":\"%s\",\"of\":\"balance\",\"hook\":\"%s\",\"atNs\":%llu,\"choice\":\"%s\",\"replies\":\"%s\"",
				  type, hook == HOOK_XDP ? "xdp" : "tcx", (unsigned long long)now(),
				  b->is_random ? "random" : "hash", b->is_direct ? "direct" : "balancer");
	to = write_backends(to);
	to += sprintf(to, ",\"counts\":%s,\"table\":\"", counts_of(hook == HOOK_XDP ? BY_XDP : BY_TC));
	for (uint32_t bucket = 0; bucket < b->bucket_count; bucket++) {
		__u32 place;
		if (read_map(MAP_BUCKETS, &bucket, &place) < 0) fail("the table");
		to += sprintf(to, "%x", place & (BACKEND_PLACES - 1));
	}
	strcpy(to, "\"}");
	return line;
}

static void answer(int to)
{
	char text[MOST_BUCKETS + 4097];
	int length = snprintf(text, sizeof text, "%s\n", counters_line("counters"));
	send(to, text, length, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/** New flows find the new table; flows that are known stay as they are. A message cut short changes nothing. */
static void take_table(int listener)
{
	static struct table next;
	struct timeval patience = {.tv_sec = 2};
	uint32_t zero = 0;
	int from = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	if (from < 0) return;
	setsockopt(from, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	if (recv(from, &next, sizeof next, MSG_WAITALL) == sizeof next && next.balance.bucket_count <= MOST_BUCKETS) {
		for (uint32_t bucket = 0; bucket < next.balance.bucket_count; bucket++) {
			if (write_map(MAP_BUCKETS, &bucket, &next.buckets[bucket]) < 0) fail("the table");
		}
		if (write_map(MAP_BALANCES, &zero, &next.balance) < 0) fail("the balancing");
		answer(from);
	}
	close(from);
}

int run_balance(void)
{
	hook = choice_argument("hook", "xdp tcx", -1);
	struct device device = guarded_device(required_argument("device"));
	int signals = ending_signals();
	int program = load_program(hook == HOOK_XDP ? PROGRAM_BALANCE_XDP : PROGRAM_BALANCE_TC);
	if (program < 0) fail("loading the program");
	struct pollfd ready[] = {
		{.fd = signals, .events = POLLIN},
		{.fd = listen_locally(COUNTERS_NAME), .events = POLLIN},
		{.fd = listen_locally(TABLE_NAME), .events = POLLIN},
	};
	int link = hook == HOOK_XDP ? link_xdp(program, device.ifindex) : link_tcx(program, device.ifindex);
	if (link < 0) fail("attaching the program");
	print_line("{\"type\":\"ready\",\"of\":\"balance\",\"pid\":%d,\"hook\":\"%s\",\"programId\":%u}", getpid(),
		   hook == HOOK_XDP ? "xdp" : "tcx", program_id(program));
	while (poll(ready, 3, -1) >= 0 || errno == EINTR) {
		if (ready[0].revents) break;
		if (ready[1].revents) {
			int to = accept4(ready[1].fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
			if (to >= 0) answer(to);
			if (to >= 0) close(to);
		}
		if (ready[2].revents) take_table(ready[2].fd);
	}
	print_line("%s", counters_line("end"));
	return 0;
}

/** One hexadecimal digit a bucket, as a JSON string. */
static void read_table(const char *path, int backends)
{
	json_read(path, "bad_table");
	const char *digits = json_string();
	size_t count = strlen(digits);
	if (count == 0 || count > MOST_BUCKETS) json_bad("the table has no bucket, or too many");
	for (size_t bucket = 0; bucket < count; bucket++) {
		const char *all = "123456789abcdef", *digit = strchr(all, digits[bucket]);
		if (!digit || digit - all >= backends) json_bad("a bucket has no backend");
		table.buckets[bucket] = digit - all + 1;
	}
	if (json_next()) json_bad("something follows the table");
	table.balance.bucket_count = count;
}

int run_rebalance(void)
{
	static char line[MOST_BUCKETS + 4096];
	const char *backends[BACKEND_PLACES - 1];
	struct balance *b = &table.balance;
	b->family = address_argument("service", &b->service);
	int count = every_argument("backend", backends, BACKEND_PLACES - 1);
	b->is_random = choice_argument("choice", CHOICES, -1) == 1;
	b->is_direct = choice_argument("replies", REPLIES_WAYS, -1) == 1;
	for (int at = 0; at < count; at++) {
		enum family family;
		if (!read_address(backends[at], &b->backends[at + 1], &family)) bad_argument("--backend", "it is no address");
		if (family != b->family) bad_argument("--backend", "it has another family than the service");
	}
	guard_namespace();
	read_table(required_argument("table"), count);
	if (ask_locally(TABLE_NAME, &table, sizeof table, line, sizeof line) < 0) {
		if (failure.number != ECONNREFUSED) fail("loading the table");
		fail_code("not_running", "No balancer runs in this network namespace.", NULL);
	}
	print_line("%s", line);
	return 0;
}
