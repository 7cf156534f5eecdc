/** The functions of the machine's kernel, as the profiler in QEMU needs them (`server/native/profiler/wire.h`). Pure. */
import type { Symbols } from '../machine/symbols.ts'

/** Kinds of functions by their effect on the stack, as `wire.h` numbers them. */
const kinds = { ordinary: 0, entersByInterrupt: 1, callsOnInterruptStack: 2, switchesTask: 3 } as const

function kindOf(name: string): number {
  if (name === '__switch_to') return kinds.switchesTask
  if (name.startsWith('asm_')) return kinds.entersByInterrupt
  return /^sysvec_|^common_interrupt$|softirq|irq_exit|^__local_bh_enable/.test(name)
    ? kinds.callsOnInterruptStack
    : kinds.ordinary
}

/** The count, the addresses, and a byte for each that says its kind. */
export function symbolMessage({ addresses, names }: Symbols): Buffer {
  const message = Buffer.alloc(4 + addresses.length * 9)
  message.writeUInt32LE(addresses.length)
  for (const [index, address] of addresses.entries()) {
    message.writeBigUInt64LE(address, 4 + index * 8)
    message.writeUInt8(kindOf(names[index] ?? ''), 4 + addresses.length * 8 + index)
  }
  return message
}
