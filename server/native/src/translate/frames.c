/* SPDX-License-Identifier: Apache-2.0 */
/* Runs frames through the translator without a network, one after the other, with the same sessions. */
#include <linux/pkt_cls.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../base/loader.h"
#include "rules.h"

#define MOST_BYTES 3000
/** What the kernel gives back: redirected. */
#define REDIRECTED 7

static _Noreturn void bad(unsigned line)
{
	char fields[32];
	snprintf(fields, sizeof fields, ",\"at\":%u", line);
	fail_code("bad_frame", "A line is no frame of 14 bytes or more in hexadecimal digits.", fields);
}

static uint32_t read_frame(const char *text, uint8_t *bytes, unsigned line)
{
	size_t length = strlen(text);
	if (length % 2 || length < 2 * 14 || length > 2 * MOST_BYTES) bad(line);
	if (strspn(text, "0123456789abcdef") != length) bad(line);
	for (size_t i = 0; i < length; i += 2) bytes[i / 2] = strtoul((char[]){text[i], text[i + 1], 0}, NULL, 16);
	return length / 2;
}

/** What was counted for one frame, whatever else was counted beside it. */
static const char *outcome(const __u64 *before, const __u64 *after)
{
	for (int i = TO_IPV6; i < TRANSLATE_COUNTS; i++) {
		if (i != NEW_SESSIONS && i != SESSION_PORTS_CHANGED && after[i] != before[i]) return translate_count_names[i];
	}
	return "none";
}

static void run_one(int program, const char *text, unsigned line)
{
	static uint8_t in[MOST_BYTES], out[4096];
	static char digits[2 * sizeof out + 1];
	__u64 before[TRANSLATE_COUNTS], after[TRANSLATE_COUNTS];
	uint32_t size = read_frame(text, in, line);
	read_translate_counts(before);
	int verdict = run_frame(program, in, &size, out, sizeof out);
	if (verdict < 0) fail("running a frame");
	read_translate_counts(after);
	const char *what = outcome(before, after);
	if (verdict != REDIRECTED) {
		print_line("{\"type\":\"frame\",\"outcome\":\"%s\",\"frame\":null}", what);
		return;
	}
	for (uint32_t i = 0; i < size; i++) sprintf(digits + 2 * i, "%02x", out[i]);
	print_line("{\"type\":\"frame\",\"outcome\":\"%s\",\"frame\":\"%s\"}", what, digits);
}

int run_translate_frames(void)
{
	static char text[2 * MOST_BYTES + 2];
	const char *path = required_argument("rules");
	unsigned line = 0, seconds;
	guard_namespace();
	int program = load_program(PROGRAM_TRANSLATE);
	if (program < 0) fail("loading the program");
	struct rules rules = read_rules(path);
	write_rules(&rules);
	while (fgets(text, sizeof text, stdin)) {
		line++;
		text[strcspn(text, "\n")] = 0;
		if (sscanf(text, "later %u", &seconds) == 1) {
			rules.ahead += seconds * NS_PER_SECOND;
			write_rules(&rules);
		} else if (strcmp(text, "sessions") == 0) {
			print_sessions(map_of(MAP_SESSIONS), &rules, UINT64_MAX);
		} else {
			run_one(program, text, line);
		}
	}
	print_line("{\"type\":\"end\",\"counts\":{%s}}", translate_counts());
	return 0;
}
