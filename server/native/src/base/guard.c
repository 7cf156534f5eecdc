/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <linux/nsfs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "netlink.h"

/** PROC_USER_INIT_INO: the first user namespace has had this number since Linux 3.8. */
#define INITIAL_USER_NAMESPACE 0xEFFFFFFDul

/**
 * The kernel's settings for all namespaces can be seen in the machine's own network namespace alone
 * (net/core/sysctl_net_core.c); `somaxconn` in each, if /proc/sys can be seen at all.
 */
static bool has_settings_of_all(void)
{
	return access("/proc/sys/net/core/somaxconn", F_OK) < 0 || access("/proc/sys/net/core/netdev_max_backlog", F_OK) == 0;
}

/**
 * Whether this network namespace is surely not the machine's own. One that belongs to a user namespace other than the
 * first is not; nor is one that process 1 does not have. A root without all rights can't read the latter.
 */
static bool is_private(void)
{
	struct stat owner, own, first;
	int fd = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &own) < 0) return false;
	int user = ioctl(fd, NS_GET_USERNS);
	close(fd);
	// EPERM: it belongs to a user namespace outside this one.
	if (user < 0 || fstat(user, &owner) < 0) return false;
	close(user);
	if (owner.st_ino != INITIAL_USER_NAMESPACE) return true;
	if (stat("/proc/1/ns/net", &first) < 0) return !has_settings_of_all();
	return own.st_ino != first.st_ino || own.st_dev != first.st_dev;
}

void guard_namespace(void)
{
	if (is_private()) return;
	fail_code("initial_namespace", "This is the machine's own network namespace; it runs in others alone.", NULL);
}

/** @param also another kind of device that is accepted; null for none */
static struct device guarded(const char *name, const char *also)
{
	struct device device;
	char fields[1100];
	guard_namespace();
	snprintf(fields, sizeof fields, ",\"device\":%s", quoted(name));
	if (read_device(name, &device) < 0) {
		if (failure.number != ENODEV) fail("reading a device");
		fail_code("no_device", "There is no such device in this network namespace.", fields);
	}
	bool is_also = also && strcmp(device.kind, also) == 0;
	if (strcmp(device.kind, "veth") != 0 && !is_also) fail_code("wrong_device", "This is no veth device.", fields);
	return device;
}

struct device guarded_device(const char *name)
{
	return guarded(name, NULL);
}

struct device guarded_end(const char *name)
{
	return guarded(name, "netkit");
}

struct device guarded_pod_device(const char *name)
{
	return guarded(name, MACVLAN);
}
