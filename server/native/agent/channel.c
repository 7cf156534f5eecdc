/* SPDX-License-Identifier: Apache-2.0 */
/* Channels: a process or a file each. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "agent.h"

/** Between SIGTERM and SIGKILL, and between SIGKILL and giving up. */
#define GRACE_NS 1000000000u
/** How often the group is looked at: the kernel has no event for its end. */
#define LOOK_MS 5

struct channel channels[CHANNELS];

void close_descriptor(int *descriptor)
{
	if (*descriptor >= 0) close(*descriptor);
	*descriptor = -1;
}

static void open_channel(struct channel *channel)
{
	if (channel->open) end_machine("a channel was opened twice");
	/* The ring's bytes stay: they are written before they are read. */
	channel->open = true;
	channel->process = 0;
	channel->terminal = channel->announced = channel->exited = channel->killed = channel->input_ends = false;
	channel->status = channel->failed = 0;
	channel->input = channel->outputs[OUT] = channel->outputs[ERR] = -1;
	channel->credit = channel->ring_first = channel->ring_count = channel->taken = 0;
	channel->end_at = 0;
}

/** The texts one after the other, each with a 0 at its end; returns the first byte behind them. */
static char *read_texts(char *at, const char *end, char **texts, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		char *zero = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
		if (zero == NULL) end_machine("a start's texts have no end");
		texts[i] = at;
		at = zero + 1;
	}
	texts[count] = NULL;
	return at;
}

/** Makes this process's network the one of a namespace's file. */
static bool enter_namespace(const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	return file >= 0 && setns(file, CLONE_NEWNET) == 0;
}

/** In the child. `namespace` is empty for the machine's own network. */
static _Noreturn void become(char **argv, char **env, const char *namespace, const int ends[3], int report)
{
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	setsid();
	if (isatty(ends[0])) ioctl(ends[0], TIOCSCTTY, 0);
	/* The agent itself can be killed. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = 0; i < 3; i++) dup2(ends[i], i);
	extern char **environ;
	environ = env;
	if (*namespace == 0 || enter_namespace(namespace)) execvp(argv[0], argv);
	int number = errno;
	if (write(report, &number, sizeof number) < 0) _exit(126);
	_exit(127);
}

/** Makes a process and the pipes to it; returns 0 or what failed. */
static int launch(struct channel *channel, char **argv, char **env, const char *namespace, bool fed)
{
	int pipes[4][2], made = 0, number = 0;
	while (made < 4 && pipe2(pipes[made], O_CLOEXEC) == 0) made++;
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (made < 4 || nothing < 0) number = errno;
	pid_t child = number == 0 ? fork() : -1;
	if (child == 0) {
		const int ends[3] = {fed ? pipes[0][0] : nothing, pipes[1][1], pipes[2][1]};
		become(argv, env, namespace, ends, pipes[3][1]);
	}
	if (child < 0 && number == 0) number = errno;
	if (nothing >= 0) close(nothing);
	for (int i = 0; i < made; i++) close_descriptor(&pipes[i][i == 0 ? 0 : 1]);
	/* It is at its end once the program runs. */
	if (number == 0 && read(pipes[3][0], &number, sizeof number) > 0) {
		waitpid(child, NULL, 0);
		child = -1;
	}
	if (number == 0) {
		channel->process = child;
		channel->outputs[OUT] = pipes[1][0];
		channel->outputs[ERR] = pipes[2][0];
		for (int i = 0; i < OUTPUTS; i++) fcntl(channel->outputs[i], F_SETFL, O_NONBLOCK);
		if (fed) {
			channel->input = pipes[0][1];
			fcntl(channel->input, F_SETFL, O_NONBLOCK);
			pipes[0][1] = -1;
		}
		pipes[1][0] = pipes[2][0] = -1;
	}
	for (int i = 0; i < made; i++) close_descriptor(&pipes[i][i == 0 ? 1 : 0]);
	return number;
}

static void set_size(int terminal, const uint8_t *numbers)
{
	struct winsize size = {
		.ws_row = (unsigned short)(numbers[0] | numbers[1] << 8),
		.ws_col = (unsigned short)(numbers[2] | numbers[3] << 8),
	};
	ioctl(terminal, TIOCSWINSZ, &size);
}

/** Makes a process and its terminal; returns 0 or what failed. */
static int launch_in_terminal(struct channel *channel, char **argv, char **env, const char *namespace, const uint8_t *size)
{
	int report[2], near = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK), far = -1, number = 0;
	if (near < 0 || unlockpt(near) < 0) number = errno;
	/* Its file can be in another mount namespace. */
	if (number == 0 && (far = ioctl(near, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC)) < 0) number = errno;
	if (number == 0 && pipe2(report, O_CLOEXEC) < 0) number = errno;
	if (number != 0) {
		close_descriptor(&near);
		close_descriptor(&far);
		return number;
	}
	set_size(near, size);
	pid_t child = fork();
	if (child < 0) number = errno;
	if (child == 0) {
		const int ends[3] = {far, far, far};
		become(argv, env, namespace, ends, report[1]);
	}
	close(far);
	close(report[1]);
	if (number == 0 && read(report[0], &number, sizeof number) > 0) waitpid(child, NULL, 0);
	close(report[0]);
	if (number != 0) {
		close(near);
		return number;
	}
	channel->process = child;
	channel->terminal = true;
	channel->input = near;
	/* Each is closed by itself. */
	channel->outputs[OUT] = fcntl(near, F_DUPFD_CLOEXEC, 3);
	return channel->outputs[OUT] < 0 ? errno : 0;
}

