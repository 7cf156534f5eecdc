/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NODEPORT_SINK_H
#define NODEPORT_SINK_H

#include <stdint.h>

/** A UDP socket that is bound to the device, and whose filter drops all that comes; -1 with `failure` set. */
int open_counting_socket(const char *device, uint16_t port);
/** How many packets the socket dropped, modulo 2^32; -1 with `failure` set. */
int counted_by_socket(int fd, uint32_t *drops);

#endif
