import { spread } from '../../support/table.ts'
import type { Figure } from '../figure.ts'
import { endAtRandom } from './rounds.ts'

const ROUNDS = 100
const SHORT_ROUNDS = 10

/** kill -9 of the server: streamed events are stored, nothing is left, and the next start is honest about it. */
export const killed: Figure = {
  name: 'killed',
  async run(context) {
    const { rounds, streamed, gone, faults } = await endAtRandom(
      'SIGKILL',
      null,
      context.short ? SHORT_ROUNDS : ROUNDS,
      context,
    )
    for (const fault of faults) console.error(fault)
    return {
      what: `kill -9 at ${rounds} random moments of random labs`,
      bound: 'no event lost, nothing left, the kernel’s truth, next run accepted',
      measured: `${faults.length} faults; ${streamed} streamed events stored, all else gone after ${spread(gone, 0, ' ms')}`,
      how: 'events compared one by one, processes and namespaces through /proc, sizes by `ip` past the server',
      holds: faults.length === 0,
    }
  },
}
