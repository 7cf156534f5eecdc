/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/if_link.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>
#include "loader.h"
#include "netlink.h"

#define MOST_ATTACHED 16

/** One of ethtool's switches; -1 with `failure` set. */
static int ethtool(const char *device, uint32_t command, uint32_t value)
{
	struct ethtool_value v = {command, value};
	struct ifreq request = {.ifr_data = (void *)&v};
	strncpy(request.ifr_name, device, sizeof request.ifr_name - 1);
	int fd = checked("socket(AF_INET)", socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
	if (fd < 0) return -1;
	int result = checked("ioctl(SIOCETHTOOL)", ioctl(fd, SIOCETHTOOL, &request));
	close(fd);
	return result < 0 ? -1 : (int)v.data;
}


/**
 * /sys shows the devices of the network namespace in which it was mounted: this process gets one of its own, in a mount
 * namespace that ends with it.
 */
static int own_sys(void)
{
	if (checked("unshare(CLONE_NEWNS)", unshare(CLONE_NEWNS)) < 0) return -1;
	if (checked("mount(/)", mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) < 0) return -1;
	int result = checked("mount(sysfs)", mount("sysfs", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL));
	// EBUSY: the one of this network namespace is there already (`ip netns exec` mounts it).
	return result < 0 && failure.number != EBUSY ? -1 : 0;
}

static int open_threaded(const char *device, int flags)
{
	char path[64];
	snprintf(path, sizeof path, "/sys/class/net/%s/threaded", device);
	return checked("open(threaded)", open(path, flags | O_CLOEXEC));
}

static void set_threaded(const char *device, bool on)
{
	int fd = open_threaded(device, O_WRONLY);
	if (fd < 0 || checked("write(threaded)", write(fd, on ? "1" : "0", 1)) < 0) fail("threaded NAPI");
	close(fd);
}

/** `true`, `false`, or `null` where it can't be read. */
static const char *threaded(const char *device)
{
	char value = 0;
	int fd = open_threaded(device, O_RDONLY);
	if (fd < 0) return "null";
	if (read(fd, &value, 1) != 1) value = 0;
	close(fd);
	return value == '1' ? "true" : value == '0' ? "false" : "null";
}

static void print_xdp(const struct device *device, char *text, size_t room)
{
	const char *mode = device->xdp_mode == XDP_ATTACHED_SKB ? "generic" : device->xdp_mode == XDP_ATTACHED_HW ? "offload" : "native";
	if (device->xdp_mode == XDP_ATTACHED_NONE) snprintf(text, room, "null");
	else snprintf(text, room, "{\"mode\":\"%s\",\"programId\":%u}", mode, device->xdp_program);
}

static void print_tcx(int ifindex, char *text)
{
	struct attached found[MOST_ATTACHED];
	int count = query_tcx(ifindex, found, MOST_ATTACHED);
	if (count < 0) {
		strcpy(text, "null");
		return;
	}
	text += sprintf(text, "[");
	for (int i = 0; i < count; i++)
		text += sprintf(text, "%s{\"programId\":%u,\"linkId\":%u}", i ? "," : "", found[i].program, found[i].link);
	strcpy(text, "]");
}

static void print_filters(int ifindex, char *text)
{
	struct filter found[MOST_ATTACHED];
	int count = list_filters(ifindex, found, MOST_ATTACHED);
	if (count < 0) fail("the device's filters");
	text += sprintf(text, "[");
	for (int i = 0; i < count; i++)
		text += sprintf(text, "%s{\"programId\":%u,\"name\":%s}", i ? "," : "", found[i].program, quoted(found[i].name));
	strcpy(text, "]");
}

static bool is_on(const char *name)
{
	return choice_argument(name, "off on", -1) == 1;
}

static const char *truth(int value)
{
	if (value < 0) fail("reading the device");
	return value ? "true" : "false";
}

int run_device(void)
{
	const char *name = required_argument("device");
	char xdp[64], tcx[1024], tc[4096];
	// All arguments are read before the first of them is done.
	bool gro = text_argument("gro") && is_on("gro"), checksum = text_argument("tx-checksum") && is_on("tx-checksum");
	bool in_thread = text_argument("threaded") && is_on("threaded");
	struct device device = guarded_pod_device(name);
	int sys = own_sys();
	if (text_argument("gro") && ethtool(name, ETHTOOL_SGRO, gro) < 0) fail("GRO");
	// A macvlan has the checksum offload of its network card, and no setting of its own.
	bool has_checksum = strcmp(device.kind, MACVLAN) != 0;
	if (text_argument("tx-checksum") && has_checksum && ethtool(name, ETHTOOL_STXCSUM, checksum) < 0) fail("checksum offload");
	if (text_argument("threaded")) {
		if (sys < 0) fail("threaded NAPI");
		set_threaded(name, in_thread);
	}
	print_xdp(&device, xdp, sizeof xdp);
	print_tcx(device.ifindex, tcx);
	print_filters(device.ifindex, tc);
	const uint8_t *m = device.mac;
	print_line("{\"type\":\"device\",\"name\":%s,\"ifindex\":%d,\"kind\":%s,\"mac\":\"%02x:%02x:%02x:%02x:%02x:%02x\",\"mtu\":%u,"
		   "\"gro\":%s,\"txChecksum\":%s,\"threaded\":%s,\"xdp\":%s,\"tcx\":%s,\"tc\":%s}",
		   quoted(name), device.ifindex, quoted(device.kind), m[0], m[1], m[2], m[3], m[4], m[5], device.mtu,
		   truth(ethtool(name, ETHTOOL_GGRO, 0)), truth(ethtool(name, ETHTOOL_GTXCSUM, 0)), sys < 0 ? "null" : threaded(name),
		   xdp, tcx, tc);
	return 0;
}
