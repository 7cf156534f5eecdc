/* SPDX-License-Identifier: Apache-2.0 */
/* What `translate` translates: the JSON of the README, read strictly and written to the maps. */
#ifndef NODEPORT_RULES_H
#define NODEPORT_RULES_H

#include "../../bpf/translate/shared.h"
#include "../base/nodeport.h"

/** Reads a file, or one line of stdin for `-`, into the maps; ends the process with `bad_rules` if it is wrong. */
struct rules read_rules(const char *path);
/** Writes the rules that are no pairs and no services. */
void write_rules(const struct rules *rules);
/** `"runs":1,"toIpv6":1, ...` of the translator's counters. */
const char *translate_counts(void);
/** Reads them; fails if it can't. */
void read_translate_counts(__u64 counts[TRANSLATE_COUNTS]);
/** Prints the live sessions, up to `most`, and how many there are. */
void print_sessions(int map, const struct rules *rules, uint64_t most);
/** Offers the map of sessions to processes of this network namespace; returns what to wait for. */
int offer_sessions(void);
/** Takes one that asks, and hands it the map and the rules. */
void hand_out_sessions(int listener, const struct rules *rules);
extern const char *const translate_count_names[TRANSLATE_COUNTS];

#endif
