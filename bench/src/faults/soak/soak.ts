import { openApp } from '../../support/app.ts'
import type { Figure } from '../figure.ts'
import { filesAdded, sizeAtRest, type Size } from './size.ts'
import { useOnce } from './use.ts'

const MINUTE_MS = 60_000
/** The duration, and the time before the first size is taken: caches fill, code is compiled. */
const times = { short: { minutes: 5, warm: 3 }, long: { minutes: 120, warm: 10 } }
const REST_MS = 40_000
const GROWTH = 1.1

function say(when: string, { rss, descriptors }: Size): void {
  console.error(`soak: ${when}: ${rss.toFixed(1)} MB, ${descriptors} descriptors`)
}

/** Labs, pages, files, imports and broken connections for hours: memory and descriptors return to where they began. */
export const soak: Figure = {
  name: 'soak',
  beside: true,
  async run({ short }) {
    const { minutes: usual, warm } = short ? times.short : times.long
    // SOAK_MINUTES: another length than that.
    const minutes = Number(process.env['SOAK_MINUTES'] ?? usual)
    const began = performance.now()
    const app = await openApp()
    const pid = app.server.pid ?? Number.NaN
    let round = 0
    const useUntil = async (minute: number): Promise<void> => {
      for (; performance.now() - began < minute * MINUTE_MS - REST_MS; round += 1) await useOnce(app, round)
    }
    try {
      await useUntil(warm)
      const first = await sizeAtRest(pid, REST_MS)
      say('at the beginning', first)
      await useUntil(minutes)
      const last = await sizeAtRest(pid, REST_MS)
      say('at the end', last)
      for (const added of filesAdded(first, last)) console.error(`soak: open at the end only: ${added}`)
      const growth = last.rss / first.rss
      return {
        what: `A soak of ${minutes} minutes`,
        bound: 'resident memory within 10 %, descriptors level',
        measured: `${first.rss.toFixed(0)} -> ${last.rss.toFixed(0)} MB (${((growth - 1) * 100).toFixed(1)} %), ${first.descriptors} -> ${last.descriptors} descriptors`,
        how: `${round} labs with their pages, reports, recordings, wrong requests and broken streams; at rest, from minute ${warm} on`,
        holds: growth <= GROWTH && last.descriptors <= first.descriptors,
      }
    } finally {
      await app.close()
    }
  },
}
