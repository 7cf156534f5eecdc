/** When this machine's processors had no time left. */
import { cpus } from 'node:os'

const SAMPLE_MS = 250
/** The busy share of all processors together that counts as full. */
const FULL = 0.95

export interface Watch {
  /** The last moment from `from` to `to` (ms since the epoch) at which all processors were busy; null for none. */
  lastFull(from: number, to: number): number | null
  [Symbol.dispose](): void
}

function times(): { readonly all: number; readonly idle: number } {
  const every = cpus().map((one) => one.times)
  const idle = every.reduce((sum, one) => sum + one.idle, 0)
  return { all: every.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle), idle }
}

/** Looks four times a second, until it is disposed of. */
export function watchProcessors(): Watch {
  const full: number[] = []
  let before = times()
  const timer = setInterval(() => {
    const now = times()
    if ((now.idle - before.idle) / Math.max(1, now.all - before.all) < 1 - FULL) full.push(Date.now())
    before = now
  }, SAMPLE_MS)
  return {
    lastFull: (from, to) => full.findLast((at) => at >= from && at <= to) ?? null,
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
