/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "generate.h"
#include "loader.h"
#include "netlink.h"

#define MOST_RATE 20000000ull
#define ALL_PORTS 65536

static struct plan plan;
static struct sending sending;
static bool by_ring, each_is_new;
static uint64_t rate;
static pthread_t thread;
static clockid_t thread_clock;
/** The thread's CPU time at its end: its clock ends with it. */
static atomic_ullong final_cpu;

/** The one's complement sum of 16-bit words in memory order. */
static uint32_t sum_of(const void *bytes, size_t length)
{
	const uint16_t *words = bytes;
	uint32_t sum = 0;
	for (size_t i = 0; i < length / 2; i++) sum += words[i];
	return (sum & 0xffff) + (sum >> 16);
}

/** The headers and their sums without the words that differ by packet: source address (of IPv6 the last word), port, checks. */
static void write_header(struct generator *g, const uint8_t to_mac[6], const struct address *from, const struct address *to, uint16_t port)
{
	struct ethhdr *eth = (void *)g->header;
	uint16_t ip_bytes = plan.size - ETH_HLEN, udp_bytes;
	struct udphdr *udp;
	memcpy(eth->h_dest, to_mac, ETH_ALEN);
	memcpy(eth->h_source, plan.device.mac, ETH_ALEN);
	eth->h_proto = htons(g->family == IPV4 ? ETH_P_IP : ETH_P_IPV6);
	if (g->family == IPV4) {
		struct iphdr *ip = (void *)(eth + 1);
		udp = (void *)(ip + 1);
		// No fragments on the way; identification 0 is right for these (RFC 6864).
		*ip = (struct iphdr){.version = 4, .ihl = 5, .tot_len = htons(ip_bytes), .frag_off = htons(0x4000), .ttl = 64, .protocol = IPPROTO_UDP, .daddr = to->word[0]};
		udp_bytes = ip_bytes - sizeof *ip;
		g->ip_sum = sum_of(ip, sizeof *ip);
		g->source = ntohl(from->word[0]);
		g->udp_sum = sum_of(to, 4);
	} else {
		struct ipv6hdr *ip = (void *)(eth + 1);
		udp = (void *)(ip + 1);
		udp_bytes = ip_bytes - sizeof *ip;
		*ip = (struct ipv6hdr){.version = 6, .payload_len = htons(udp_bytes), .nexthdr = IPPROTO_UDP, .hop_limit = 64};
		memcpy(&ip->saddr, from, 16);
		memcpy(&ip->daddr, to, 16);
		g->source = ntohl(from->word[3]);
		g->udp_sum = sum_of(from, 12) + sum_of(to, 16);
	}
	*udp = (struct udphdr){.dest = htons(port), .len = htons(udp_bytes)};
	// The pseudo header has the protocol and the length; the payload is all 0.
	g->udp_sum += htons(IPPROTO_UDP) + htons(udp_bytes) + sum_of(udp, sizeof *udp);
	plan.header_size = (uint8_t *)(udp + 1) - g->header;
}

/** A rate of packets or flows; 0 is as fast as possible. */
static uint64_t rate_argument(const char *name)
{
	return strcmp(required_argument(name), "max") == 0 ? 0 : number_argument(name, 1, MOST_RATE);
}

static uint64_t optional(const char *name, uint64_t least, uint64_t most, uint64_t otherwise)
{
	return text_argument(name) ? number_argument(name, least, most) : otherwise;
}

static void no_such(const char *code, const char *message)
{
	fail_code(code, message, NULL);
}

/** Reads the arguments, and everything that they ask of this namespace. */
static uint64_t make_plan(struct generator *g)
{
	struct address to, from;
	enum family family, source_family;
	uint8_t mac[6];
	by_ring = choice_argument("method", "xdp ring", -1) == 1;
	const char *device = required_argument("device");
	family = address_argument("to", &to);
	uint16_t port = number_argument("port", 1, 65535);
	each_is_new = text_argument("new-flows");
	if (each_is_new && text_argument("rate")) bad_argument("--rate", "it does not go with --new-flows");
	if (each_is_new && text_argument("flows")) bad_argument("--flows", "it does not go with --new-flows");
	rate = rate_argument(each_is_new ? "new-flows" : "rate");
	plan.size = optional("size", 64, 1514, 64);
	uint64_t lasts = text_argument("seconds") ? seconds_argument("seconds", NS_PER_SECOND / 10, 3600 * NS_PER_SECOND) : NS_PER_SECOND;
	uint32_t sources = optional("sources", 1, 65536, 1);
	g->first_port = optional("first-port", 1, 65535, 1024);
	g->ports = ALL_PORTS - g->first_port;
	uint64_t all = (uint64_t)g->ports * sources;
	g->flows = each_is_new ? all : optional("flows", 1, all, 1);
	// With one flow per address and port in turn, few flows still use all the sources.
	if (!each_is_new && sources > 1) g->ports = (g->flows + sources - 1) / sources;
	g->limit = each_is_new ? all : UINT64_MAX;
	if (text_argument("source") && (source_family = address_argument("source", &from)) != family)
		bad_argument("--source", "it is of another family than --to");
	plan.device = guarded_device(device);
	if (plan.size > plan.device.mtu + ETH_HLEN) bad_argument("--size", "it is larger than the device's MTU allows");
	if (!text_argument("source") && first_address(plan.device.ifindex, family, &from) < 0)
		no_such("no_address", "The device has no address of this family.");
	if (neighbour(plan.device.ifindex, family, &to, mac) < 0)
		no_such("no_neighbour", "The neighbour table has no MAC address for this destination.");
	g->family = family;
	g->ifindex = plan.device.ifindex;
	g->gap = rate ? NS_PER_SECOND / rate : 0;
	plan.batch = rate ? rate * BURST_NS / NS_PER_SECOND : MOST_BATCH;
	if (plan.batch < 1) plan.batch = 1;
	if (plan.batch > MOST_BATCH) plan.batch = MOST_BATCH;
	// Half of what a veth device's queue holds.
	g->arrears = g->gap * 128;
	write_header(g, mac, &from, &to, port);
	return lasts;
}

