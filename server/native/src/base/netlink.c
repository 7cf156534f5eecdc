/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <linux/if_addr.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/netlink.h>
#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <net/if.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "netlink.h"

struct request {
	struct nlmsghdr header;
	char body[1024];
};

/** Begins a message with a fixed part of `size` bytes. */
static void *begin(struct request *r, int type, int flags, size_t size)
{
	memset(r, 0, sizeof *r);
	r->header.nlmsg_len = NLMSG_LENGTH(size);
	r->header.nlmsg_type = type;
	r->header.nlmsg_flags = NLM_F_REQUEST | flags;
	return NLMSG_DATA(&r->header);
}

static struct rtattr *add(struct request *r, int type, const void *data, size_t size)
{
	struct rtattr *at = (void *)((char *)r + NLMSG_ALIGN(r->header.nlmsg_len));
	at->rta_type = type;
	at->rta_len = RTA_LENGTH(size);
	if (size) memcpy(RTA_DATA(at), data, size);
	r->header.nlmsg_len = NLMSG_ALIGN(r->header.nlmsg_len) + RTA_ALIGN(at->rta_len);
	return at;
}

static void add_text(struct request *r, int type, const char *text)
{
	add(r, type, text, strlen(text) + 1);
}

/** Ends an attribute that holds what was added since. */
static void close_nested(struct request *r, struct rtattr *outer)
{
	outer->rta_len = (char *)r + r->header.nlmsg_len - (char *)outer;
}

typedef void handler(const struct nlmsghdr *message, void *to);

