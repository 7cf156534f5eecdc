/* SPDX-License-Identifier: Apache-2.0 */
/* The generator for ordinary users: AF_PACKET's TX_RING. */
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include "generate.h"

#define FRAMES 512
#define FRAME_BYTES 2048
#define PREEMPTED_NS 2000
#define BLOCK_BYTES (64 * 1024)
#define DATA_OFFSET (TPACKET2_HDRLEN - sizeof(struct sockaddr_ll))

int open_ring(const struct device *device, struct ring *ring)
{
	struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_ifindex = device->ifindex};
	struct tpacket_req shape = {
		.tp_block_size = BLOCK_BYTES,
		.tp_block_nr = FRAMES * FRAME_BYTES / BLOCK_BYTES,
		.tp_frame_size = FRAME_BYTES,
		.tp_frame_nr = FRAMES,
	};
	int yes = 1, version = TPACKET_V2;
	// Protocol 0: it sends, and receives nothing.
	int fd = checked("socket(AF_PACKET)", socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0));
	if (fd < 0) return -1;
	if (checked("setsockopt(PACKET_VERSION)", setsockopt(fd, SOL_PACKET, PACKET_VERSION, &version, sizeof version)) < 0 ||
	    checked("setsockopt(PACKET_QDISC_BYPASS)", setsockopt(fd, SOL_PACKET, PACKET_QDISC_BYPASS, &yes, sizeof yes)) < 0 ||
	    checked("setsockopt(PACKET_TX_RING)", setsockopt(fd, SOL_PACKET, PACKET_TX_RING, &shape, sizeof shape)) < 0 ||
	    checked("bind(AF_PACKET)", bind(fd, (void *)&address, sizeof address)) < 0)
		return -1;
	void *frames = mmap(NULL, FRAMES * FRAME_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (frames == MAP_FAILED) return checked("mmap(PACKET_TX_RING)", -1);
	*ring = (struct ring){.fd = fd, .frames = frames};
	return 0;
}

static uint16_t fold(uint32_t sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	return ~((sum & 0xffff) + (sum >> 16));
}

/** As write_generated in bpf/traffic.h. */
static void write_packet(const struct generator *g, const struct plan *plan, uint8_t *to)
{
	uint64_t flow = g->sent % g->flows;
	uint32_t source = __builtin_bswap32(g->source + (uint32_t)(flow / g->ports));
	uint16_t port = __builtin_bswap16(g->first_port + flow % g->ports);
	uint32_t halves = (source & 0xffff) + (source >> 16);
	struct udphdr *udp = (void *)(to + plan->header_size - sizeof *udp);
	memcpy(to, g->header, plan->header_size);
	if (g->family == IPV4) {
		struct iphdr *ip = (void *)(to + ETH_HLEN);
		ip->saddr = source;
		ip->check = fold(g->ip_sum + halves);
	} else {
		struct ipv6hdr *ip = (void *)(to + ETH_HLEN);
		memcpy(ip->saddr.s6_addr + 12, &source, 4);
	}
	udp->source = port;
	uint16_t check = fold(g->udp_sum + halves + port);
	udp->check = check ? check : 0xffff;
	memset(to + plan->header_size, 0, plan->size - plan->header_size);
}

int fill_frame(struct ring *ring, const struct plan *plan, struct generator *g)
{
	volatile struct tpacket2_hdr *frame = (void *)(ring->frames + ring->next * FRAME_BYTES);
	if (frame->tp_status == TP_STATUS_WRONG_FORMAT) {
		errno = EMSGSIZE;
		return checked("send(PACKET_TX_RING)", -1);
	}
	if (frame->tp_status != TP_STATUS_AVAILABLE) return 0;
	write_packet(g, plan, (uint8_t *)frame + DATA_OFFSET);
	frame->tp_len = plan->size;
	atomic_thread_fence(memory_order_release);
	frame->tp_status = TP_STATUS_SEND_REQUEST;
	ring->next = (ring->next + 1) % FRAMES;
	return 1;
}

int flush_ring(struct ring *ring, struct sending *to)
{
	while (send(ring->fd, NULL, 0, 0) < 0) {
		// The queue is full: the kernel keeps the frame, and sends it with the next call.
		if (errno == ENOBUFS) atomic_fetch_add(&to->refused, 1);
		else if (errno != EINTR && errno != EAGAIN) return checked("send(PACKET_TX_RING)", -1);
		if (atomic_load(&to->stop)) return 0;
	}
	return 0;
}

void send_ring(const struct plan *plan, struct sending *to)
{
	struct generator *g = to->generator;
	struct ring ring;
	if (open_ring(&plan->device, &ring) < 0) {
		to->failure = failure;
		return;
	}
	begin_sending(to);
	g->started = g->next = now();
	while (!atomic_load(&to->stop) && g->sent < g->limit) {
		uint64_t due = plan->batch;
		if (g->gap) {
			uint64_t at = now();
			if (at > g->next + g->arrears) g->next = at - g->arrears;
			for (uint64_t before; at < g->next && !atomic_load(&to->stop);) {
				before = at;
				at = now();
				// Longer: this thread did not run meanwhile, so it was no CPU time.
				if (at - before < PREEMPTED_NS) g->spun += at - before;
			}
			if (at < g->next) break;
			due = (at - g->next) / g->gap + 1;
			if (due > plan->batch) due = plan->batch;
		}
		if (due > g->limit - g->sent) due = g->limit - g->sent;
		uint64_t filled = 0;
		for (int more = 1; filled < due && more; filled += more) {
			more = fill_frame(&ring, plan, g);
			if (more < 0) {
				to->failure = failure;
				return;
			}
			g->sent += more;
		}
		g->next += filled * g->gap;
		if (flush_ring(&ring, to) < 0) {
			to->failure = failure;
			return;
		}
	}
}
