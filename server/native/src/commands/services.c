/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "services.h"

/** Far more than the most services take. */
#define MOST_BYTES (16 << 20)

static char *text;
static size_t at;

static _Noreturn void bad(const char *why)
{
	char fields[64];
	snprintf(fields, sizeof fields, ",\"at\":%zu", at);
	fail_code("bad_services", why, fields);
}

static char next(void)
{
	while (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r') at++;
	return text[at];
}

static void expect(char wanted, const char *why)
{
	if (next() != wanted) bad(why);
	at++;
}

/** After an item: whether another one follows. */
static bool more(char end)
{
	if (next() == ',') {
		at++;
		return true;
	}
	expect(end, "a comma or the end of the list is missing");
	return false;
}

/** A string without escapes: no name and no address needs them. */
static const char *string(void)
{
	expect('"', "a string is missing");
	size_t began = at;
	for (; text[at] != '"'; at++) {
		if ((unsigned char)text[at] < 0x20 || text[at] == '\\') bad("a string has no end, or a character that none needs");
	}
	text[at++] = 0;
	return text + began;
}

static uint32_t number(uint32_t least, uint32_t most)
{
	next();
	size_t digits = strspn(text + at, "0123456789");
	if (digits == 0 || digits > 9 || (digits > 1 && text[at] == '0')) bad("a whole number is missing");
	uint32_t value = 0;
	for (; digits > 0; digits--) value = value * 10 + (text[at++] - '0');
	if (value < least || value > most) bad("a number is out of range");
	return value;
}

static enum family address(struct address *to)
{
	enum family family;
	const char *words = string();
	if (!read_address(words, to, &family)) bad("this is no address");
	return family;
}

/** A list of at most one address for each family; returns which there are. */
static unsigned addresses(struct address *list)
{
	unsigned seen = 0;
	expect('[', "a list is missing");
	if (next() == ']') bad("a list of addresses is empty");
	do {
		struct address one;
		enum family family = address(&one);
		if (seen & 1u << family) bad("a family has two addresses");
		list[family] = one;
		seen |= 1u << family;
	} while (more(']'));
	return seen;
}

static struct service service(void)
{
	struct service s = {0};
	unsigned seen = 0;
	expect('{', "a service is missing");
	do {
		const char *name = string();
		unsigned which = 0;
		expect(':', "a colon is missing");
		if (strcmp(name, "port") == 0) {
			which = 1;
			s.key.port = htons(number(1, 65535));
		} else if (strcmp(name, "protocol") == 0) {
			which = 2;
			const char *protocol = string();
			if (strcmp(protocol, "tcp") == 0) s.key.protocol = IPPROTO_TCP;
			else if (strcmp(protocol, "udp") == 0) s.key.protocol = IPPROTO_UDP;
			else bad("a protocol is neither tcp nor udp");
		} else if (strcmp(name, "address") == 0) {
			which = 4;
			s.key.family = address(&s.backend.address);
		} else if (strcmp(name, "backendPort") == 0) {
			which = 8;
			s.backend.port = htons(number(1, 65535));
		} else {
			bad("a service has a field that is not known");
		}
		if (seen & which) bad("a field stands twice");
		seen |= which;
	} while (more('}'));
	if (seen != 15) bad("a service needs port, protocol, address and backendPort");
	return s;
}

static void list_of_services(struct services *to)
{
	expect('[', "a list is missing");
	if (next() == ']') {
		at++;
		return;
	}
	do {
		if (to->count == MOST_SERVICES) bad("there are too many services");
		to->list[to->count++] = service();
	} while (more(']'));
}

/** Reads to the end, or of stdin one line: what follows are commands. */
static void read_all(const char *path)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : checked("open(services)", open(path, O_RDONLY | O_CLOEXEC));
	if (fd < 0) fail("the services");
	text = malloc(MOST_BYTES + 1);
	size_t length = 0;
	while (text && length < MOST_BYTES) {
		ssize_t got = checked("read(services)", read(fd, text + length, is_stdin ? 1 : MOST_BYTES - length));
		if (got < 0 && errno == EINTR) continue;
		if (got < 0) fail("the services");
		if (got == 0 || (is_stdin && text[length] == '\n')) break;
		length += got;
	}
	if (!text || length == MOST_BYTES) bad("this is too long");
	// A byte 0 would hide what follows it.
	if (memchr(text, 0, length)) bad("there is a byte that is no text");
	text[length] = 0;
	if (!is_stdin) close(fd);
}

struct services read_services(const char *path)
{
	struct services s = {.list = malloc(sizeof *s.list * MOST_SERVICES)};
	unsigned seen = 0, node = 0, masquerade = 0;
	read_all(path);
	if (!s.list) bad("there is no memory for them");
	expect('{', "this is no JSON object");
	do {
		const char *name = string();
		unsigned which = 0;
		expect(':', "a colon is missing");
		if (strcmp(name, "node") == 0) {
			which = 1;
			node = addresses(s.config.node);
		} else if (strcmp(name, "masquerade") == 0) {
			which = 2;
			masquerade = addresses(s.config.masquerade);
		} else if (strcmp(name, "services") == 0) {
			which = 4;
			list_of_services(&s);
		} else {
			bad("there is a field that is not known");
		}
		if (seen & which) bad("a field stands twice");
		seen |= which;
	} while (more('}'));
	if (next()) bad("something follows the services");
	if (seen != 7) bad("node, masquerade and services are all needed");
	if (node != masquerade) bad("node and masquerade need the same families");
	for (enum family family = IPV4; family < FAMILIES; family++) s.config.has[family] = node >> family & 1;
	for (uint32_t i = 0; i < s.count; i++) {
		if (!s.config.has[s.list[i].key.family]) bad("a service has a family without a node address");
	}
	return s;
}
