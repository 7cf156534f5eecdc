/* SPDX-License-Identifier: Apache-2.0 */
/* What the agent's parts share: frames, channels, limits. server/native/README.md describes the protocol. */
#ifndef AGENT_H
#define AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define PROTOCOL 3
/** Processes and files at once. */
#define CHANNELS 64
/** In front of each payload: its length, the frame's type, and the channel. */
#define HEADER 8
#define MOST_PAYLOAD 65536
/** Output of a process is sent in frames of at most this many bytes. */
#define MOST_OUTPUT 16384
/** Of a process's input, not yet taken by it; as many bytes may be sent before the first credit. */
#define INPUT_WINDOW 65536
#define MOST_ARGUMENTS 1024

enum frame {
	/* To the agent. */
	START = 1,
	READ = 2,
	INPUT = 3,
	INPUT_END = 4,
	OUTPUT_CREDIT = 5,
	SIGNAL = 6,
	END = 7,
	PING = 8,
	RESIZE = 9,
	/* From the agent. */
	HELLO = 64,
	STDOUT = 65,
	STDERR = 66,
	INPUT_CREDIT = 67,
	EXITED = 68,
	FAILED = 69,
	PONG = 70,
	STARTED = 71,
};

enum output { OUT, ERR, OUTPUTS };

struct channel {
	bool open;
	/** The process and its group; 0 for a file. */
	pid_t process;
	/** Whether the peer knows that it runs. */
	bool announced;
	bool exited;
	/** As wait(2) has it. */
	int status;
	/** Not 0: what made the start, or the reading of the file, fail. */
	int failed;
	/** Null descriptors are -1. A terminal's is both the input and the output. */
	int input, outputs[OUTPUTS];
	bool terminal;
	/** Bytes that the peer allows to send. */
	uint32_t credit;
	/** A ring of what the process has not taken yet. */
	uint8_t ring[INPUT_WINDOW];
	uint32_t ring_first, ring_count;
	/** Bytes that it has taken, and the peer does not know. */
	uint32_t taken;
	bool input_ends;
	/** When the next signal of END is due, in ns; 0 without END. */
	uint64_t end_at;
	bool killed;
};

/* machine.c */

/** Mounts what programs expect; this is process 1. */
void make_machine(void);
/** Hides the host's processes and named namespaces; this is process 1 of namespaces of its own. */
void make_namespaces(void);
/** Ends the virtual machine, or all that this agent has started. */
_Noreturn void end_machine(const char *why);
uint64_t now_ns(void);

/* channel.c */

extern struct channel channels[CHANNELS];
/** Each may call `end_machine`, if the peer breaks the protocol. */
void start_process(struct channel *channel, char *text, uint32_t length);
void read_file(struct channel *channel, char *text, uint32_t length);
void take_input(struct channel *channel, const uint8_t *bytes, uint32_t length);
/** Writes to the process what it takes now. */
void feed_process(struct channel *channel);
void signal_process(const struct channel *channel, int number);
/** Sets the rows and columns of a terminal. */
void resize_terminal(const struct channel *channel, const uint8_t *numbers, uint32_t length);
/** SIGTERM now, SIGKILL after a second, and an end whatever still runs after one more. */
void end_process(struct channel *channel);
/** Does what END has due; returns in how many ms to call it again, -1 for never. */
int continue_end(struct channel *channel);
/** SIGKILL for all of them, and their groups. */
void kill_processes(void);
/** Notes the end of all processes that have ended. */
void reap(void);
/** Whether everything of it has ended, but for the last frame. */
bool has_ended(const struct channel *channel);
void close_descriptor(int *descriptor);

#endif
