/** The functions of a kernel, from its `/proc/kallsyms`, as the profiler needs them (`server/native/profiler/wire.h`). Pure. */

/** A function of the kernel, a module or a BPF program. */
interface Symbol {
  readonly address: bigint
  readonly name: string
}

export interface Symbols {
  readonly names: readonly string[]
  /** The profiler's message: the count, the addresses in ascending order, and a byte for each that says its kind. */
  readonly message: Buffer
}

/** `ffffffff81000000 T startup_64`, and for a module `... t br_forward\t[bridge]`: the text sections alone. */
const FUNCTION = /^([0-9a-f]+) [tTwW] (\S+)/

/** Kinds of functions by their effect on the stack, as `wire.h` numbers them. */
const kinds = { ordinary: 0, entersByInterrupt: 1, callsOnInterruptStack: 2, switchesTask: 3 } as const

function kindOf(name: string): number {
  if (name === '__switch_to') return kinds.switchesTask
  if (name.startsWith('asm_')) return kinds.entersByInterrupt
  return /^sysvec_|^common_interrupt$|softirq|irq_exit|^__local_bh_enable/.test(name)
    ? kinds.callsOnInterruptStack
    : kinds.ordinary
}

/** Parts that the compiler moved away from a function count as the function: `tcp_ack.cold`, `tcp_ack.part.0`. */
function plainName(name: string): string {
  return name.replace(/\.(cold|part|constprop|isra|llvm).*$/, '')
}

function symbolsIn(text: string): Symbol[] {
  return text.split('\n').flatMap((line) => {
    const [, address, name] = FUNCTION.exec(line) ?? []
    return address === undefined || name === undefined ? [] : { address: BigInt(`0x${address}`), name: plainName(name) }
  })
}

/** The functions in the text of `/proc/kallsyms`. Without the right to read it all addresses are 0: then there are none. */
export function parseSymbols(text: string): Symbols {
  const found = symbolsIn(text)
    .filter(({ address }) => address !== 0n)
    .toSorted((a, b) => (a.address < b.address ? -1 : a.address > b.address ? 1 : 0))
  const message = Buffer.alloc(4 + found.length * 9)
  message.writeUInt32LE(found.length)
  for (const [index, { address, name }] of found.entries()) {
    message.writeBigUInt64LE(address, 4 + index * 8)
    message.writeUInt8(kindOf(name), 4 + found.length * 8 + index)
  }
  return { names: found.map(({ name }) => name), message }
}
