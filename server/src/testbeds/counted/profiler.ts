/** The connection to the profiler in QEMU: it asks for symbols, and sends profiles (`server/native/profiler/wire.c`). */
import type { Duplex } from 'node:stream'
import { PROGRAM, ROOT, TASK, UNKNOWN } from '@expresslane/shared/profile/profile'
import { LabError } from '@expresslane/shared/base/errors'
import type { Profiled } from '../testbed.ts'
import type { Symbols } from '../machine/symbols.ts'
import { symbolMessage } from './symbols.ts'

export interface Profiler {
  /**
   * Profiles what the machine runs between the marks of each command that `work` runs behind `nodeport mark`.
   *
   * @throws the errors of `work`; LabError `tool_failed` if the command set no mark
   */
  profile(symbols: Symbols, work: () => Promise<void>): Promise<Profiled>
}

const ASKS = 'B'.charCodeAt(0)
const TOTALS_BYTES = 6 * 8
const HEAD_BYTES = TOTALS_BYTES + 8
const NODE_BYTES = 24
const NO_SYMBOLS = Buffer.alloc(4)
/** Functions that are no symbols, in the order of `wire.h`. */
const FIXED = [ROOT, PROGRAM, UNKNOWN, TASK] as const

function noMark(): LabError {
  return new LabError('tool_failed', 'The counted machine made no profile.', 'Run the step again.', {
    detail: 'the command set no mark',
  })
}

function number(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at))
}

/** @param bytes the totals, the number of contexts, and the contexts */
function decode(bytes: Buffer, { names }: Symbols): Profiled {
  const [lost, unmatched] = [number(bytes, 8), number(bytes, 5 * 8)]
  const count = number(bytes, TOTALS_BYTES)
  const profile = { functions: [ROOT as string], parents: [0], instructions: [0], calls: [0] }
  for (let index = 0; index < count; index += 1) {
    const at = HEAD_BYTES + index * NODE_BYTES
    const code = bytes.readUInt32LE(at + 4)
    profile.parents.push(bytes.readUInt32LE(at))
    profile.functions.push(FIXED[code] ?? names[code - FIXED.length] ?? UNKNOWN)
    profile.instructions.push(number(bytes, at + 8))
    profile.calls.push(number(bytes, at + 16))
  }
  return { profile, lost, unmatched, samples: null }
}

/** Two profiles as one: a tool can run several commands behind marks. */
function joined(first: Profiled | null, next: Profiled): Profiled {
  if (first === null) return next
  const [one, more] = [first.profile, next.profile]
  const shift = one.functions.length - 1
  const profile = {
    functions: [...one.functions, ...more.functions.slice(1)],
    parents: [...one.parents, ...more.parents.slice(1).map((parent) => (parent === 0 ? 0 : parent + shift))],
    instructions: [...one.instructions, ...more.instructions.slice(1)],
    calls: [...one.calls, ...more.calls.slice(1)],
  }
  return { profile, samples: null, lost: first.lost + next.lost, unmatched: Math.max(first.unmatched, next.unmatched) }
}

/** One profile at a time: the machine has one CPU. */
export function createProfiler(connection: Duplex): Profiler {
  let symbols: Symbols | null = null
  let received: Buffer = Buffer.alloc(0)
  let made: Profiled | null = null

  /** Takes one message off the received bytes. @returns whether there was a whole message */
  function take(): boolean {
    const [kind] = received
    if (kind === undefined) return false
    if (kind === ASKS) {
      connection.write(symbols === null ? NO_SYMBOLS : symbolMessage(symbols))
      received = received.subarray(1)
      return true
    }
    if (received.length < 1 + HEAD_BYTES) return false
    const size = 1 + HEAD_BYTES + number(received, 1 + TOTALS_BYTES) * NODE_BYTES
    if (received.length < size) return false
    if (symbols !== null) made = joined(made, decode(received.subarray(1, size), symbols))
    received = received.subarray(size)
    return true
  }

  connection.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    while (take()) {
      // The next message, if it is here.
    }
  })
  connection.on('error', () => {})

  return {
    async profile(of, work) {
      symbols = of
      made = null
      try {
        await work()
        // The plugin has sent the whole profile before the marked command can end.
        if (made === null) await new Promise((resolve) => setImmediate(resolve))
        if (made === null) throw noMark()
        return made
      } finally {
        symbols = null
      }
    },
  }
}
