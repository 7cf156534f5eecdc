/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * An exact profile of the counted machine: instructions and calls by calling context, as a plugin of QEMU.
 *
 * A program in the machine marks where a profile begins and ends, with NOPs of eight bytes. Between the marks every block of
 * instructions is counted; outside of them nothing is, and QEMU's translations are those without a plugin.
 *
 * The contexts are a tree of functions. No register is read: the store of a call gives the stack pointer, and with it the
 * task; a return pops; an interrupt's entry pushes until its `iret`; the first store of `__switch_to` is on the next task's stack. A
 * jump to another function replaces the top of the stack.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "plugin.h"
#include "wire.h"

/** The interface's version that is asked for; QEMU refuses a version that it does not have. */
EXPORT int qemu_plugin_version = 1;

/* The instruction's bytes: a pointer to them up to version 2, copied since. */
static void *insn_data;
enum { COPIES_BYTES_SINCE = 3 };

__attribute__((constructor)) static void choose_version(void)
{
	// A function of version 4. Its user functions that are declared here have not changed since version 1.
	if (dlsym(RTLD_DEFAULT, "qemu_plugin_scoreboard_new")) qemu_plugin_version = 4;
	insn_data = dlsym(RTLD_DEFAULT, "qemu_plugin_insn_data");
}

enum { STACK_DEPTH = 256, MOST_STACKS = 1024, MOST_NODES = 1 << 19, BUCKETS = 1 << 20, LONGEST_INSN = 15 };
/* Kernel stacks have 16 KiB, and interrupts one of their own. */
enum { STACK_BITS = 14, STACK_BYTES = 1 << STACK_BITS, PAGE_BYTES = 4096 };
/* Ids of stacks that are not the address of a task's stack. */
enum { NO_TASK = 0, INTERRUPTS = 1 };

/** A block of instructions, as QEMU translates it. */
struct block {
	struct block *next;
	uint64_t address;
	uint32_t instructions;
	uint32_t function;
	/* The last context that it was reached from by a call, and the context that it then is. */
	uint32_t from, to;
	bool user;
};

struct frame {
	uint64_t sp;
	uint32_t node;
	bool interrupt;
};

struct stack {
	uint64_t id;
	uint32_t root, depth;
	struct frame frames[STACK_DEPTH];
};

/* All blocks of this profile. */
static struct block *blocks;
static struct node *nodes;
static uint32_t node_count, *buckets;
static struct stack stacks[MOST_STACKS];
static uint32_t stack_count;
/* The task that runs, the stack in use (its own or that of interrupts), and the context that runs. */
static struct stack *task, *stack;
static uint32_t current;
/* A call was seen whose function has not begun; the last block was the program's own, not the kernel's. */
static bool called, was_user;
static uint64_t interrupts_from, interrupts_to;
/* The block that runs, until its call or return was seen. */
static struct block *running;
static struct totals totals;
/* Instructions are counted; they will be, once QEMU has forgotten its translations. */
static bool counting, wanted;
static uint64_t plugin;

static uint32_t child_of(uint32_t parent, uint32_t function)
{
	uint32_t at = (parent * 2654435761u ^ function * 40503u) & (BUCKETS - 1);
	for (; buckets[at]; at = (at + 1) & (BUCKETS - 1))
		if (nodes[buckets[at]].parent == parent && nodes[buckets[at]].function == function) return buckets[at];
	if (node_count == MOST_NODES) {
		totals.lost++;
		return parent;
	}
	nodes[node_count] = (struct node){.parent = parent, .function = function};
	return buckets[at] = node_count++;
}

static struct stack *stack_of(uint64_t id)
{
	for (uint32_t at = 0; at < stack_count; at++)
		if (stacks[at].id == id) return &stacks[at];
	if (stack_count == MOST_STACKS) {
		totals.lost++;
		return &stacks[0];
	}
	struct stack *new = &stacks[stack_count++];
	// All tasks have one root: what they do is told by their functions.
	*new = (struct stack){.id = id, .root = id > INTERRUPTS ? child_of(0, TASK) : 0};
	return new;
}

static void push(struct stack *to, uint64_t sp, bool interrupt)
{
	if (to->depth == STACK_DEPTH) totals.deep++;
	else to->frames[to->depth++] = (struct frame){.sp = sp, .node = current, .interrupt = interrupt};
}

/** Drops the frames of functions that have ended without a return that was seen. */
static void drop_below(struct stack *of, uint64_t sp)
{
	while (of->depth && of->frames[of->depth - 1].sp <= sp) of->depth--;
}

