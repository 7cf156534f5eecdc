/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "nodeport.h"

#define LINE 16384

struct failure failure;

static void write_all(int to, const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t written = write(to, bytes, length);
		if (written < 0 && errno == EINTR) continue;
		if (written <= 0) _exit(1);
		bytes += written;
		length -= written;
	}
}

void print_line(const char *format, ...)
{
	char line[LINE];
	va_list values;
	va_start(values, format);
	int length = vsnprintf(line, sizeof line - 1, format, values);
	va_end(values);
	if (length < 0 || length >= (int)sizeof line - 1) abort();
	line[length++] = '\n';
	write_all(STDOUT_FILENO, line, length);
}

const char *quoted(const char *text)
{
	static char buffers[4][1024];
	static int next;
	char *buffer = buffers[next++ % 4], *at = buffer;
	*at++ = '"';
	for (; *text && at < buffer + sizeof buffers[0] - 10; text++) {
		unsigned char byte = *text;
		if (byte == '"' || byte == '\\') at += sprintf(at, "\\%c", byte);
		// Bytes above ASCII can be no UTF-8: as Latin-1 they are at least valid JSON.
		else if (byte < 0x20 || byte >= 0x7f) at += sprintf(at, "\\u%04x", byte);
		else *at++ = byte;
	}
	*at++ = '"';
	*at = 0;
	return buffer;
}

long checked(const char *call, long result)
{
	if (result < 0) failure = (struct failure){call, errno};
	return result;
}

/** The kernel's own "not supported", which has no name in user space. */
#define ENOTSUPP 524

#define NAME(number) {number, #number}
static const struct {
	int number;
	const char *name;
} names[] = {
	NAME(EPERM), NAME(ENOENT), NAME(EINTR), NAME(EIO), NAME(ENXIO), NAME(E2BIG), NAME(EBADF), NAME(EAGAIN), NAME(ENOMEM),
	NAME(EACCES), NAME(EFAULT), NAME(EBUSY), NAME(EEXIST), NAME(ENODEV), NAME(ENOTDIR), NAME(EINVAL), NAME(ENFILE),
	NAME(EMFILE), NAME(EFBIG), NAME(ENOSPC), NAME(EROFS), NAME(EPIPE), NAME(ERANGE), NAME(ENOSYS), NAME(EMSGSIZE),
	NAME(ENOPROTOOPT), NAME(EPROTONOSUPPORT), NAME(EOPNOTSUPP), NAME(EAFNOSUPPORT), NAME(EADDRINUSE),
	NAME(EADDRNOTAVAIL), NAME(ENETDOWN), NAME(ENETUNREACH), NAME(ECONNRESET), NAME(ENOBUFS), NAME(ETIMEDOUT),
	NAME(ECONNREFUSED), NAME(EHOSTUNREACH), NAME(EISDIR), NAME(ENOTSUPP), NAME(EUSERS), NAME(ESRCH), NAME(ELOOP),
};

static const char *name_of(int number)
{
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (names[i].number == number) return names[i].name;
	}
	return "unknown";
}

const char *code_of(int number)
{
	switch (number) {
	case EPERM:
	case EACCES:
		return "denied";
	case EBUSY:
	case EEXIST:
	case EADDRINUSE:
		return "busy";
	case ENOSYS:
	case EINVAL:
	case EOPNOTSUPP:
	case ENOTSUPP:
	case ENOPROTOOPT:
	case EPROTONOSUPPORT:
	case EAFNOSUPPORT:
		return "unsupported";
	default:
		return "failed";
	}
}

const char *failure_fields(void)
{
	static char text[256];
	snprintf(text, sizeof text, "\"code\":\"%s\",\"call\":\"%s\",\"errno\":\"%s\",\"number\":%d", code_of(failure.number),
		 failure.call, name_of(failure.number), failure.number);
	return text;
}

static _Noreturn void end_with(int code, const char *line, int length)
{
	write_all(STDERR_FILENO, line, length);
	exit(code);
}

void fail(const char *what)
{
	char line[LINE];
	char words[512];
	snprintf(words, sizeof words, "%s: %s: %s", what, failure.call, strerror(failure.number));
	end_with(1, line, snprintf(line, sizeof line, "{\"type\":\"error\",\"message\":%s,%s}\n", quoted(words), failure_fields()));
}

void fail_code(const char *code, const char *message, const char *fields)
{
	char line[LINE];
	bool usage = strcmp(code, "bad_arguments") == 0;
	int length = snprintf(line, sizeof line, "{\"type\":\"error\",\"code\":\"%s\",\"message\":%s%s}\n", code, quoted(message),
			      fields ? fields : "");
	end_with(usage ? 2 : 1, line, length);
}
