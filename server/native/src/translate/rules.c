/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include "../base/json.h"
#include "../base/loader.h"
#include "rules.h"

/** Of RFC 6146, 4: UDP, ICMP, established and other TCP sessions, in seconds. */
static const uint32_t usual_timeouts[TIMEOUTS] = {300, 60, 7440, 240};
static const char *const timeout_names[TIMEOUTS] = {"udp", "icmp", "tcp", "tcpTransitory"};

#define MOST_SECONDS 864000
/** Two entries for each pair and each service, and one for a service's address. */
#define MOST_PAIRS 40000

static uint32_t pairs;

/** The place of the name in the list; `seen` keeps which there were. */
static int field(const char *const *names, int count, unsigned *seen)
{
	const char *name = json_string();
	json_expect(':', "a colon is missing");
	for (int i = 0; i < count; i++) {
		if (strcmp(name, names[i]) != 0) continue;
		if (*seen & 1u << i) json_bad("a field stands twice");
		*seen |= 1u << i;
		return i;
	}
	json_bad("there is a field that is not known");
}

static void address_of(enum family family, struct address *to)
{
	if (json_address(to) != family) json_bad(family == IPV4 ? "this is no IPv4 address" : "this is no IPv6 address");
}

static void add(const struct place *place, const struct counterpart *counterpart)
{
	struct counterpart there;
	if (read_map(MAP_PAIRS, place, &there) == 0 && !there.nothing) json_bad("an address or a backend stands twice");
	if (write_map(MAP_PAIRS, place, counterpart) < 0) fail("the rules");
}

/** Reserves the address: what no other rule says about it is dropped. */
static void add_nothing(const struct address *address)
{
	struct place place = {.address = *address, .family = IPV4};
	struct counterpart there, nothing = {.nothing = 1};
	if (read_map(MAP_PAIRS, &place, &there) == 0) return;
	if (write_map(MAP_PAIRS, &place, &nothing) < 0) fail("the rules");
}

static void pair(void)
{
	static const char *const names[] = {"ipv4", "ipv6"};
	struct place ipv4 = {.family = IPV4}, ipv6 = {.family = IPV6};
	unsigned seen = 0;
	json_expect('{', "a pair is missing");
	do {
		int which = field(names, 2, &seen);
		address_of(which == 0 ? IPV4 : IPV6, which == 0 ? &ipv4.address : &ipv6.address);
	} while (json_more('}'));
	if (seen != 3) json_bad("a pair needs ipv4 and ipv6");
	add(&ipv4, &(struct counterpart){.address = ipv6.address});
	add(&ipv6, &(struct counterpart){.address = ipv4.address});
}

static uint8_t protocol(void)
{
	const char *name = json_string();
	if (strcmp(name, "tcp") == 0) return IPPROTO_TCP;
	if (strcmp(name, "udp") != 0) json_bad("a protocol is neither tcp nor udp");
	return IPPROTO_UDP;
}

/** Returns whether clients appear as one address. */
static bool service(void)
{
	static const char *const names[] = {"protocol", "address", "port", "backend", "backendPort", "client"};
	struct place at = {.family = IPV4}, backend = {.family = IPV6};
	struct address client = {0};
	unsigned seen = 0;
	json_expect('{', "a service is missing");
	do {
		switch (field(names, 6, &seen)) {
		case 0: at.protocol = backend.protocol = protocol(); break;
		case 1: address_of(IPV4, &at.address); break;
		case 2: at.port = htons(json_number(1, 65535)); break;
		case 3: address_of(IPV6, &backend.address); break;
		case 4: backend.port = htons(json_number(1, 65535)); break;
		default: address_of(IPV6, &client);
		}
	} while (json_more('}'));
	bool has_client = seen & 1u << 5;
	if ((seen & 31) != 31) json_bad("a service needs protocol, address, port, backend and backendPort");
	add(&at, &(struct counterpart){.address = backend.address, .client = client, .port = backend.port});
	if (!has_client) add(&backend, &(struct counterpart){.address = at.address, .port = at.port});
	add_nothing(&at.address);
	return has_client;
}

static void prefix(struct prefix *to)
{
	char *text = strdup(json_string()), *slash = text ? strchr(text, '/') : NULL;
	static const char *const lengths[] = {"32", "40", "48", "56", "64", "96"};
	struct address address;
	enum family family;
	for (int i = 0; slash && i < 6; i++) {
		if (strcmp(slash + 1, lengths[i]) == 0) to->length = atoi(lengths[i]);
	}
	if (!to->length) json_bad("this is no IPv6 prefix with one of RFC 6052's lengths");
	*slash = 0;
	if (!read_address(text, &address, &family) || family != IPV6) json_bad("this is no IPv6 prefix");
	free(text);
	to->high = (__u64)ntohl(address.word[0]) << 32 | ntohl(address.word[1]);
	to->low = (__u64)ntohl(address.word[2]) << 32 | ntohl(address.word[3]);
	to->high_mask = to->length >= 64 ? ~0ull : ~0ull << (64 - to->length);
	// Bits 64 to 71 are 0 in all lengths.
	to->low_mask = to->length == 96 ? ~0ull << 32 : 0xffull << 56;
	if (to->high & ~to->high_mask || to->low & ~to->low_mask || to->low >> 56) json_bad("the prefix has bits behind its length, or in bits 64 to 71");
}

static void timeouts(struct rules *to)
{
	unsigned seen = 0;
	json_expect('{', "an object is missing");
	do {
		int which = field(timeout_names, TIMEOUTS, &seen);
		to->timeouts[which] = json_number(1, MOST_SECONDS);
	} while (json_more('}'));
}

/** Reads a list; returns whether any item says so. */
static bool list(bool item(void))
{
	bool any = false;
	json_expect('[', "a list is missing");
	if (json_next() == ']') {
		json_expect(']', "");
		return false;
	}
	do {
		if (++pairs > MOST_PAIRS) json_bad("there are too many rules");
		any |= item();
	} while (json_more(']'));
	return any;
}

static bool pair_item(void)
{
	pair();
	return false;
}

struct rules read_rules(const char *path)
{
	static const char *const names[] = {"prefix", "gateway", "masquerade", "pairs", "services", "timeouts"};
	struct rules rules = {0};
	struct address gateway = {0}, masquerade = {0};
	unsigned seen = 0;
	memcpy(rules.timeouts, usual_timeouts, sizeof usual_timeouts);
	// 14 bits, and not 0: packets that were never here have 0.
	rules.tag = now() / 1000 % 16383 + 1;
	json_read(path, "bad_rules");
	json_expect('{', "this is no JSON object");
	do {
		switch (field(names, 6, &seen)) {
		case 0: prefix(&rules.prefix); break;
		case 1: address_of(IPV4, &gateway); break;
		case 2: address_of(IPV4, &masquerade); break;
		case 3: list(pair_item); break;
		case 4: rules.has_sessions |= list(service); break;
		default: timeouts(&rules);
		}
	} while (json_more('}'));
	if (json_next()) json_bad("something follows the rules");
	if (!(seen & 1)) json_bad("a prefix is needed");
	rules.gateway = gateway.word[0];
	rules.masquerade = masquerade.word[0];
	rules.has_services = (seen & 1u << 4) != 0;
	if (rules.masquerade) rules.has_sessions = 1;
	if (rules.gateway) add_nothing(&gateway);
	if (rules.masquerade) add_nothing(&masquerade);
	return rules;
}

void write_rules(const struct rules *rules)
{
	uint32_t zero = 0;
	if (write_map(MAP_TRANSLATIONS, &zero, rules) < 0) fail("the rules");
}