static bool is_kernel_stack(uint64_t sp)
{
	bool is_entry_stack = sp >= 0xfffffe0000000000ull && sp < 0xfffffe8000000000ull;
	return sp >> 47 == 0x1ffff && !is_entry_stack;
}

static void on_call(unsigned cpu, uint32_t info, uint64_t sp, void *data)
{
	(void)cpu, (void)info;
	struct block *block = data;
	// QEMU 7.2 also reports atomic accesses of the next block.
	if (block != running) {
		totals.strays++;
		return;
	}
	running = NULL;
	if (!counting) return;
	called = true;
	if (!is_kernel_stack(sp)) return;
	uint64_t id = sp >> STACK_BITS;
	if (!interrupts_to && id != stack->id && kind_of(block->function) == CALLS_ON_INTERRUPT_STACK) {
		interrupts_to = (sp + PAGE_BYTES) & ~(uint64_t)(PAGE_BYTES - 1);
		interrupts_from = interrupts_to - STACK_BYTES;
	}
	if (sp >= interrupts_from && sp < interrupts_to) {
		// Nested: the parent is the context that was interrupted.
		if (stack->id != INTERRUPTS) {
			stack = stack_of(INTERRUPTS);
			stack->depth = 0;
		}
	} else if (id != stack->id) {
		struct stack *to = stack_of(id);
		if (stack->id != INTERRUPTS || to != task) totals.switches++;
		stack = task = to;
	}
	drop_below(stack, sp);
	push(stack, sp, false);
	was_user = false;
}

/** QEMU 7.2 reports no load of a return, so its address is not known: the order that `on_call` keeps has to do. */
static void on_return(unsigned cpu, void *data)
{
	(void)cpu, (void)data;
	if (!counting) return;
	struct stack *of = stack->depth || stack->id != INTERRUPTS ? stack : task;
	if (!of->depth || of->frames[of->depth - 1].interrupt) {
		totals.unmatched++;
		return;
	}
	current = of->frames[--of->depth].node;
	called = false;
	if (!of->depth && of->id == INTERRUPTS) stack = task;
}

static void on_switch(unsigned cpu, uint32_t info, uint64_t sp, void *data)
{
	(void)cpu, (void)info;
	if (!counting || data != running || !is_kernel_stack(sp) || sp >> STACK_BITS == task->id) return;
	stack = task = stack_of(sp >> STACK_BITS);
	totals.switches++;
	drop_below(stack, sp);
}

static void on_interrupt_return(unsigned cpu, void *data)
{
	(void)cpu, (void)data;
	if (!counting) return;
	struct stack *of = stack->depth ? stack : task;
	for (uint32_t at = of->depth; at--;)
		if (of->frames[at].interrupt) {
			current = of->frames[at].node;
			of->depth = at;
			return;
		}
}

static void enter_user(void)
{
	called = false;
	if (was_user && nodes[current].function == USER) return;
	current = child_of(task->root, USER);
	nodes[current].calls++;
	was_user = true;
}

static void enter_kernel(struct block *block)
{
	uint32_t function = nodes[current].function;
	if (was_user) {
		// A program enters the kernel with an empty stack.
		was_user = called = false;
		stack = task;
		stack->depth = 0;
		current = child_of(task->root, block->function);
	} else if (called) {
		called = false;
		if (block->from != current || nodes[block->to].function != block->function) {
			block->from = current;
			block->to = child_of(current, block->function);
		}
		current = block->to;
	} else if (function == block->function) {
		return;
	} else if (kind_of(block->function) == ENTERS_BY_INTERRUPT) {
		struct stack *of = stack->depth ? stack : task;
		push(of, of->depth ? of->frames[of->depth - 1].sp - 8 : ~0ull, true);
		current = child_of(current, block->function);
	} else {
		// A jump: the function that jumps has ended.
		bool is_root = function == TASK || !current;
		current = child_of(is_root ? current : nodes[current].parent, block->function);
	}
	nodes[current].calls++;
}

static void on_block(unsigned cpu, void *data)
{
	(void)cpu;
	struct block *block = data;
	if (!counting) return;
	running = block;
	totals.instructions += block->instructions;
	if (block->user) enter_user();
	else enter_kernel(block);
	nodes[current].own += block->instructions;
}

static void translate(uint64_t id, struct qemu_plugin_tb *block);

/** QEMU has forgotten its translations: the next ones have callbacks, or none. */
static void begin_again(uint64_t id)
{
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
	counting = wanted;
}