void resize_terminal(const struct channel *channel, const uint8_t *numbers, uint32_t length)
{
	if (length != 4) end_machine("a terminal has rows and columns");
	if (channel->open && channel->terminal && channel->input >= 0) set_size(channel->input, numbers);
}

/** How a process is connected, the first byte of START. */
enum connection { WITHOUT_INPUT, WITH_INPUT, IN_TERMINAL };
/** The rows and columns of a terminal, behind the other numbers of START. */
#define SIZE 4

void start_process(struct channel *channel, char *text, uint32_t length)
{
	static char *argv[MOST_ARGUMENTS + 1], *env[MOST_ARGUMENTS + 1];
	char *namespace[2];
	open_channel(channel);
	if (length < 5) end_machine("a start is too short");
	const uint8_t *numbers = (const uint8_t *)text;
	enum connection connection = numbers[0];
	uint32_t fixed = connection == IN_TERMINAL ? 5 + SIZE : 5;
	if (length < fixed) end_machine("a start is too short");
	unsigned words = numbers[1] | (unsigned)numbers[2] << 8, variables = numbers[3] | (unsigned)numbers[4] << 8;
	if (words == 0 || words > MOST_ARGUMENTS || variables > MOST_ARGUMENTS) end_machine("a start has too many texts");
	char *rest = read_texts(text + fixed, text + length, namespace, 1);
	rest = read_texts(rest, text + length, argv, words);
	read_texts(rest, text + length, env, variables);
	channel->failed = connection == IN_TERMINAL
				  ? launch_in_terminal(channel, argv, env, namespace[0], numbers + 5)
				  : launch(channel, argv, env, namespace[0], connection == WITH_INPUT);
}

void read_file(struct channel *channel, char *text, uint32_t length)
{
	open_channel(channel);
	if (length == 0 || text[length - 1] != 0) end_machine("a path has no end");
	channel->outputs[OUT] = open(text, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (channel->outputs[OUT] < 0) channel->failed = errno;
}

void take_input(struct channel *channel, const uint8_t *bytes, uint32_t length)
{
	/* What is on its way when the process closes its input, or ends, is dropped. */
	if (!channel->open) return;
	if (channel->input < 0) {
		channel->taken += length;
		return;
	}
	if (length > INPUT_WINDOW - channel->ring_count) end_machine("more input than there was credit for");
	for (uint32_t done = 0; done < length;) {
		uint32_t at = (channel->ring_first + channel->ring_count) % INPUT_WINDOW;
		uint32_t most = INPUT_WINDOW - at, part = length - done < most ? length - done : most;
		memcpy(channel->ring + at, bytes + done, part);
		channel->ring_count += part;
		done += part;
	}
}

void feed_process(struct channel *channel)
{
	while (channel->input >= 0 && channel->ring_count > 0) {
		uint32_t most = INPUT_WINDOW - channel->ring_first;
		uint32_t part = channel->ring_count < most ? channel->ring_count : most;
		ssize_t written = write(channel->input, channel->ring + channel->ring_first, part);
		if (written < 0 && (errno == EAGAIN || errno == EINTR)) return;
		if (written < 0) {
			close_descriptor(&channel->input);
			channel->taken += channel->ring_count;
			channel->ring_count = 0;
			return;
		}
		channel->ring_first = (channel->ring_first + (uint32_t)written) % INPUT_WINDOW;
		channel->ring_count -= (uint32_t)written;
		channel->taken += (uint32_t)written;
	}
	if (channel->input_ends) close_descriptor(&channel->input);
}

void signal_process(const struct channel *channel, int number)
{
	if (channel->open && channel->process > 0) kill(-channel->process, number);
}

void end_process(struct channel *channel)
{
	if (!channel->open || channel->end_at != 0) return;
	close_descriptor(&channel->input);
	signal_process(channel, SIGTERM);
	/* A file has nothing to wait for. */
	channel->end_at = channel->process > 0 ? now_ns() + GRACE_NS : 1;
	if (channel->process == 0) close_descriptor(&channel->outputs[OUT]);
}

/** Whether any process of the group is left. */
static bool has_group(const struct channel *channel)
{
	return channel->process > 0 && (!channel->exited || kill(-channel->process, 0) == 0);
}

int continue_end(struct channel *channel)
{
	if (!channel->open || channel->end_at == 0) return -1;
	uint64_t now = now_ns();
	if (now < channel->end_at) return LOOK_MS;
	if (!channel->killed && has_group(channel)) {
		signal_process(channel, SIGKILL);
		channel->killed = true;
		channel->end_at = now + GRACE_NS;
		return LOOK_MS;
	}
	/* What has left the group can hold the outputs open. */
	for (int i = 0; i < OUTPUTS; i++) close_descriptor(&channel->outputs[i]);
	return -1;
}

void kill_processes(void)
{
	for (int i = 0; i < CHANNELS; i++) {
		if (channels[i].open && channels[i].process > 0) kill(-channels[i].process, SIGKILL);
	}
}

void reap(void)
{
	int status;
	for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
		for (int i = 0; i < CHANNELS; i++) {
			struct channel *channel = &channels[i];
			if (!channel->open || channel->process != ended || channel->exited) continue;
			channel->exited = true;
			channel->status = status;
		}
	}
}

bool has_ended(const struct channel *channel)
{
	if (!channel->open) return false;
	if (channel->failed != 0) return true;
	if (channel->outputs[OUT] >= 0 || channel->outputs[ERR] >= 0) return false;
	if (channel->process == 0) return true;
	if (!channel->exited) return false;
	/* At an END also what is left of the group; unless it is SIGKILL's grace that is over. */
	return channel->end_at == 0 || !has_group(channel) || (channel->killed && now_ns() >= channel->end_at);
}