/** Sends one request and hands each answer to `each`; ends with the acknowledgement or the end of the list. */
static int ask(const char *call, struct request *r, handler *each, void *to)
{
	static char answers[65536];
	int fd = checked("socket(NETLINK_ROUTE)", socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
	if (fd < 0) return -1;
	r->header.nlmsg_seq = 1;
	int result = checked(call, send(fd, r, r->header.nlmsg_len, 0)), ended = result < 0;
	while (!ended) {
		ssize_t length = recv(fd, answers, sizeof answers, 0);
		if (length < 0 && errno == EINTR) continue;
		if (length <= 0) {
			result = checked(call, -1);
			break;
		}
		for (struct nlmsghdr *h = (void *)answers; NLMSG_OK(h, length); h = NLMSG_NEXT(h, length)) {
			if (h->nlmsg_type == NLMSG_ERROR || h->nlmsg_type == NLMSG_DONE) {
				errno = -*(int *)NLMSG_DATA(h);
				result = errno > 0 ? checked(call, -1) : 0;
				ended = 1;
				break;
			}
			if (each) each(h, to);
		}
	}
	close(fd);
	return result < 0 ? -1 : 0;
}

/** Calls `each` for the attributes from `first` on. */
#define EACH(at, first, length)                                                                                        \
	for (struct rtattr *at = (void *)(first), *once = NULL; !once; once = at)                                          \
		for (int left = (length); RTA_OK(at, left); at = RTA_NEXT(at, left))

static int kind_of(const struct rtattr *at)
{
	return at->rta_type & NLA_TYPE_MASK;
}

static void read_xdp(struct rtattr *outer, struct device *device)
{
	EACH(at, RTA_DATA(outer), (int)RTA_PAYLOAD(outer))
	{
		if (kind_of(at) == IFLA_XDP_ATTACHED) device->xdp_mode = *(__u8 *)RTA_DATA(at);
		if (kind_of(at) == IFLA_XDP_PROG_ID) device->xdp_program = *(__u32 *)RTA_DATA(at);
	}
}

static void read_link(const struct nlmsghdr *message, void *to)
{
	struct device *device = to;
	struct ifinfomsg *link = NLMSG_DATA(message);
	if (message->nlmsg_type != RTM_NEWLINK) return;
	device->ifindex = link->ifi_index;
	EACH(at, IFLA_RTA(link), (int)IFLA_PAYLOAD(message))
	{
		if (kind_of(at) == IFLA_MTU) device->mtu = *(__u32 *)RTA_DATA(at);
		if (kind_of(at) == IFLA_ADDRESS && RTA_PAYLOAD(at) == 6) memcpy(device->mac, RTA_DATA(at), 6);
		if (kind_of(at) == IFLA_XDP) read_xdp(at, device);
		if (kind_of(at) != IFLA_LINKINFO) continue;
		EACH(info, RTA_DATA(at), (int)RTA_PAYLOAD(at))
		{
			if (kind_of(info) == IFLA_INFO_KIND) strncpy(device->kind, RTA_DATA(info), sizeof device->kind - 1);
		}
	}
}

int read_device(const char *name, struct device *device)
{
	struct request r;
	memset(device, 0, sizeof *device);
	if (strlen(name) >= sizeof device->name || !*name) {
		errno = ENODEV;
		return checked("netlink(RTM_GETLINK)", -1);
	}
	strcpy(device->name, name);
	struct ifinfomsg *link = begin(&r, RTM_GETLINK, NLM_F_ACK, sizeof *link);
	link->ifi_family = AF_UNSPEC;
	add_text(&r, IFLA_IFNAME, name);
	return ask("netlink(RTM_GETLINK)", &r, read_link, device);
}

struct search {
	int ifindex;
	enum family family;
	const struct address *wanted;
	void *found;
	int count, most;
};

static size_t size_of(enum family family)
{
	return family == IPV4 ? 4 : 16;
}

static void take_address(const struct nlmsghdr *message, void *to)
{
	struct search *s = to;
	struct ifaddrmsg *a = NLMSG_DATA(message);
	if (message->nlmsg_type != RTM_NEWADDR || (int)a->ifa_index != s->ifindex || s->count) return;
	// A link-local address says nothing about the way back.
	if (s->family == IPV6 && a->ifa_scope == RT_SCOPE_LINK) return;
	EACH(at, IFA_RTA(a), (int)IFA_PAYLOAD(message))
	{
		if (kind_of(at) != (s->family == IPV4 ? IFA_LOCAL : IFA_ADDRESS)) continue;
		memcpy(s->found, RTA_DATA(at), size_of(s->family));
		s->count = 1;
	}
}

int first_address(int ifindex, enum family family, struct address *address)
{
	struct request r;
	struct search s = {.ifindex = ifindex, .family = family, .found = address};
	memset(address, 0, sizeof *address);
	struct ifaddrmsg *a = begin(&r, RTM_GETADDR, NLM_F_DUMP, sizeof *a);
	a->ifa_family = family == IPV4 ? AF_INET : AF_INET6;
	if (ask("netlink(RTM_GETADDR)", &r, take_address, &s) < 0) return -1;
	errno = EADDRNOTAVAIL;
	return checked("netlink(RTM_GETADDR)", s.count ? 0 : -1);
}

static void take_neighbour(const struct nlmsghdr *message, void *to)
{
	struct search *s = to;
	struct ndmsg *n = NLMSG_DATA(message);
	int usable = NUD_PERMANENT | NUD_REACHABLE | NUD_STALE | NUD_DELAY | NUD_PROBE;
	const void *mac = NULL;
	bool same = false;
	if (message->nlmsg_type != RTM_NEWNEIGH || n->ndm_ifindex != s->ifindex || !(n->ndm_state & usable)) return;
	EACH(at, (char *)n + NLMSG_ALIGN(sizeof *n), (int)NLMSG_PAYLOAD(message, sizeof *n))
	{
		if (kind_of(at) == NDA_DST) same = memcmp(RTA_DATA(at), s->wanted, size_of(s->family)) == 0;
		if (kind_of(at) == NDA_LLADDR && RTA_PAYLOAD(at) == 6) mac = RTA_DATA(at);
	}
	if (!same || !mac) return;
	memcpy(s->found, mac, 6);
	s->count = 1;
}

int neighbour(int ifindex, enum family family, const struct address *address, uint8_t mac[6])
{
	struct request r;
	struct search s = {.ifindex = ifindex, .family = family, .wanted = address, .found = mac};
	struct ndmsg *n = begin(&r, RTM_GETNEIGH, NLM_F_DUMP, sizeof *n);
	n->ndm_family = family == IPV4 ? AF_INET : AF_INET6;
	if (ask("netlink(RTM_GETNEIGH)", &r, take_neighbour, &s) < 0) return -1;
	errno = EHOSTUNREACH;
	return checked("netlink(RTM_GETNEIGH)", s.count ? 0 : -1);
}

static struct tcmsg *begin_tc(struct request *r, int type, int flags, int ifindex)
{
	struct tcmsg *t = begin(r, type, flags, sizeof *t);
	t->tcm_family = AF_UNSPEC;
	t->tcm_ifindex = ifindex;
	return t;
}

static int clsact(const char *call, int type, int flags, int ifindex)
{
	struct request r;
	struct tcmsg *t = begin_tc(&r, type, NLM_F_ACK | flags, ifindex);
	t->tcm_parent = TC_H_CLSACT;
	t->tcm_handle = TC_H_MAKE(TC_H_CLSACT, 0);
	add_text(&r, TCA_KIND, "clsact");
	return ask(call, &r, NULL, NULL);
}

int add_clsact(int ifindex)
{
	int result = clsact("netlink(RTM_NEWQDISC)", RTM_NEWQDISC, NLM_F_CREATE | NLM_F_EXCL, ifindex);
	return result < 0 && failure.number == EEXIST ? 1 : result;
}

int remove_clsact(int ifindex)
{
	return clsact("netlink(RTM_DELQDISC)", RTM_DELQDISC, 0, ifindex);
}

#define FIRST 1
#define INGRESS TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS)

static struct tcmsg *begin_filter(struct request *r, int type, int flags, int ifindex)
{
	struct tcmsg *t = begin_tc(r, type, NLM_F_ACK | flags, ifindex);
	t->tcm_parent = INGRESS;
	t->tcm_handle = 1;
	// The priority, and the protocol in network byte order: all of them.
	t->tcm_info = TC_H_MAKE(FIRST << 16, __builtin_bswap16(ETH_P_ALL));
	add_text(r, TCA_KIND, "bpf");
	return t;
}

int add_filter(int ifindex, int program, const char *name)
{
	struct request r;
	__u32 fd = program, flags = TCA_BPF_FLAG_ACT_DIRECT;
	begin_filter(&r, RTM_NEWTFILTER, NLM_F_CREATE | NLM_F_EXCL, ifindex);
	struct rtattr *options = add(&r, TCA_OPTIONS, NULL, 0);
	add(&r, TCA_BPF_FD, &fd, sizeof fd);
	add_text(&r, TCA_BPF_NAME, name);
	add(&r, TCA_BPF_FLAGS, &flags, sizeof flags);
	close_nested(&r, options);
	return ask("netlink(RTM_NEWTFILTER)", &r, NULL, NULL);
}

int remove_filter(int ifindex)
{
	struct request r;
	begin_filter(&r, RTM_DELTFILTER, 0, ifindex);
	return ask("netlink(RTM_DELTFILTER)", &r, NULL, NULL);
}

static void take_filter(const struct nlmsghdr *message, void *to)
{
	struct search *s = to;
	struct tcmsg *t = NLMSG_DATA(message);
	struct filter found = {0};
	if (message->nlmsg_type != RTM_NEWTFILTER || s->count == s->most) return;
	EACH(at, TCA_RTA(t), (int)TCA_PAYLOAD(message))
	{
		if (kind_of(at) != TCA_OPTIONS) continue;
		EACH(option, RTA_DATA(at), (int)RTA_PAYLOAD(at))
		{
			if (kind_of(option) == TCA_BPF_ID) found.program = *(__u32 *)RTA_DATA(option);
			if (kind_of(option) == TCA_BPF_NAME) strncpy(found.name, RTA_DATA(option), sizeof found.name - 1);
		}
	}
	// The priority itself is listed, too, without a program.
	if (found.program) ((struct filter *)s->found)[s->count++] = found;
}

int list_filters(int ifindex, struct filter *found, int most)
{
	struct request r;
	struct search s = {.found = found, .most = most};
	struct tcmsg *t = begin_tc(&r, RTM_GETTFILTER, NLM_F_DUMP, ifindex);
	t->tcm_parent = INGRESS;
	if (ask("netlink(RTM_GETTFILTER)", &r, take_filter, &s) == 0) return s.count;
	// Without a clsact qdisc there are no filters.
	return failure.number == EINVAL || failure.number == ENOENT ? 0 : -1;
}

static int bring_up(const char *name)
{
	struct request r;
	struct ifinfomsg *link = begin(&r, RTM_NEWLINK, NLM_F_ACK, sizeof *link);
	link->ifi_flags = link->ifi_change = IFF_UP;
	add_text(&r, IFLA_IFNAME, name);
	return ask("netlink(RTM_NEWLINK)", &r, NULL, NULL);
}

int make_veth(const char *name, const char *peer)
{
	struct request r;
	struct ifinfomsg other = {0};
	begin(&r, RTM_NEWLINK, NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL, sizeof other);
	add_text(&r, IFLA_IFNAME, name);
	struct rtattr *info = add(&r, IFLA_LINKINFO, NULL, 0);
	add_text(&r, IFLA_INFO_KIND, "veth");
	struct rtattr *data = add(&r, IFLA_INFO_DATA, NULL, 0);
	struct rtattr *end = add(&r, VETH_INFO_PEER, &other, sizeof other);
	add_text(&r, IFLA_IFNAME, peer);
	close_nested(&r, end);
	close_nested(&r, data);
	close_nested(&r, info);
	if (ask("netlink(RTM_NEWLINK)", &r, NULL, NULL) < 0) return -1;
	return bring_up(name) < 0 ? -1 : bring_up(peer);
}
