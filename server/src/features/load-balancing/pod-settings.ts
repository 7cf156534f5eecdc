/** Loads both balancers of new pods, starts the backends, and reads the table back from the kernel. */
import {
  backends,
  balancers,
  client,
  DEVICE,
  PORT,
  SERVICE,
  SWITCH,
  TABLE,
} from '@expresslane/shared/features/load-balancing/places'
import { BALANCER } from '@expresslane/shared/features/load-balancing/roles'
import {
  BACKENDS,
  BALANCED_BY,
  BALANCING,
  balancingIn,
  BUCKETS,
  REPLIES,
  settingsOf,
  type Balancing,
} from '@expresslane/shared/features/load-balancing/settings'
import type { Placement, Role } from '@expresslane/shared/testbed/placement'
import { ipBatchArgv } from '../../tools/ipvs.ts'
import { nftLoadPartsArgv } from '../../tools/nft.ts'
import { deviceArgv, echoArgv } from '../../tools/nodeport/argv.ts'
import { balanceArgv, isBalanceReady, rebalanceArgv, tableInput } from '../../tools/nodeport/balance.ts'
import type { Pods, PodSettings } from '../feature.ts'
import { bucketsOf, directBackend, knownNeighbours, markRoutes, redirectFiles, rulesOf } from './commands.ts'
import { balancingOf, readTable, type TableRead } from './reading.ts'

/** A note about these pods, kept as long as they are. */
interface Made {
  readonly balancing: Balancing
  /** The process of each backend. */
  readonly pids: ReadonlyMap<Role, number>
}

const made = new WeakMap<Placement, Made>()

/** The process of a backend; undefined if these pods have none. */
export function backendPid(placement: Placement, role: Role): number | undefined {
  return made.get(placement)?.pids.get(role)
}

/** Replaces a balancer's rules, or the table of its program. @throws LabError of the tools; `signal.reason` */
export async function loadRules(of: Balancing, role: Role, { feed }: Pick<Pods, 'feed'>): Promise<void> {
  if (of.by === 'nftables') return feed(role, { argv: nftLoadPartsArgv, input: rulesOf(of).join('\0') })
  const table = {
    service: SERVICE,
    backends: backends.map(({ address }) => address),
    choice: of.balancer === 'random' ? ('random' as const) : ('hash' as const),
    replies: of.replies,
  }
  await feed(`net:${role}`, { argv: rebalanceArgv(table), input: tableInput(bucketsOf(of)) })
}

/**
 * Starts the program on a balancer's device. A frame that XDP sends out again reaches the switch only where the device
 * there has GRO.
 */
async function holdProgram(by: 'tc' | 'xdp', role: Role, pods: Pods): Promise<void> {
  await pods.feed(role, { argv: ipBatchArgv, input: knownNeighbours })
  await pods.look(SWITCH, deviceArgv(role, { gro: true }))
  await pods.hold(`net:${role}`, { argv: balanceArgv(by === 'tc' ? 'tcx' : by, DEVICE), isReady: isBalanceReady })
}

async function makeBalancer(of: Balancing, role: Role, pods: Pods): Promise<void> {
  await pods.feed(role, { argv: ['tee', ...redirectFiles], input: '0\n' })
  if (of.by !== 'nftables') await holdProgram(of.by, role, pods)
  else if (of.replies === 'direct') await pods.feed(role, { argv: ipBatchArgv, input: markRoutes })
  await loadRules(of, role, pods)
}

/** @returns its process's id */
async function makeBackend({ replies }: Balancing, role: Role, pods: Pods): Promise<number> {
  if (replies === 'direct') await pods.feed(role, { argv: ipBatchArgv, input: directBackend })
  let pid = Number.NaN
  await pods.hold(role, {
    argv: echoArgv(PORT),
    isReady(line) {
      const found = /^\{"type":"ready","pid":(\d+)/.exec(line)
      pid = found === null ? pid : Number(found[1])
      return found !== null
    },
  })
  return pid
}

/** All at once. After an error it waits for the others, so that nothing still runs. */
export async function together(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) {
    if (result.status === 'rejected') throw result.reason
  }
}

async function set(of: Balancing, pods: Pods): Promise<void> {
  const pids = new Map<Role, number>()
  // XDP sees packets before a network card could finish their checksums.
  if (of.by !== 'nftables')
    for (const { role } of [client, ...backends]) await pods.look(role, deviceArgv(DEVICE, { txChecksum: false }))
  await together([
    ...backends.map(async ({ role }) => {
      pids.set(role, await makeBackend(of, role, pods))
    }),
    ...balancers.map(({ role }) => makeBalancer(of, role, pods)),
  ])
  made.set(pods.placement, { balancing: of, pids })
}

/** Tables that were read for these pods: `read` and `readHooks` look at the same. */
const tables = new WeakMap<Pods, Promise<TableRead>>()

function tableFor(pods: Pods): Promise<TableRead> {
  const table = tables.get(pods) ?? readTable(pods)
  tables.set(pods, table)
  return table
}

export const podSettings: PodSettings = {
  settings: [BALANCING, BALANCED_BY, BUCKETS, BACKENDS, REPLIES],
  set: (values, pods) => set(balancingIn(values), pods),
  read: async (pods) => settingsOf(balancingOf(await tableFor(pods), made.get(pods.placement)?.balancing)),
  async readHooks(pods) {
    const { buckets } = await tableFor(pods)
    const counts = Object.fromEntries(
      backends.map(({ name }, index) => [name, buckets.filter((backend) => backend === index + 1).length]),
    )
    return [{ where: BALANCER, hook: TABLE, present: true, devices: [], counts }]
  },
}
