/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * QEMU's interface for TCG plugins, declared here so that a build needs no header of QEMU. It is the same in the versions 1
 * (QEMU 7.2) to 4 (QEMU 10) of the interface, apart from `qemu_plugin_insn_data`.
 *
 * @see https://www.qemu.org/docs/master/devel/tcg-plugins.html
 */
#ifndef PLUGIN_H
#define PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

struct qemu_plugin_tb;
struct qemu_plugin_insn;

typedef void (*execution_callback)(unsigned cpu, void *data);
typedef void (*memory_callback)(unsigned cpu, uint32_t info, uint64_t address, void *data);
typedef void (*translation_callback)(uint64_t id, struct qemu_plugin_tb *block);

/* Flags of callbacks: no register is read; the store of an instruction is wanted, not its load. */
enum { NO_REGISTERS = 0, STORES = 2 };

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, translation_callback callback);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block, execution_callback, int flags, void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, execution_callback, int flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *, memory_callback, int flags, int which, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t at);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *block);
void qemu_plugin_reset(uint64_t id, void (*callback)(uint64_t id));

#endif
