/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include "nodeport.h"

#define MOST 64

static struct {
	const char *name, *value;
} given[MOST];
static int given_count;

void bad_argument(const char *name, const char *why)
{
	char fields[1100], message[1200];
	snprintf(fields, sizeof fields, ",\"argument\":%s", quoted(name));
	snprintf(message, sizeof message, "%.200s: %s", name, why);
	fail_code("bad_arguments", message, fields);
}

/** How `name` stands in the list: `=` with a value, `!` without, `*` more than once; 0 if it is not there. */
static char how_allowed(const char *name, const char *allowed)
{
	size_t length = strlen(name);
	for (const char *at = allowed; *at;) {
		size_t word = strcspn(at, " ");
		char mark = word > 0 && strchr("!*", at[word - 1]) ? at[word - 1] : '=';
		if (length == word - (mark != '=') && strncmp(at, name, length) == 0) return mark;
		at += word + strspn(at + word, " ");
	}
	return 0;
}

void read_arguments(int count, char **values, const char *allowed)
{
	for (int i = 0; i < count; i++) {
		const char *name = values[i];
		char how = strncmp(name, "--", 2) == 0 && name[2] ? how_allowed(name + 2, allowed) : 0;
		if (!how) bad_argument(name, "there is no such argument");
		if (given_count == MOST) bad_argument(name, "too many arguments");
		if (how != '*' && text_argument(name + 2)) bad_argument(name, "it stands twice");
		if (how != '!' && i + 1 == count) bad_argument(name, "it needs a value");
		given[given_count].name = name + 2;
		given[given_count++].value = how == '!' ? "" : values[++i];
	}
}

const char *text_argument(const char *name)
{
	for (int i = 0; i < given_count; i++) {
		if (strcmp(given[i].name, name) == 0) return given[i].value;
	}
	return NULL;
}

static const char *with_dashes(const char *name)
{
	static char text[64];
	snprintf(text, sizeof text, "--%s", name);
	return text;
}

const char *required_argument(const char *name)
{
	const char *value = text_argument(name);
	if (!value) bad_argument(with_dashes(name), "it is required");
	return value;
}

bool flag_argument(const char *name)
{
	return text_argument(name) != NULL;
}

int every_argument(const char *name, const char **values, int most)
{
	int count = 0;
	required_argument(name);
	for (int i = 0; i < given_count; i++) {
		if (strcmp(given[i].name, name) != 0) continue;
		if (count == most) bad_argument(with_dashes(name), "it stands too often");
		for (int j = 0; j < count; j++) {
			if (strcmp(values[j], given[i].value) == 0) bad_argument(with_dashes(name), "one value stands twice");
		}
		values[count++] = given[i].value;
	}
	return count;
}

uint64_t number_argument(const char *name, uint64_t least, uint64_t most)
{
	const char *text = required_argument(name);
	size_t digits = strspn(text, "0123456789");
	if (digits == 0 || digits > 18 || text[digits]) bad_argument(with_dashes(name), "it is no whole number");
	uint64_t number = 0;
	for (; *text; text++) number = number * 10 + (*text - '0');
	if (number < least || number > most) {
		char why[96];
		snprintf(why, sizeof why, "it must be from %llu to %llu", (unsigned long long)least, (unsigned long long)most);
		bad_argument(with_dashes(name), why);
	}
	return number;
}

int choice_argument(const char *name, const char *choices, int otherwise)
{
	if (otherwise >= 0 && !text_argument(name)) return otherwise;
	const char *value = required_argument(name);
	size_t length = strlen(value);
	int place = 0;
	for (const char *at = choices; *at; place++) {
		size_t word = strcspn(at, " ");
		if (length == word && strncmp(at, value, word) == 0) return place;
		at += word + strspn(at + word, " ");
	}
	char why[128];
	snprintf(why, sizeof why, "it must be one of: %s", choices);
	bad_argument(with_dashes(name), why);
}

uint64_t seconds_argument(const char *name, uint64_t least, uint64_t most)
{
	const char *text = required_argument(name);
	size_t whole = strspn(text, "0123456789");
	size_t decimals = text[whole] == '.' ? strspn(text + whole + 1, "0123456789") : 0;
	size_t length = whole + (decimals ? decimals + 1 : 0);
	if (whole == 0 || whole > 6 || decimals > 9 || text[length]) bad_argument(with_dashes(name), "it is no number of seconds");
	uint64_t ns = 0;
	for (size_t i = 0; i < whole; i++) ns = ns * 10 + (text[i] - '0');
	for (size_t i = 1; i <= 9; i++) ns = ns * 10 + (i <= decimals ? text[whole + i] - '0' : 0);
	if (ns < least || ns > most) bad_argument(with_dashes(name), "it is too short or too long");
	return ns;
}

enum family address_argument(const char *name, struct address *address)
{
	enum family family;
	if (!read_address(required_argument(name), address, &family)) bad_argument(with_dashes(name), "it is no address");
	return family;
}

void pod_arguments(struct address pod[FAMILIES])
{
	const char *pods[FAMILIES];
	int count = every_argument("pod", pods, FAMILIES);
	bool has[FAMILIES] = {false};
	for (int i = 0; i < count; i++) {
		enum family family;
		struct address address;
		if (!read_address(pods[i], &address, &family)) bad_argument("--pod", "it is no address");
		if (has[family]) bad_argument("--pod", "two addresses are of one family");
		has[family] = true;
		pod[family] = address;
	}
}
