import { median } from '@expresslane/shared/measure/measurement'
import { spread } from '../../support/table.ts'
import type { Figure } from '../figure.ts'
import { endAtRandom } from './rounds.ts'

const ROUNDS = 100
const SHORT_ROUNDS = 10
const LIMIT_MS = 1000

/** SIGTERM in the middle of labs: the same as for kill -9, in time and with exit code 0. */
export const terminated: Figure = {
  name: 'terminated',
  async run(context) {
    const { rounds, streamed, took, faults } = await endAtRandom(
      'SIGTERM',
      0,
      context.short ? SHORT_ROUNDS : ROUNDS,
      context,
    )
    for (const fault of faults) console.error(fault)
    return {
      what: `SIGTERM at ${rounds} random moments of random labs`,
      bound: `${context.short ? 'median ' : ''}<= 1 s, no event lost, nothing left`,
      measured: `${spread(took, 0, ' ms')}, ${faults.length} faults; ${streamed} streamed events stored`,
      how: 'from the signal to the end of the process; the rest as for kill -9',
      // The short form runs beside other tests, which have the processors, too.
      holds: faults.length === 0 && (context.short ? median(took) : Math.max(...took)) <= LIMIT_MS,
    }
  },
}

const STOPPED_ROUNDS = 30
const SHORT_STOPPED_ROUNDS = 4
const STOPPED_LIMIT_MS = 2000

/** SIGTERM while all programs that the server has started are stopped. */
export const stopped: Figure = {
  name: 'stopped',
  async run(context) {
    const count = context.short ? SHORT_STOPPED_ROUNDS : STOPPED_ROUNDS
    const { rounds, streamed, took, faults } = await endAtRandom('SIGTERM', 0, count, context, true)
    for (const fault of faults) console.error(fault)
    return {
      what: `SIGTERM at ${rounds} random moments, while all programs of the server are stopped (SIGSTOP)`,
      bound: `${context.short ? 'median ' : ''}<= 2 s, no event lost, nothing left`,
      measured: `${spread(took, 0, ' ms')}, ${faults.length} faults; ${streamed} streamed events stored`,
      how: 'as for SIGTERM',
      holds: faults.length === 0 && (context.short ? median(took) : Math.max(...took)) <= STOPPED_LIMIT_MS,
    }
  },
}
