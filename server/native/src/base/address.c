/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include "nodeport.h"

bool read_address(const char *text, struct address *address, enum family *family)
{
	memset(address, 0, sizeof *address);
	*family = strchr(text, ':') ? IPV6 : IPV4;
	return inet_pton(*family == IPV6 ? AF_INET6 : AF_INET, text, address) == 1;
}

void write_address(const void *sockaddr, char text[ADDRESS_TEXT])
{
	const struct sockaddr *any = sockaddr;
	const struct sockaddr_in *four = sockaddr;
	const struct sockaddr_in6 *six = sockaddr;
	if (any->sa_family == AF_INET) inet_ntop(AF_INET, &four->sin_addr, text, ADDRESS_TEXT);
	else if (IN6_IS_ADDR_V4MAPPED(&six->sin6_addr)) inet_ntop(AF_INET, six->sin6_addr.s6_addr + 12, text, ADDRESS_TEXT);
	else inet_ntop(AF_INET6, &six->sin6_addr, text, ADDRESS_TEXT);
}

unsigned socket_address(enum family family, const struct address *address, uint16_t port, void *sockaddr)
{
	if (family == IPV4) {
		struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = address->word[0]};
		memcpy(sockaddr, &four, sizeof four);
		return sizeof four;
	}
	struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
	memcpy(&six.sin6_addr, address, 16);
	memcpy(sockaddr, &six, sizeof six);
	return sizeof six;
}
