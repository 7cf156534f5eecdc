/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* The generator, which runs in BPF_PROG_TEST_RUN with live frames, and the sink. */
#include "maps.h"
#include "packet.h"

#define SPINS 512
/* Two readings of the clock are some tens of ns apart. Longer: the CPU did something else meanwhile, or a hypervisor had it. */
#define PREEMPTED_NS 2000

/** Waits for the next packet's time, at most some 10 µs. Returns whether it has come. */
INLINE int wait_for_turn(struct generator *g)
{
	__u64 now = now_ns(), spun = 0;
	if (!g->started) g->started = g->next = now;
	int done = g->sent >= g->limit;
	if (!g->gap && !done) return 1;
	if (now > g->next + g->arrears) g->next = now - g->arrears;
	for (int i = 0; i < SPINS && (done || now < g->next); i++) {
		__u64 before = now;
		now = now_ns();
		/* What is longer was no CPU time of this thread. */
		if (now - before < PREEMPTED_NS) spun += now - before;
	}
	g->spun += spun;
	if (done || now < g->next) return 0;
	g->next += g->gap;
	return 1;
}

INLINE __u32 halves(__u32 word)
{
	return (word & 0xffff) + (word >> 16);
}

/** Recycled pages hold packets that were changed on their way: so all of the headers are written. */
INLINE int write_generated(struct generator *g, void *data, void *end)
{
	__u64 flow = g->sent % g->flows;
	__u32 ports = g->ports ? g->ports : 1;
	__u32 source = be32(g->source + (__u32)(flow / ports));
	__u16 port = be16(g->first_port + (__u32)(flow % ports));
	__u32 udp_sum = g->udp_sum + halves(source) + port;
	struct udphdr *udp;
	if (g->family == IPV4) {
		struct iphdr *ip = data + ETHERNET;
		udp = (void *)(ip + 1);
		if (!WITHIN(udp, end)) return -1;
		__builtin_memcpy(data, g->header, ETHERNET + IPV4_HEADER + UDP_HEADER);
		ip->saddr = source;
		ip->check = fold(g->ip_sum + halves(source));
	} else {
		struct ipv6hdr *ip = data + ETHERNET;
		udp = (void *)(ip + 1);
		if (!WITHIN(udp, end)) return -1;
		__builtin_memcpy(data, g->header, ETHERNET + IPV6_HEADER + UDP_HEADER);
		ip->saddr.in6_u.u6_addr32[3] = source;
	}
	udp->source = port;
	__u16 check = fold(udp_sum);
	udp->check = check ? check : 0xffff;
	return 0;
}

SECTION("program/generate") int generate(struct xdp_md *x)
{
	__u32 zero = 0;
	struct generator *g = map_lookup(&generators, &zero);
	if (!g || !g->flows || !wait_for_turn(g)) return XDP_DROP;
	if (write_generated(g, (void *)(long)x->data, (void *)(long)x->data_end)) return XDP_DROP;
	g->sent++;
	return redirect(g->ifindex, 0);
}

SECTION("program/sink") int sink(struct xdp_md *x)
{
	void *data = (void *)(long)x->data, *end = (void *)(long)x->data_end;
	struct packet p = {};
	__u32 zero = 0;
	if (read_packet(&p, data, end, end - data) || p.key.protocol != IPPROTO_UDP) return XDP_PASS;
	__u32 *port = map_lookup(&sink_ports, &zero);
	if (!port || p.key.ends.to_port != *port) return XDP_PASS;
	__u64 *count = map_lookup(&sunk, &zero);
	if (count) ++*count;
	return XDP_DROP;
}
