/* SPDX-License-Identifier: Apache-2.0 */
/* What the subcommands share: arguments, output, failures, time. */
#ifndef NODEPORT_H
#define NODEPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "../../bpf/shared.h"

#define VERSION "1"
#ifdef __x86_64__
#define ARCHITECTURE "x64"
#else
#define ARCHITECTURE "arm64"
#endif
#define NS_PER_SECOND 1000000000ull

/* Subcommands: each reads its arguments, and returns the exit code. */
int run_forward(void);
int run_balance(void);
int run_rebalance(void);
int run_counters(void);
int run_generate(void);
int run_sink(void);
int run_echo(void);
int run_handshake(void);
int run_device(void);
int run_loaded(void);
int run_mark(char **command);
int run_sample(void);
int run_preflight(void);
int run_send(void);
int run_translate(void);
int run_translate_frames(void);
int run_translate_sessions(void);
int run_page(void);
int run_route(void);
int run_pace(void);
int run_connect(void);
int run_bulk(void);
int run_fetch(void);
int run_path(void);
int run_ping(void);

/* arguments.c. A wrong argument ends the process with exit code 2. */

/** `allowed` has names, separated by blanks: `name` takes a value, `name!` none, `name*` can stand more than once. */
void read_arguments(int count, char **values, const char *allowed);
/** The value, or null. */
const char *text_argument(const char *name);
const char *required_argument(const char *name);
bool flag_argument(const char *name);
/** Up to `most` values of one name; at least one is required. */
int every_argument(const char *name, const char **values, int most);
uint64_t number_argument(const char *name, uint64_t least, uint64_t most);
/** The place of the value in `choices`, which are separated by blanks; `otherwise` if it is not there (-1: required). */
int choice_argument(const char *name, const char *choices, int otherwise);
/** A number of seconds with at most 9 decimals, in ns. */
uint64_t seconds_argument(const char *name, uint64_t least, uint64_t most);
/** Fills in the address, and returns its family. */
enum family address_argument(const char *name, struct address *address);
/** The addresses of `--pod`, one of each family at most. */
void pod_arguments(struct address pod[FAMILIES]);
_Noreturn void bad_argument(const char *name, const char *why);

/* address.c */

/** Whether the text is an address; fills in its family. */
bool read_address(const char *text, struct address *address, enum family *family);
#define ADDRESS_TEXT 64
/** Writes an address as text; an IPv6 address that holds an IPv4 one as that one. */
void write_address(const void *sockaddr, char text[ADDRESS_TEXT]);
/** Fills in a sockaddr_storage; returns its length. */
unsigned socket_address(enum family family, const struct address *address, uint16_t port, void *sockaddr);

/* output.c */

/** Writes one line at once. */
void print_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
/** The text as a JSON string, in one of a few static buffers. */
const char *quoted(const char *text);

/** The system call that failed last, where a function returned -1. */
struct failure {
	const char *call;
	int number;
};
extern struct failure failure;
/** Keeps the call and its errno if the result is negative; returns the result. */
long checked(const char *call, long result);
/** The error's code for an errno. */
const char *code_of(int number);
/** `"code":..,"call":..,"errno":..,"number":..` of the kept failure. */
const char *failure_fields(void);
/** Prints the kept failure, and ends the process with exit code 1. */
_Noreturn void fail(const char *what);
/** Prints an error of its own, with more fields (`,"name":value`) or none. */
_Noreturn void fail_code(const char *code, const char *message, const char *fields);

/* guard.c */

struct device {
	char name[16];
	char kind[16];
	int ifindex;
	unsigned mtu;
	uint8_t mac[6];
	int xdp_mode;
	unsigned xdp_program;
};

/** Ends the process in the machine's own network namespace. */
void guard_namespace(void);
/** The device of the argument; ends the process if it is not there or no veth device. */
struct device guarded_device(const char *name);
/** The same for a device that can also be netkit. */
struct device guarded_end(const char *name);
#define MACVLAN "macvlan"
/** The same for a device that can also be a macvlan: a pod's device on the network card of its host. */
struct device guarded_pod_device(const char *name);

/* forward.c */

/** The counters of a forwarder as a JSON object, in a buffer of its own. */
const char *counts_of(enum forwarder forwarder);

/* wait.c */

uint64_t now(void);
/** Blocks the signals that end the process, and returns a descriptor that becomes readable with them. */
int ending_signals(void);
/** A descriptor that becomes readable every so many ns, from then on. */
int timer_every(uint64_t ns);
/** Answers each connection to the abstract socket of this name; returns its descriptor. */
int listen_locally(const char *name);
/** Answers with the line of counters until a signal comes. */
void serve_counters(int signals, int listener, const char *line(const char *type));
/** Takes one connection, writes the line and closes it. */
void answer_locally(int listener, const char *line, size_t length);
/** Connects to who listens at this name; returns the descriptor, or -1 with `failure` set. */
int connect_locally(const char *name);
/**
 * Sends the message to the process that listens at this name, if `size` is not 0, and asks for its line, without the end
 * of it. Returns its length; -1 with `failure` set, where ECONNREFUSED says that there is none.
 */
long ask_locally(const char *name, const void *message, size_t size, char *line, size_t room);

#endif
