/** Terminals at the places of a topology: its nodes, its wire and its pods. */
import { LabError } from '@expresslane/shared/base/errors'
import { later } from '../../time.ts'
import type { Testbed } from '../testbed.ts'
import type { Topology } from '../topology.ts'
import type { Machine } from '../machine/machine.ts'
import { changesIn, readConfiguration } from './by-hand.ts'
import { noPods } from './commands/places.ts'
import type { Lifetime } from './lifetime.ts'
import { setState } from './state.ts'

/** How often a testbed that is only read after changes is read while somebody types, in milliseconds. */
const READ_MS = 1000

interface Parts {
  readonly topology: Topology
  readonly machine: Machine
  readonly lifetime: Pick<Lifetime, 'builds' | 'use' | 'change' | 'report' | 'siteOf'>
}

/** Calls back at most once in a while, the last time after the last call. */
function createThrottle(work: () => void): () => void {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    later(READ_MS, () => {
      isDue = false
      work()
    })
  }
}

export function createTerminals({ topology, machine, lifetime }: Parts): NonNullable<Testbed['terminals']> {
  const places = [...new Set(topology.devices.map(({ where }) => where))]
  const typed = createThrottle(lifetime.report)
  /** The incarnation of the namespaces that had a terminal. */
  let used: string | null = null
  const { builds } = lifetime
  return {
    places,
    wereUsed: () => used === builds.incarnation(),
    undo: (context) =>
      lifetime.change(context, async (present, site) => {
        const found = await readConfiguration(site)
        const fresh = await builds.renew(present, context)
        const again = lifetime.siteOf(fresh, context)
        await setState(fresh.values, fresh, again, machine)
        used = null
        return changesIn(found, await readConfiguration(again))
      }),
    open: ({ namespace, ...start }, context) =>
      lifetime.use(context, async ({ pods, holder }) => {
        if (!places.includes(namespace)) {
          const known = places.join(', ')
          throw new LabError('not_found', `The testbed has no place ${namespace}.`, `Its places are ${known}.`)
        }
        const isPod = topology.pods.some(({ pod }) => pod.name === namespace)
        if (isPod && pods === null) throw noPods()
        used = builds.incarnation()
        const terminal = await holder.terminal({
          ...start,
          namespace,
          onOutput(bytes) {
            typed()
            return start.onOutput(bytes)
          },
        })
        const end = (): void => void terminal.end()
        if (isPod) pods?.removed.signal.addEventListener('abort', end, { once: true })
        return terminal
      }),
  }
}
