/** Bad inputs of every kind: the server refuses them without an error of its own, without an end and without a stall. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seeded, type Random } from '@expresslane/shared/compare/stats/random'
import { openApp, type BenchApp } from '../../support/app.ts'
import type { Figure } from '../figure.ts'
import { watchHealth } from '../imports/health.ts'
import { apiInputs, profileInputs } from './api.ts'
import { labInputs, recordingInputs } from './files.ts'
import { byteInputs, headerInputs, streamInputs } from './http.ts'
import type { Kind, Outcome } from './kind.ts'
import { whole } from './mutate.ts'

const INPUTS = 100_000
const SHORT_INPUTS = 4_000
const STALL_MS = 250
/** The short form runs beside a cluster, with which the server also shares caches, memory and disk. */
const SHORT_STALL_MS = 1_000
const SHOWN = 5

interface Tally {
  sent: number
  readonly broken: Outcome[]
  /** How often each status came; null for a connection that was closed without an answer. */
  readonly statuses: Map<number | null, number>
}

/** Sends `count` inputs of a kind. */
async function sendAll(app: BenchApp, kind: Kind, count: number, random: Random): Promise<Tally> {
  const next = await kind.open(app, random)
  const tally: Tally = { sent: 0, broken: [], statuses: new Map() }
  const one = async (): Promise<void> => {
    while (tally.sent < count) {
      for (const outcome of await next()) {
        tally.sent += 1
        tally.statuses.set(outcome.status, (tally.statuses.get(outcome.status) ?? 0) + 1)
        if (outcome.status !== null && outcome.status >= 500) tally.broken.push(outcome)
      }
    }
  }
  await Promise.all(Array.from({ length: kind.atOnce }, one))
  return tally
}

export const badInputs: Figure = {
  name: 'bad-inputs',
  async run({ short, random }) {
    const folder = await mkdtemp(join(tmpdir(), 'expresslane-labs-'))
    const app = await openApp({ EXPRESSLANE_WORKSHOP: '1', EXPRESSLANE_LABS: folder, LOG_LEVEL: 'fatal' })
    const health = await watchHealth(app)
    try {
      const kinds = [
        apiInputs,
        profileInputs,
        headerInputs,
        byteInputs,
        streamInputs,
        recordingInputs,
        labInputs(folder),
      ]
      const all = short ? SHORT_INPUTS : INPUTS
      const most = short ? SHORT_STALL_MS : STALL_MS
      let [sent, broken, longest] = [0, 0, 0]
      for (const kind of kinds) {
        // Each kind has its own random numbers, so that its inputs do not depend on the other kinds.
        const ofKind = seeded(whole(random, 2 ** 32))
        health.take()
        const begun = performance.now()
        const tally = await sendAll(app, kind, Math.ceil((all * kind.share) / 100), ofKind)
        const stall = health.take().reduce((highest, wait) => Math.max(highest, wait), 0)
        const seconds = ((performance.now() - begun) / 1000).toFixed(0)
        console.error(
          `${kind.name}: ${tally.sent} in ${seconds} s, ${tally.broken.length} with 5xx, longest wait ${stall.toFixed(0)} ms`,
        )
        console.error([...tally.statuses].map(([status, times]) => `${status ?? 'closed'}: ${times}`).join(', '))
        for (const { status, said } of tally.broken.slice(0, SHOWN)) console.error(`${status}: ${said}\n`)
        sent += tally.sent
        broken += tally.broken.length
        longest = Math.max(longest, stall)
      }
      // Throws when the server is gone.
      await app.ask('GET', '/api/me')
      const exited = app.server.exitCode !== null || app.server.signalCode !== null
      return {
        what: `${sent.toLocaleString('en')} bad inputs`,
        bound: `no 5xx, no crash, no stall over ${most} ms`,
        measured: `${broken} 5xx, ${exited ? 'ended' : 'no crash'}, longest wait ${longest.toFixed(0)} ms`,
        how: 'bodies, paths, headers, bytes, frames, recordings, lab files and profiles, from the API’s description and by mutation',
        holds: broken === 0 && !exited && longest <= most,
      }
    } finally {
      await health.stop()
      await app.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
}
