/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* Reads a packet's headers, and writes them back. XDP and TC share it. */
#ifndef NODEPORT_PACKET_H
#define NODEPORT_PACKET_H

#include "kernel.h"
#include "shared.h"

#define TCP_HEADER 20
#define UDP_HEADER 8
#define IPV4_HEADER 20
#define IPV6_HEADER 40

struct packet {
	struct flow_key key;
	/** Of the IP packet, header included. */
	__u32 length;
	__u8 ttl;
	__u8 has_checksum;
	/** It asks for a TCP connection. */
	__u8 opens;
};

/** A header in one read: what lies behind `end` is malformed. */
#define WITHIN(header, end) ((void *)((header) + 1) <= (end))

INLINE int read_ports(struct packet *p, void *l4, void *end, __u32 l4_length)
{
	if (p->key.protocol == IPPROTO_TCP) {
		struct tcphdr *tcp = l4;
		if (!WITHIN(tcp, end) || l4_length < TCP_HEADER) return PASSED_MALFORMED;
		p->key.ends.from_port = tcp->source;
		p->key.ends.to_port = tcp->dest;
		p->has_checksum = 1;
		p->opens = tcp->syn && !tcp->ack;
		return 0;
	}
	struct udphdr *udp = l4;
	if (!WITHIN(udp, end) || l4_length < UDP_HEADER) return PASSED_MALFORMED;
	p->key.ends.from_port = udp->source;
	p->key.ends.to_port = udp->dest;
	p->has_checksum = udp->check != 0;
	// IPv6 allows no UDP packet without one (RFC 8200, 8.1).
	return p->key.family == IPV6 && !p->has_checksum ? PASSED_MALFORMED : 0;
}

INLINE int read_ipv4(struct packet *p, struct iphdr *ip, void *end, __u32 available)
{
	if (!WITHIN(ip, end) || ip->version != 4 || ip->ihl < 5) return PASSED_MALFORMED;
	p->key.family = IPV4;
	p->key.protocol = ip->protocol;
	if (ip->protocol != IPPROTO_TCP && ip->protocol != IPPROTO_UDP) return PASSED_PROTOCOL;
	// More fragments, or an offset.
	if (ip->frag_off & be16(0x3fff)) return PASSED_FRAGMENT;
	if (ip->ihl != 5) return PASSED_OPTIONS;
	p->length = be16(ip->tot_len);
	if (p->length < IPV4_HEADER || p->length > available) return PASSED_MALFORMED;
	p->key.ends.from.word[0] = ip->saddr;
	p->key.ends.to.word[0] = ip->daddr;
	p->ttl = ip->ttl;
	return read_ports(p, ip + 1, end, p->length - IPV4_HEADER);
}

INLINE int is_extension(__u8 next)
{
	return next == IPPROTO_HOPOPTS || next == IPPROTO_ROUTING || next == IPPROTO_FRAGMENT || next == IPPROTO_DSTOPTS ||
		next == IPPROTO_AH || next == IPPROTO_MH;
}

INLINE int read_ipv6(struct packet *p, struct ipv6hdr *ip, void *end, __u32 available)
{
	if (!WITHIN(ip, end) || ip->version != 6) return PASSED_MALFORMED;
	p->key.family = IPV6;
	p->key.protocol = ip->nexthdr;
	if (is_extension(ip->nexthdr)) return PASSED_OPTIONS;
	if (ip->nexthdr != IPPROTO_TCP && ip->nexthdr != IPPROTO_UDP) return PASSED_PROTOCOL;
	p->length = be16(ip->payload_len) + IPV6_HEADER;
	if (p->length > available) return PASSED_MALFORMED;
	__builtin_memcpy(&p->key.ends.from, &ip->saddr, 16);
	__builtin_memcpy(&p->key.ends.to, &ip->daddr, 16);
	p->ttl = ip->hop_limit;
	return read_ports(p, ip + 1, end, p->length - IPV6_HEADER);
}

/**
 * Reads the headers of a frame of `size` bytes, of which those from `data` to `end` can be read.
 * Returns 0, or why the packet is passed on.
 */
INLINE int read_packet(struct packet *p, void *data, void *end, __u32 size)
{
	struct ethhdr *eth = data;
	if (!WITHIN(eth, end) || size < ETHERNET) return PASSED_MALFORMED;
	// To a group: no NodePort is asked that way.
	if (eth->h_dest[0] & 1) return PASSED_PROTOCOL;
	if (eth->h_proto == be16(ETH_P_IP)) return read_ipv4(p, (void *)(eth + 1), end, size - ETHERNET);
	if (eth->h_proto == be16(ETH_P_IPV6)) return read_ipv6(p, (void *)(eth + 1), end, size - ETHERNET);
	return PASSED_PROTOCOL;
}

/** Folds a 32-bit sum to the 16 bits of a checksum, inverted. */
INLINE __u16 fold(__u32 sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	return ~((sum & 0xffff) + (sum >> 16));
}

/** The checksum after the endpoints changed; `size` says how much of them it covers. */
INLINE __u16 changed_checksum(__u16 was, const struct endpoints *from, const struct endpoints *to, __u32 size)
{
	return fold(csum_diff(from, size, to, size, (__u16)~was));
}

/** Writes all but the checksum of TCP or UDP. Returns -1 if the headers are not all there. */
INLINE int write_packet(void *data, void *end, const struct packet *p, const struct flow *flow, const struct bpf_fib_lookup *way)
{
	struct ethhdr *eth = data;
	__u16 *ports;
	if (p->key.family == IPV4) {
		struct iphdr *ip = (void *)(eth + 1);
		ports = (void *)(ip + 1);
		if ((void *)(ports + 2) > end) return -1;
		ip->check = changed_checksum(ip->check, &p->key.ends, &flow->ends, 2 * sizeof(struct address));
		// One less in the TTL, the upper byte of its word (RFC 1141).
		__u32 sum = ip->check + be16(0x0100);
		ip->check = sum + (sum >= 0xffff);
		ip->ttl--;
		ip->saddr = flow->ends.from.word[0];
		ip->daddr = flow->ends.to.word[0];
	} else {
		struct ipv6hdr *ip = (void *)(eth + 1);
		ports = (void *)(ip + 1);
		if ((void *)(ports + 2) > end) return -1;
		ip->hop_limit--;
		__builtin_memcpy(&ip->saddr, &flow->ends.from, 16);
		__builtin_memcpy(&ip->daddr, &flow->ends.to, 16);
	}
	ports[0] = flow->ends.from_port;
	ports[1] = flow->ends.to_port;
	__builtin_memcpy(eth->h_dest, way->dmac, ETH_ALEN);
	__builtin_memcpy(eth->h_source, way->smac, ETH_ALEN);
	return 0;
}

#endif
