/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * All numbers are little-endian, as this processor has them.
 *
 * At a mark that begins a profile the plugin sends `B`. The server answers with a count of symbols in 32 bits, their addresses
 * in ascending order, 64 bits each, and a byte for each that says its kind. At the other mark the plugin sends `P`, the totals, the
 * number of contexts in 64 bits, and the contexts. The machine stands still meanwhile.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include "wire.h"

enum { MOST_SYMBOLS = 1 << 20 };

static int connection = -1;
static uint32_t symbol_count;
static uint64_t *addresses;
static uint8_t *kinds;

void use_connection(int fd)
{
	connection = fd;
}

bool is_connected(void)
{
	return connection >= 0;
}

static bool send_all(const void *data, size_t size)
{
	const char *from = data;
	while (size > 0) {
		ssize_t sent = write(connection, from, size);
		if (sent < 0 && errno == EINTR) continue;
		if (sent <= 0) return false;
		from += sent;
		size -= sent;
	}
	return true;
}

static bool receive_all(void *data, size_t size)
{
	char *to = data;
	while (size > 0) {
		ssize_t got = read(connection, to, size);
		if (got < 0 && errno == EINTR) continue;
		if (got <= 0) return false;
		to += got;
		size -= got;
	}
	return true;
}

bool read_symbols(void)
{
	uint32_t count;
	symbol_count = 0;
	if (!send_all("B", 1) || !receive_all(&count, sizeof count) || count == 0 || count > MOST_SYMBOLS) return false;
	free(addresses);
	free(kinds);
	addresses = malloc(count * sizeof *addresses);
	kinds = malloc(count);
	if (addresses == NULL || kinds == NULL) return false;
	if (!receive_all(addresses, count * sizeof *addresses) || !receive_all(kinds, count)) return false;
	symbol_count = count;
	return true;
}

uint32_t function_at(uint64_t address)
{
	uint32_t low = 0, high = symbol_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (addresses[middle] <= address) low = middle + 1;
		else high = middle;
	}
	return low == 0 ? UNKNOWN : FIRST_SYMBOL + low - 1;
}

int kind_of(uint32_t function)
{
	return function < FIRST_SYMBOL ? ORDINARY : kinds[function - FIRST_SYMBOL];
}

void write_profile(const struct totals *totals, const struct node *nodes, uint32_t count)
{
	// The first is the root, which is nobody's child.
	uint64_t sent = count - 1;
	if (send_all("P", 1) && send_all(totals, sizeof *totals) && send_all(&sent, sizeof sent))
		send_all(nodes + 1, sent * sizeof *nodes);
}
