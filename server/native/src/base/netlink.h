/* SPDX-License-Identifier: Apache-2.0 */
/* Asks and changes the network namespace through rtnetlink. Each returns 0 or more, or -1 with `failure` set. */
#ifndef NODEPORT_NETLINK_H
#define NODEPORT_NETLINK_H

#include "nodeport.h"

/** Reads a device by its name; -1 with ENODEV if there is none. */
int read_device(const char *name, struct device *device);
/** The device's first address of this family; -1 with EADDRNOTAVAIL if there is none. */
int first_address(int ifindex, enum family family, struct address *address);
/** The MAC address of a neighbour; -1 with EHOSTUNREACH if the table has none. */
int neighbour(int ifindex, enum family family, const struct address *address, uint8_t mac[6]);

/** Makes the clsact qdisc; 0 if it is new, 1 if it was there. */
int add_clsact(int ifindex);
int remove_clsact(int ifindex);
/** A direct-action filter at the ingress, first in order. */
int add_filter(int ifindex, int program, const char *name);
int remove_filter(int ifindex);

struct filter {
	uint32_t program;
	char name[32];
};
/** The BPF filters at the ingress; returns how many. */
int list_filters(int ifindex, struct filter *found, int most);

/** For preflight: a pair of devices, both up. */
int make_veth(const char *name, const char *peer);

#endif
