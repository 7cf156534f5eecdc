/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "nodeport.h"

/*
 * A NOP of eight bytes, whose last four no compiler writes: the counted machine's profiler looks for it
 * (../../profiler/profiler.c).
 */
#ifdef __x86_64__
#define MARK(which) __asm__ volatile(".byte 0x0f, 0x1f, 0x84, 0x00, 0x4c, 0x58, 0x50, " #which ::: "memory")
#else
#define MARK(which) fail("a profile of this processor")
#endif

/** Runs a command between the marks of a profile, and ends as it does. @param command ends with NULL */
int run_mark(char **command)
{
	if (command[0] == NULL) bad_argument("", "a command is required");
	MARK(0x01);
	pid_t child = vfork();
	if (child == 0) {
		execvp(command[0], command);
		_exit(errno == ENOENT ? 127 : 126);
	}
	int status = 0;
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
	MARK(0x02);
	if (child < 0) {
		checked("vfork", child);
		fail("the command");
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