void send_live(const struct plan *how, struct sending *to)
{
	uint8_t frame[1514] = {0};
	memcpy(frame, to->generator->header, how->header_size);
	int program = load_program(PROGRAM_GENERATE);
	begin_sending(to);
	// One call lasts: the kernel waits some 20 ms for others at the end of each.
	while (program >= 0 && !atomic_load(&to->stop) && to->generator->sent < to->generator->limit) {
		if (run_live(program, frame, how->size, UINT32_MAX, how->batch) < 0 && failure.number != EINTR) break;
	}
	if (program < 0 || (failure.call && failure.number != EINTR)) to->failure = failure;
}

static uint64_t read_clock(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

void begin_sending(struct sending *to)
{
	atomic_store(&to->cpu_before, read_clock(CLOCK_THREAD_CPUTIME_ID));
}

/** The sending thread's CPU time since it began to send. */
static uint64_t cpu_now(void)
{
	uint64_t before = atomic_load(&sending.cpu_before), ended = atomic_load(&final_cpu);
	if (!before) return 0;
	return (ended ? ended : read_clock(thread_clock)) - before;
}

static void *run_sender(void *unused)
{
	(void)unused;
	(by_ring ? send_ring : send_live)(&plan, &sending);
	atomic_store(&final_cpu, read_clock(CLOCK_THREAD_CPUTIME_ID));
	atomic_store(&sending.done, true);
	return NULL;
}

static void interrupted(int signal)
{
	(void)signal;
}

static void start(void)
{
	struct sigaction action = {.sa_handler = interrupted};
	sigaction(SIGUSR1, &action, NULL);
	errno = pthread_create(&thread, NULL, run_sender, NULL);
	if (errno) {
		checked("pthread_create", -1);
		fail("the generator");
	}
	pthread_getcpuclockid(thread, &thread_clock);
}

/** Ends the thread, whatever it is in. */
static void stop(void)
{
	atomic_store(&sending.stop, true);
	while (!atomic_load(&sending.done)) {
		struct timespec moment = {0, 1000000};
		// A signal just before the system call would be lost, so it is sent until it worked.
		pthread_kill(thread, SIGUSR1);
		nanosleep(&moment, NULL);
	}
	pthread_join(thread, NULL);
}

static void print_progress(uint64_t stopped, const char *ended)
{
	const struct generator *g = sending.generator;
	unsigned long long sent = g->sent, spun = g->spun, cpu = cpu_now(), refused = atomic_load(&sending.refused);
	uint64_t at = g->started && stopped > g->started ? stopped - g->started : 0;
	unsigned long long offered = rate && at ? at / g->gap + 1 : sent;
	// Until it has really stopped, it may have sent some more that were due by then.
	if (offered < sent) offered = sent;
	if (offered > g->limit) offered = g->limit;
	char more[96] = "";
	if (ended) snprintf(more, sizeof more, "\"ended\":\"%s\",\"flows\":%llu,", ended, sent < g->flows ? sent : (unsigned long long)g->flows);
	print_line("{\"type\":\"%s\",%s\"atNs\":%llu,\"offered\":%llu,\"sent\":%llu,\"refused\":%llu,\"cpuNs\":%llu,\"spinNs\":%llu}",
		   ended ? "end" : "progress", more, (unsigned long long)at, offered, sent, refused, cpu, spun);
}

/** Until the time is over, a signal comes or the thread ends; returns which. */
static const char *watch(int signals, uint64_t lasts)
{
	int tick = timer_every(NS_PER_SECOND / 5), soon = timer_every(NS_PER_SECOND / 500);
	struct pollfd ready[] = {{.fd = signals, .events = POLLIN}, {.fd = tick, .events = POLLIN}, {.fd = soon, .events = POLLIN}};
	const char *ended = NULL;
	while (!ended && (poll(ready, 3, -1) >= 0 || errno == EINTR)) {
		const volatile struct generator *g = sending.generator;
		uint64_t times, started = g->started, sent = g->sent;
		if (ready[0].revents) ended = "signal";
		else if (sent >= g->limit) ended = "flows";
		else if (atomic_load(&sending.done)) ended = "failed";
		else if (started && now() >= started + lasts) ended = "time";
		else if (ready[1].revents && read(tick, &times, sizeof times) > 0) print_progress(now(), NULL);
		if (ready[2].revents && read(soon, &times, sizeof times) < 0 && errno != EAGAIN) break;
	}
	return ended;
}

int run_generate(void)
{
	static struct generator by_user;
	struct generator planned = {0};
	uint64_t lasts = make_plan(&planned);
	int signals = ending_signals();
	sending.generator = by_ring ? &by_user : share_map(MAP_GENERATORS);
	if (!sending.generator) fail("the generator");
	*sending.generator = planned;
	print_line("{\"type\":\"ready\",\"method\":\"%s\",\"pid\":%d,\"device\":%s,\"flows\":%llu,\"size\":%u}",
		   by_ring ? "ring" : "xdp", getpid(), quoted(plan.device.name), (unsigned long long)planned.flows, plan.size);
	start();
	const char *ended = watch(signals, lasts);
	uint64_t stopped = now();
	stop();
	if (sending.failure.call) {
		failure = sending.failure;
		fail("the generator");
	}
	print_progress(stopped, ended);
	return 0;
}
