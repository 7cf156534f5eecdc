/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* The forwarders and the balancers. XDP and TC differ in how they see and change a packet, not in what they decide. */
#include "balance.h"

/** Both decisions: a NodePort's one backend, or one of a balanced service's. `to` is where the packet goes next. */
enum decision { NODEPORT, BALANCED };

INLINE int decide_with(enum decision decision, const struct packet *p, struct flow *flow, struct address *to, struct counts *counts)
{
	int outcome;
	if (decision == BALANCED) return balance(p, flow, to, counts);
	outcome = decide(p, flow, counts);
	*to = flow->ends.to;
	return outcome;
}

INLINE int write_xdp_checksum(void *data, void *end, const struct packet *p, const struct flow *flow)
{
	void *l4 = data + ETHERNET + (p->key.family == IPV4 ? IPV4_HEADER : IPV6_HEADER);
	if (p->key.protocol == IPPROTO_TCP) {
		struct tcphdr *tcp = l4;
		if (!WITHIN(tcp, end)) return -1;
		tcp->check = changed_checksum(tcp->check, &p->key.ends, &flow->ends, sizeof flow->ends);
		return 0;
	}
	struct udphdr *udp = l4;
	if (!WITHIN(udp, end)) return -1;
	if (!p->has_checksum) return 0;
	__u16 check = changed_checksum(udp->check, &p->key.ends, &flow->ends, sizeof flow->ends);
	udp->check = check ? check : 0xffff;
	return 0;
}

INLINE int forward_xdp(struct xdp_md *x, enum decision decision, struct counts *counts, struct bpf_fib_lookup *way)
{
	void *data = (void *)(long)x->data, *end = (void *)(long)x->data_end;
	struct packet p = {};
	struct flow flow = {};
	struct address to = {};
	int outcome = read_packet(&p, data, end, end - data);
	if (outcome) return outcome;
	outcome = decide_with(decision, &p, &flow, &to, counts);
	if (outcome != FORWARDED && outcome != REPLIES) return outcome;
	if (find_way(x, way, &p, &flow, &to, x->ingress_ifindex, p.length)) return PASSED_UNROUTABLE;
	if (write_xdp_checksum(data, end, &p, &flow) || write_packet(data, end, &p, &flow, way)) return PASSED_MALFORMED;
	return outcome;
}

INLINE int run_xdp(struct xdp_md *x, enum decision decision)
{
	struct counts *counts = counts_of(BY_XDP);
	if (!counts) return XDP_PASS;
	struct bpf_fib_lookup way = {};
	__u32 outcome = forward_xdp(x, decision, counts, &way);
	if (outcome >= COUNTS) return XDP_PASS;
	counts->of[outcome]++;
	return outcome == FORWARDED || outcome == REPLIES ? redirect(way.ifindex, 0) : XDP_PASS;
}

SECTION("program/xdp") int xdp(struct xdp_md *x)
{
	return run_xdp(x, NODEPORT);
}

SECTION("program/balance_xdp") int balance_xdp(struct xdp_md *x)
{
	return run_xdp(x, BALANCED);
}

/** The kernel's own functions for checksums: only they know whether the hardware is to finish this one. */
INLINE int write_tc_checksum(struct __sk_buff *skb, const struct packet *p, const struct flow *flow)
{
	__u32 l4 = ETHERNET + (p->key.family == IPV4 ? IPV4_HEADER : IPV6_HEADER);
	__u32 at = l4 + (p->key.protocol == IPPROTO_TCP ? __builtin_offsetof(struct tcphdr, check)
													 : __builtin_offsetof(struct udphdr, check));
	// A UDP checksum of 0 means none: it stays, and none becomes 0.
	__u64 flags = p->key.protocol == IPPROTO_UDP ? BPF_F_MARK_MANGLED_0 : 0;
	const struct endpoints *from = &p->key.ends, *to = &flow->ends;
	__s64 difference = csum_diff(from, 2 * sizeof(struct address), to, 2 * sizeof(struct address), 0);
	__u32 from_ports = from->from_port | (__u32)from->to_port << 16, to_ports = to->from_port | (__u32)to->to_port << 16;
	if (l4_csum_replace(skb, at, 0, difference, flags | BPF_F_PSEUDO_HDR)) return -1;
	return l4_csum_replace(skb, at, from_ports, to_ports, flags | sizeof from_ports) ? -1 : 0;
}

INLINE int forward_tc(struct __sk_buff *skb, enum decision decision, struct counts *counts, struct bpf_fib_lookup *way)
{
	struct packet p = {};
	struct flow flow = {};
	struct address to = {};
	__u32 wanted = ETHERNET + IPV6_HEADER + TCP_HEADER;
	// The kernel has taken the tag out of the frame by now; XDP still sees it there.
	if (skb->vlan_present) return PASSED_PROTOCOL;
	if (skb->len < wanted) wanted = skb->len;
	if ((void *)(long)skb->data + wanted > (void *)(long)skb->data_end) skb_pull_data(skb, wanted);
	int outcome = read_packet(&p, (void *)(long)skb->data, (void *)(long)skb->data_end, skb->len);
	if (outcome) return outcome;
	outcome = decide_with(decision, &p, &flow, &to, counts);
	if (outcome != FORWARDED && outcome != REPLIES) return outcome;
	// Without a length the kernel judges the skb itself, which can be one big packet of GRO.
	if (find_way(skb, way, &p, &flow, &to, skb->ingress_ifindex, 0)) return PASSED_UNROUTABLE;
	if (write_tc_checksum(skb, &p, &flow)) return PASSED_MALFORMED;
	if (write_packet((void *)(long)skb->data, (void *)(long)skb->data_end, &p, &flow, way)) return PASSED_MALFORMED;
	return outcome;
}

INLINE int run_tc(struct __sk_buff *skb, enum decision decision)
{
	struct counts *counts = counts_of(BY_TC);
	if (!counts) return TC_ACT_UNSPEC;
	struct bpf_fib_lookup way = {};
	__u32 outcome = forward_tc(skb, decision, counts, &way);
	if (outcome >= COUNTS) return TC_ACT_UNSPEC;
	counts->of[outcome]++;
	return outcome == FORWARDED || outcome == REPLIES ? redirect(way.ifindex, 0) : TC_ACT_UNSPEC;
}

SECTION("program/tc") int tc(struct __sk_buff *skb)
{
	return run_tc(skb, NODEPORT);
}

SECTION("program/balance_tc") int balance_tc(struct __sk_buff *skb)
{
	return run_tc(skb, BALANCED);
}
