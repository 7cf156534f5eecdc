/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include "json.h"
#include "loader.h"
#include "services.h"

/** A list of at most one address for each family; returns which there are. */
static unsigned addresses(struct address *list)
{
	unsigned seen = 0;
	json_expect('[', "a list is missing");
	if (json_next() == ']') json_bad("a list of addresses is empty");
	do {
		struct address one;
		enum family family = json_address(&one);
		if (seen & 1u << family) json_bad("a family has two addresses");
		list[family] = one;
		seen |= 1u << family;
	} while (json_more(']'));
	return seen;
}

static struct service service(void)
{
	struct service s = {0};
	unsigned seen = 0;
	json_expect('{', "a service is missing");
	do {
		const char *name = json_string();
		unsigned which = 0;
		json_expect(':', "a colon is missing");
		if (strcmp(name, "port") == 0) {
			which = 1;
			s.key.port = htons(json_number(1, 65535));
		} else if (strcmp(name, "protocol") == 0) {
			which = 2;
			const char *protocol = json_string();
			if (strcmp(protocol, "tcp") == 0) s.key.protocol = IPPROTO_TCP;
			else if (strcmp(protocol, "udp") == 0) s.key.protocol = IPPROTO_UDP;
			else json_bad("a protocol is neither tcp nor udp");
		} else if (strcmp(name, "address") == 0) {
			which = 4;
			s.key.family = json_address(&s.backend.address);
		} else if (strcmp(name, "backendPort") == 0) {
			which = 8;
			s.backend.port = htons(json_number(1, 65535));
		} else {
			json_bad("a service has a field that is not known");
		}
		if (seen & which) json_bad("a field stands twice");
		seen |= which;
	} while (json_more('}'));
	if (seen != 15) json_bad("a service needs port, protocol, address and backendPort");
	return s;
}

static void list_of_services(struct services *to)
{
	json_expect('[', "a list is missing");
	if (json_next() == ']') return json_expect(']', "");
	do {
		if (to->count == MOST_SERVICES) json_bad("there are too many services");
		to->list[to->count++] = service();
	} while (json_more(']'));
}

struct services read_services(const char *path)
{
	struct services s = {.list = malloc(sizeof *s.list * MOST_SERVICES)};
	unsigned seen = 0, node = 0, masquerade = 0;
	json_read(path, "bad_services");
	if (!s.list) json_bad("there is no memory for them");
	json_expect('{', "this is no JSON object");
	do {
		const char *name = json_string();
		unsigned which = 0;
		json_expect(':', "a colon is missing");
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
			json_bad("there is a field that is not known");
		}
		if (seen & which) json_bad("a field stands twice");
		seen |= which;
	} while (json_more('}'));
	if (json_next()) json_bad("something follows the services");
	if (seen != 7) json_bad("node, masquerade and services are all needed");
	if (node != masquerade) json_bad("node and masquerade need the same families");
	for (enum family family = IPV4; family < FAMILIES; family++) s.config.has[family] = node >> family & 1;
	for (uint32_t i = 0; i < s.count; i++) {
		if (!s.config.has[s.list[i].key.family]) json_bad("a service has a family without a node address");
	}
	return s;
}

void write_services(const struct services *s)
{
	uint32_t zero = 0;
	if (write_map(MAP_CONFIGS, &zero, &s->config) < 0) fail("the services");
	for (uint32_t i = 0; i < s->count; i++) {
		if (write_map(MAP_SERVICES, &s->list[i].key, &s->list[i].backend) < 0) fail("the services");
	}
}
