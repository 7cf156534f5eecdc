/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The agent of a place, which starts processes for the server. The place is the counted machine; or with `agent stdio`
 * namespaces of its own on another host, of which it is process 1, or a container, of which it is not.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "agent.h"

/* All that is kept of a peer: what it has begun to send, and what it has not read yet. */
static uint8_t incoming[HEADER + MOST_PAYLOAD], outgoing[4 * (HEADER + MOST_OUTPUT)];
static uint32_t incoming_count, outgoing_first, outgoing_count;
static int port_in, port_out;
/* The seconds that the server may be silent: a connection can end without a word. 0 for any number. */
static unsigned most_silence;

static void put_number(uint8_t *at, uint64_t number, int bytes)
{
	for (int i = 0; i < bytes; i++) at[i] = (uint8_t)(number >> (8 * i));
}

static uint32_t number_at(const uint8_t *at)
{
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/** Room for one more frame of this payload, or null; `commit` sends it. */
static uint8_t *frame_room(uint32_t payload)
{
	if (outgoing_first > 0 && outgoing_first + outgoing_count + HEADER + payload > sizeof outgoing) {
		memmove(outgoing, outgoing + outgoing_first, outgoing_count);
		outgoing_first = 0;
	}
	if (outgoing_first + outgoing_count + HEADER + payload > sizeof outgoing) return NULL;
	return outgoing + outgoing_first + outgoing_count + HEADER;
}

static void commit(enum frame type, int channel, uint32_t payload)
{
	uint8_t *header = outgoing + outgoing_first + outgoing_count;
	put_number(header, payload, 4);
	put_number(header + 4, type, 2);
	put_number(header + 6, (uint64_t)channel, 2);
	outgoing_count += HEADER + payload;
}

static bool send_number(enum frame type, int channel, uint64_t number, int bytes)
{
	uint8_t *room = frame_room((uint32_t)bytes);
	if (room == NULL) return false;
	put_number(room, number, bytes);
	commit(type, channel, (uint32_t)bytes);
	return true;
}

static void flush(void)
{
	while (outgoing_count > 0) {
		ssize_t written = write(port_out, outgoing + outgoing_first, outgoing_count);
		if (written < 0 && (errno == EAGAIN || errno == EINTR)) return;
		if (written < 0) end_machine("the server is gone");
		outgoing_first += (uint32_t)written;
		outgoing_count -= (uint32_t)written;
	}
	outgoing_first = 0;
}

static int pongs;

static void act(enum frame type, uint32_t number, uint8_t *payload, uint32_t length)
{
	if (number >= CHANNELS) end_machine("a frame names no channel");
	struct channel *channel = &channels[number];
	switch (type) {
	case START: return start_process(channel, (char *)payload, length);
	case READ: return read_file(channel, (char *)payload, length);
	case INPUT: return take_input(channel, payload, length);
	case INPUT_END: channel->input_ends = true; return;
	case OUTPUT_CREDIT:
		if (length != 4) end_machine("a credit has no number");
		if (__builtin_add_overflow(channel->credit, number_at(payload), &channel->credit)) end_machine("too much credit");
		return;
	case SIGNAL:
		if (length != 1) end_machine("a signal has no number");
		return signal_process(channel, payload[0]);
	case END: return end_process(channel);
	case RESIZE: return resize_terminal(channel, payload, length);
	case PING:
		if (++pongs > CHANNELS) end_machine("too many pings at once");
		return;
	default: end_machine("a frame of no known type");
	}
}

static void receive(void)
{
	ssize_t count = read(port_in, incoming + incoming_count, sizeof incoming - incoming_count);
	if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
	if (count <= 0) end_machine("the server is gone");
	alarm(most_silence);
	incoming_count += (uint32_t)count;
	uint32_t done = 0;
	while (incoming_count - done >= HEADER) {
		uint8_t *header = incoming + done;
		uint32_t length = number_at(header), kind = number_at(header + 4);
		if (length > MOST_PAYLOAD) end_machine("a frame is too long");
		if (incoming_count - done < HEADER + length) break;
		act((enum frame)(kind & 0xffff), kind >> 16, header + HEADER, length);
		done += HEADER + length;
	}
	memmove(incoming, incoming + done, incoming_count - done);
	incoming_count -= done;
}

/** Passes on what a process printed, as far as the peer allows it and there is room. */
static void pass_on(int number, enum output which)
{
	struct channel *channel = &channels[number];
	uint32_t most = channel->credit < MOST_OUTPUT ? channel->credit : MOST_OUTPUT;
	uint8_t *room = frame_room(MOST_OUTPUT);
	if (room == NULL || most == 0 || channel->outputs[which] < 0) return;
	ssize_t count = read(channel->outputs[which], room, most);
	if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
	if (count < 0 && channel->process == 0) channel->failed = errno;
	if (count <= 0) return close_descriptor(&channel->outputs[which]);
	channel->credit -= (uint32_t)count;
	commit(which == OUT ? STDOUT : STDERR, number, (uint32_t)count);
}

/** Sends what is due besides output; what finds no room is due the next time again. */
static void report(int number)
{
	struct channel *channel = &channels[number];
	if (channel->process > 0 && !channel->announced) {
		if (!send_number(STARTED, number, (uint32_t)channel->process, 4)) return;
		channel->announced = true;
	}
	if (channel->taken > 0 && send_number(INPUT_CREDIT, number, channel->taken, 4)) channel->taken = 0;
	if (!has_ended(channel)) return;
	bool sent = channel->failed != 0 ? send_number(FAILED, number, (uint32_t)channel->failed, 4)
					  : send_number(EXITED, number, (uint32_t)channel->status, 4);
	if (!sent) return;
	close_descriptor(&channel->input);
	for (int i = 0; i < OUTPUTS; i++) close_descriptor(&channel->outputs[i]);
	channel->open = false;
}

struct watched {
	int channel;
	/** An enum output, or OUTPUTS for the input. */
	int which;
};

/** The server, ended children, and the way to the server. */
enum { FIXED = 3 };

static void turn(int children)
{
	static struct pollfd polled[FIXED + CHANNELS * 3];
	static struct watched watched[FIXED + CHANNELS * 3];
	int count = 0, wait = -1;
	for (int i = 0; i < CHANNELS; i++) {
		struct channel *channel = &channels[i];
		if (!channel->open) continue;
		feed_process(channel);
		int due = continue_end(channel);
		report(i);
		if (!channel->open) continue;
		if (due >= 0 && (wait < 0 || due < wait)) wait = due;
	}
	while (pongs > 0 && send_number(PONG, 0, now_ns(), 8)) pongs--;
	flush();
	bool room = frame_room(MOST_OUTPUT) != NULL;
	polled[count++] = (struct pollfd){port_in, POLLIN, 0};
	polled[count++] = (struct pollfd){children, POLLIN, 0};
	polled[count++] = (struct pollfd){outgoing_count > 0 ? port_out : -1, POLLOUT, 0};
	for (int i = 0; i < CHANNELS; i++) {
		const struct channel *channel = &channels[i];
		if (!channel->open) continue;
		for (int which = 0; which < OUTPUTS; which++) {
			if (channel->outputs[which] < 0 || channel->credit == 0 || !room) continue;
			watched[count] = (struct watched){i, which};
			polled[count++] = (struct pollfd){channel->outputs[which], POLLIN, 0};
		}
		if (channel->input < 0 || channel->ring_count == 0) continue;
		watched[count] = (struct watched){i, OUTPUTS};
		polled[count++] = (struct pollfd){channel->input, POLLOUT, 0};
	}
	if (poll(polled, (nfds_t)count, wait) < 0) return;
	if (polled[1].revents != 0) {
		struct signalfd_siginfo info;
		if (read(children, &info, sizeof info) < 0 && errno != EAGAIN) perror("agent: signalfd");
		reap();
	}
	for (int i = FIXED; i < count; i++) {
		if (polled[i].revents != 0 && watched[i].which < OUTPUTS) pass_on(watched[i].channel, (enum output)watched[i].which);
	}
	if (polled[0].revents & (POLLIN | POLLHUP)) receive();
}

/** Linux names the first port of the first device so. */
#define PORT "/dev/vport0p1"
#define PORT_WAIT_NS 10000000000u
#define LOOK_NS 2000000

/** The kernel makes the port, and hears of the server at its other end, some time after it has started this process. */
static void open_port(void)
{
	const struct timespec pause = {0, LOOK_NS};
	for (int port = -1;; nanosleep(&pause, NULL)) {
		if (port < 0) port = open(PORT, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
		port_in = port_out = port;
		struct pollfd other = {port, POLLOUT, 0};
		if (port >= 0 && poll(&other, 1, 0) == 1 && (other.revents & POLLHUP) == 0) return;
		if (now_ns() > PORT_WAIT_NS) end_machine("there is no port to the server");
	}
}

/** Takes a descriptor that no process shall have, and leaves them nothing in its place. */
static int take_descriptor(int from)
{
	int taken = fcntl(from, F_DUPFD_CLOEXEC, 3), nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (taken < 0 || nothing < 0 || dup2(nothing, from) < 0) end_machine("there is no connection to the server");
	close(nothing);
	fcntl(taken, F_SETFL, fcntl(taken, F_GETFL) | O_NONBLOCK);
	return taken;
}

#define MOST_SECONDS 3600

/** Process 1 of a pid namespace gets no signal without a handler. */
static void on_silence(int number)
{
	(void)number;
	end_machine("the server is silent");
}

int main(int count, char **arguments)
{
	bool on_stdio = count == 3 && strcmp(arguments[1], "stdio") == 0;
	if (on_stdio) most_silence = (unsigned)atoi(arguments[2]);
	/* The kernel passes parameters that it does not know to process 1 of the counted machine. */
	if (on_stdio ? most_silence > MOST_SECONDS : getpid() != 1) {
		fprintf(stderr, "agent: this is process 1 of the counted machine; elsewhere it is `agent stdio SECONDS`\n");
		return 2;
	}
	if (on_stdio) {
		if (getpid() == 1) make_namespaces();
		port_in = take_descriptor(STDIN_FILENO);
		port_out = take_descriptor(STDOUT_FILENO);
	} else {
		make_machine();
		open_port();
	}
	umask(022);
	sigset_t child;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGALRM, on_silence);
	alarm(most_silence);
	int children = signalfd(-1, &child, SFD_NONBLOCK | SFD_CLOEXEC);
	if (children < 0) end_machine("there is no signalfd");
	uint8_t *hello = frame_room(12);
	put_number(hello, PROTOCOL, 4);
	put_number(hello + 4, now_ns(), 8);
	commit(HELLO, 0, 12);
	for (;;) turn(children);
}
