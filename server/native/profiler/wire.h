/* SPDX-License-Identifier: GPL-2.0-or-later */
/** The connection to the server: it sends the kernel's symbols, and receives a profile. */
#ifndef WIRE_H
#define WIRE_H

#include <stdbool.h>
#include <stdint.h>

/* The last byte of a mark. */
enum { BEGIN = 1, END = 2 };

/* Functions that are not symbols; the first symbol is FIRST_SYMBOL. */
enum { ROOT, USER, UNKNOWN, TASK, FIRST_SYMBOL };

/* What a function does to the stack, as the server tells by its name. */
enum { ORDINARY, ENTERS_BY_INTERRUPT, CALLS_ON_INTERRUPT_STACK, SWITCHES_TASK };

/** A calling context. Its parent comes before it. */
struct node {
	uint32_t parent, function;
	uint64_t own, calls;
};

/** `lost`: contexts and stacks that had no place. `strays`, `unmatched`: stores and returns that fit no call. */
struct totals {
	uint64_t instructions, lost, deep, strays, switches, unmatched;
};

void use_connection(int fd);
bool is_connected(void);
/** Asks the server for the kernel's symbols. False if it has none: then it wants no profile. */
bool read_symbols(void);
uint32_t function_at(uint64_t address);
int kind_of(uint32_t function);
void write_profile(const struct totals *totals, const struct node *nodes, uint32_t count);

#endif
