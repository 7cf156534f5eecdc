/* SPDX-License-Identifier: Apache-2.0 */
/* Sends frames as they are written: what no ordinary program sends can be shown and tested. */
#include <linux/if_packet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include "netlink.h"

/** A frame of the largest MTU. */
#define MOST_BYTES (65536 + 14)

static _Noreturn void bad(unsigned line)
{
	char fields[32];
	snprintf(fields, sizeof fields, ",\"at\":%u", line);
	fail_code("bad_frame", "A line is no frame of 14 bytes or more in hexadecimal digits.", fields);
}

static int digit(char c)
{
	const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;
	return at ? at - digits : -1;
}

int run_send(void)
{
	static char text[2 * MOST_BYTES + 2];
	struct device device = guarded_device(required_argument("device"));
	struct sockaddr_ll to = {.sll_family = AF_PACKET, .sll_ifindex = device.ifindex};
	unsigned frames = 0;
	int fd = checked("socket(AF_PACKET)", socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0));
	if (fd < 0) fail("sending");
	while (fgets(text, sizeof text, stdin)) {
		static uint8_t bytes[MOST_BYTES];
		size_t length = strcspn(text, "\n");
		if (length % 2 || length < 2 * 14) bad(frames + 1);
		for (size_t i = 0; i < length; i += 2) {
			int high = digit(text[i]), low = digit(text[i + 1]);
			if (high < 0 || low < 0) bad(frames + 1);
			bytes[i / 2] = high << 4 | low;
		}
		if (checked("send(AF_PACKET)", sendto(fd, bytes, length / 2, 0, (void *)&to, sizeof to)) < 0) fail("sending");
		frames++;
	}
	print_line("{\"type\":\"sent\",\"frames\":%u}", frames);
	return 0;
}
