/* SPDX-License-Identifier: Apache-2.0 */
/* What both generators share. */
#ifndef NODEPORT_GENERATE_H
#define NODEPORT_GENERATE_H

#include <stdatomic.h>
#include "nodeport.h"

#define MOST_BATCH 64
/** Paced packets come in bursts of this much time at most. */
#define BURST_NS 50000

struct plan {
	struct device device;
	uint32_t size, batch;
	/** Bytes of the headers in `generator.header`. */
	uint32_t header_size;
};

/** The state that the sending thread writes and the other one reads: for `xdp` the map's own memory. */
struct sending {
	struct generator *generator;
	atomic_bool stop, done;
	/** Times that the device's queue was full. */
	atomic_ullong refused;
	/** The thread's CPU time when it began to send, in ns: what it needed to get ready is no packet's. 0 before. */
	atomic_ullong cpu_before;
	/** Why it could not go on; `call` is null if it could. */
	struct failure failure;
};

/** Called by the sending thread when it is ready. */
void begin_sending(struct sending *to);

/** Sends until it is told to stop. Runs in a thread of its own; SIGUSR1 interrupts its system call. */
typedef void sender(const struct plan *plan, struct sending *to);
sender send_live, send_ring;

/** The ring's socket, ready to send on the device; -1 with `failure` set. */
struct ring {
	int fd;
	uint8_t *frames;
	uint32_t next;
};
int open_ring(const struct device *device, struct ring *ring);
/** Waits until the ring has room, or is told to stop; then fills one frame with the plan's next packet. */
int fill_frame(struct ring *ring, const struct plan *plan, struct generator *g);
/** Sends what was filled in; -1 with `failure` set. */
int flush_ring(struct ring *ring, struct sending *to);

#endif