static void begin(void)
{
	if (wanted || !read_symbols()) return;
	// Nothing is translated with the last profile's blocks any more.
	for (struct block *next; blocks != NULL; blocks = next) {
		next = blocks->next;
		free(blocks);
	}
	memset(buckets, 0, BUCKETS * sizeof *buckets);
	totals = (struct totals){0};
	node_count = 1;
	stack_count = 0;
	interrupts_from = interrupts_to = 0;
	called = false;
	was_user = true;
	current = 0;
	running = NULL;
	stack_of(NO_TASK);
	stack_of(INTERRUPTS);
	task = stack = &stacks[0];
	wanted = true;
	qemu_plugin_reset(plugin, begin_again);
}

static void end(void)
{
	if (!wanted) return;
	counting = wanted = false;
	write_profile(&totals, nodes, node_count);
	qemu_plugin_reset(plugin, begin_again);
}

static void on_mark(unsigned cpu, void *data)
{
	(void)cpu;
	if ((intptr_t)data == BEGIN) begin();
	else end();
}

static size_t bytes_of(const struct qemu_plugin_insn *insn, uint8_t *bytes)
{
	size_t size = qemu_plugin_insn_size(insn);
	if (size > LONGEST_INSN) size = LONGEST_INSN;
	if (qemu_plugin_version >= COPIES_BYTES_SINCE) {
		size_t (*copy)(const struct qemu_plugin_insn *, void *, size_t) = insn_data;
		copy(insn, bytes, size);
	} else {
		const void *(*pointer)(const struct qemu_plugin_insn *) = insn_data;
		memcpy(bytes, pointer(insn), size);
	}
	return size;
}

/** REX, operand size, address size, segments, repetition. */
static bool is_prefix(uint8_t byte)
{
	return (byte & 0xf0) == 0x40 || strchr("\x66\x67\x2e\x3e\xf2\xf3\x65", byte) != NULL;
}

/** @see Intel's manual, volume 2: the opcodes of calls, returns, PUSH and IRET */
static void watch(struct qemu_plugin_insn *insn, const uint8_t *bytes, size_t size, bool in_switch, struct block *block)
{
	size_t at = 0;
	while (at + 1 < size && bytes[at] && is_prefix(bytes[at])) at++;
	uint8_t opcode = bytes[at], reg = at + 1 < size ? (bytes[at + 1] >> 3) & 7 : 0;
	bool is_call = opcode == 0xe8 || (opcode == 0xff && reg == 2);
	if (is_call) qemu_plugin_register_vcpu_mem_cb(insn, on_call, NO_REGISTERS, STORES, block);
	else if (opcode == 0xc3 || opcode == 0xc2) qemu_plugin_register_vcpu_insn_exec_cb(insn, on_return, NO_REGISTERS, block);
	else if (in_switch && opcode >= 0x50 && opcode < 0x58)
		qemu_plugin_register_vcpu_mem_cb(insn, on_switch, NO_REGISTERS, STORES, block);
	else if (opcode == 0xcf) qemu_plugin_register_vcpu_insn_exec_cb(insn, on_interrupt_return, NO_REGISTERS, block);
}

static void translate(uint64_t id, struct qemu_plugin_tb *translated)
{
	(void)id;
	size_t count = qemu_plugin_tb_n_insns(translated);
	uint64_t address = qemu_plugin_tb_vaddr(translated);
	bool user = !(address >> 63);
	struct block *block = NULL;
	if (wanted && (block = malloc(sizeof *block)) != NULL) {
		*block = (struct block){.next = blocks, .address = address, .instructions = count, .user = user, .from = ~0u};
		blocks = block;
		if (!user) block->function = function_at(address);
		qemu_plugin_register_vcpu_tb_exec_cb(translated, on_block, NO_REGISTERS, block);
	}
	bool in_switch = block != NULL && !user && kind_of(block->function) == SWITCHES_TASK;
	for (size_t at = 0; at < count; at++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(translated, at);
		uint8_t bytes[LONGEST_INSN] = {0};
		size_t size = bytes_of(insn, bytes);
		if (user && size == 8 && !memcmp(bytes, "\x0f\x1f\x84\x00LXP", 7))
			qemu_plugin_register_vcpu_insn_exec_cb(insn, on_mark, NO_REGISTERS, (void *)(intptr_t)bytes[7]);
		if (block != NULL && !user) watch(insn, bytes, size, in_switch, block);
	}
}

EXPORT int qemu_plugin_install(uint64_t id, const void *info, int count, char **arguments)
{
	(void)info;
	plugin = id;
	for (int at = 0; at < count; at++)
		if (!strncmp(arguments[at], "fd=", 3)) use_connection(atoi(arguments[at] + 3));
	nodes = calloc(MOST_NODES, sizeof *nodes);
	buckets = calloc(BUCKETS, sizeof *buckets);
	if (nodes == NULL || buckets == NULL || !is_connected()) return -1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
	return 0;
}
