/**
 * The clock of the emulated computer. It counts instructions, so that a measurement depends on neither the host nor the
 * browser, and time in which the computer waits passes at once. No part of v86 is changed: its WebAssembly imports the
 * clock, its PIT and RTC ask its class, and the loop's own function is replaced. These are private properties: no other
 * version than the pinned v86 is known to have them.
 */
import { EMULATED_CLOCK } from '@expresslane/shared/testbed/kinds'
import type { V86 } from 'v86'

/** It waits at least this long, in milliseconds: a turn of the loop that waits for nothing would not end otherwise. */
const SHORTEST_WAIT_MS = 0.002

/** A queue of a virtio device. */
export interface Queue {
  /** True if the computer has lent it a buffer to fill. */
  has_request(): boolean
}

/** The private parts of v86 that the clock and the connection use. */
export interface Inside {
  readonly v86: {
    readonly cpu: {
      readonly instruction_counter: ArrayLike<number>
      /** Not 0 while the processor waits for an interrupt. */
      readonly in_hlt: ArrayLike<number>
      readonly devices: {
        readonly virtio_console: {
          readonly virtio: { readonly queues: readonly Queue[] }
          SendEvent: (port: number, event: number, value: number) => void
        }
      }
      /** Runs for about a millisecond. @returns how long nothing is due, in milliseconds */
      main_loop: () => number
    }
    run(): void
    stop(): void
    /** Asks for the turn of this number. */
    yield: (ms: number, turn: number) => void
    yield_callback(turn: number): void
  }
  readonly bus: { send(name: string, bytes: Uint8Array): void }
}

/** v86 with its private parts. */
export const insideOf = (emulator: V86): Inside => emulator as unknown as Inside

interface Exports {
  /** @param option its number in v86's src/rust/jit.rs */
  set_jit_config(option: number, value: number): void
}

/** The option for the most pages of the computer's code that v86 compiles together; by itself it takes three. */
const MAX_PAGES = 1

/** In a web worker and in Node, whose types both lack the other's name for it. */
declare const WebAssembly: {
  instantiate(wasm: ArrayBuffer, imports: object): Promise<{ readonly instance: { readonly exports: Exports } }>
}

/** The imports of v86's WebAssembly. */
interface Imports {
  readonly env: { microtick: () => number }
}

export interface CountedClock {
  /** The option `wasm_fn` of v86. */
  load(imports: Imports): Promise<object>
  /** Takes the place of v86's clock. To be called when the emulator is ready, before it runs. */
  attach(emulator: V86, beforeTurn: () => void): void
  /** Milliseconds. */
  now(): number
  /** Instructions since it was attached. */
  instructions(): number
}

/**
 * A clock for one emulator. PIT and RTC of all emulators in a JavaScript realm have the clock that was attached last.
 *
 * @param wasm v86.wasm
 * @param startMs the clock at which the state to be restored was saved: otherwise the computer's time jumps
 */
export function createCountedClock(wasm: ArrayBuffer, startMs: number): CountedClock {
  let counter: ArrayLike<number> | null = null
  let last = 0
  let total = 0
  let waitedMs = 0

  function instructions(): number {
    // It has 32 bits, and begins again every 172 seconds of this clock.
    const value = (counter?.[0] ?? 0) >>> 0
    total += (value - last) >>> 0
    last = value
    return total
  }

  const now = (): number => startMs + instructions() / (EMULATED_CLOCK * 1000) + waitedMs

  return {
    now,
    instructions,
    async load(imports) {
      imports.env.microtick = now
      const { exports } = (await WebAssembly.instantiate(wasm, imports)).instance
      // Chromium optimizes small functions in half of the processor's time, which the computer itself needs.
      exports.set_jit_config(MAX_PAGES, 1)
      return exports
    },
    attach(emulator, beforeTurn) {
      const { v86 } = insideOf(emulator)
      const { cpu } = v86
      Object.assign(v86.constructor, { microtick: now })
      last = (cpu.instruction_counter[0] ?? 0) >>> 0
      counter = cpu.instruction_counter
      const turn = cpu.main_loop.bind(cpu)
      cpu.main_loop = () => {
        beforeTurn()
        const ms = turn()
        if (cpu.in_hlt[0] !== 0) waitedMs += Math.max(ms, SHORTEST_WAIT_MS)
        return 0
      }
    },
  }
}
