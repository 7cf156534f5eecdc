/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "json.h"

/** Far more than the most rules or services take. */
#define MOST_BYTES (16 << 20)

static char *text;
static const char *code_if_bad;
static size_t at;

_Noreturn void json_bad(const char *why)
{
	char fields[64];
	snprintf(fields, sizeof fields, ",\"at\":%zu", at);
	fail_code(code_if_bad, why, fields);
}

char json_next(void)
{
	while (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r') at++;
	return text[at];
}

void json_expect(char wanted, const char *why)
{
	if (json_next() != wanted) json_bad(why);
	at++;
}

bool json_more(char end)
{
	if (json_next() == ',') {
		at++;
		return true;
	}
	json_expect(end, "a comma or the end of the list is missing");
	return false;
}

const char *json_string(void)
{
	json_expect('"', "a string is missing");
	size_t began = at;
	for (; text[at] != '"'; at++) {
		if ((unsigned char)text[at] < 0x20 || text[at] == '\\') json_bad("a string has no end, or a character that none needs");
	}
	text[at++] = 0;
	return text + began;
}

uint32_t json_number(uint32_t least, uint32_t most)
{
	json_next();
	size_t digits = strspn(text + at, "0123456789");
	if (digits == 0 || digits > 9 || (digits > 1 && text[at] == '0')) json_bad("a whole number is missing");
	uint32_t value = 0;
	for (; digits > 0; digits--) value = value * 10 + (text[at++] - '0');
	if (value < least || value > most) json_bad("a number is out of range");
	return value;
}

enum family json_address(struct address *to)
{
	enum family family;
	const char *words = json_string();
	if (!read_address(words, to, &family)) json_bad("this is no address");
	return family;
}

void json_read(const char *path, const char *code)
{
	code_if_bad = code;
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : checked("open(rules)", open(path, O_RDONLY | O_CLOEXEC));
	if (fd < 0) fail("the rules");
	text = malloc(MOST_BYTES + 1);
	size_t length = 0;
	while (text && length < MOST_BYTES) {
		ssize_t got = checked("read(rules)", read(fd, text + length, is_stdin ? 1 : MOST_BYTES - length));
		if (got < 0 && errno == EINTR) continue;
		if (got < 0) fail("the rules");
		if (got == 0 || (is_stdin && text[length] == '\n')) break;
		length += got;
	}
	if (!text || length == MOST_BYTES) json_bad("this is too long");
	// A byte 0 would hide what follows it.
	if (memchr(text, 0, length)) json_bad("there is a byte that is no text");
	text[length] = 0;
	if (!is_stdin) close(fd);
}
