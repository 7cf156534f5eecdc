/** Ends the parts of a server in order, within 5 seconds. */
import type { ReadLabs } from '../read-labs.ts'
import { beginStopping, named, type Part } from '../stopping.ts'
import type { Store } from '../store/open.ts'
import type { Base } from './base.ts'
import type { Data, Watching } from './data.ts'
import type { InRoom } from './people.ts'
import type { Running } from './running.ts'

const ALIVE_MS = 60_000

export interface Closing {
  /** Ends and records the open runs, closes `connections`, then cleans up the testbeds. Takes at most 5 seconds. */
  close(connections?: Part): Promise<void>
  /** After {@link Closing.close}: names the parts that did not end in time, for people. */
  left(): readonly string[]
}

interface Parts extends Base, Data, Watching, Running, InRoom {
  readonly readLabs: ReadLabs | undefined
  /** Stops the work that goes on beside the runs. */
  stopUpkeep(): void
}

/** Names the runs of this process that have not ended. */
function runsLeft({ runs, owner }: Store): string[] {
  return runs
    .open()
    .filter((run) => run.owner === owner && run.state === 'running')
    .map(({ id, stepId, testbed }) => `the step ${stepId} on ${testbed} (run ${id})`)
}

export function closing(parts: Parts): Closing {
  const { clock, onError, store, scheduler, testbeds } = parts
  let left = (): readonly string[] => []
  return {
    async close(connections) {
      parts.readiness.stopping()
      // Before its runs are cancelled, which is no failed check.
      parts.opinions.close()
      parts.presenting.close()
      parts.room.close()
      parts.hands.close()
      parts.stopUpkeep()
      parts.recordings.close()
      parts.readLabs?.close(new Error('the server is stopping'))
      // The clock's timers do not keep the process alive, and a part that hangs may wait for nothing.
      const alive = setInterval(() => {}, ALIVE_MS)
      const stopping = beginStopping(clock, onError)
      left = stopping.left
      await stopping.end('runs', [{ left: () => runsLeft(store), stop: () => scheduler.close() }])
      // Together: a wait in a part, such as a request to a cluster that does not answer, ends with another part.
      await Promise.all([
        stopping.end('connections', connections === undefined ? [] : [connections]),
        stopping.end('readings', [
          named('watching the folders of labs', () => parts.labs.close()),
          named('reading the path', () => parts.live.close()),
        ]),
        // The kernel removes the rest of this machine's testbeds when the process ends.
        stopping.end(
          'testbeds',
          testbeds.made().map((id) => named(`the testbed ${id}`, () => testbeds.renew(id))),
        ),
      ])
      parts.silenceRuns()
      parts.metrics.close()
      parts.trouble.close()
      parts.people.close()
      parts.checkpoints.close()
      store.close()
      clearInterval(alive)
    },
    left: () => left(),
  }
}
